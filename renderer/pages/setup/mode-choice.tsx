import '../../components/choice-card/choice-card.css'
import { Button, Classes, Dialog, DialogBody, DialogFooter, H3, RadioCard, RadioGroup } from '@blueprintjs/core'
import { InfoSign } from '@blueprintjs/icons'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useTranslation } from '../../translation.ts'

/** How the gateway will be used (docs/reference/screens.md#setup); can be changed later. */
const usageModes = ['external', 'self', 'demo'] as const
const usageMode = z.enum(usageModes)
export type UsageMode = z.output<typeof usageMode>

export function ModeChoice({ mode, onChoose }: { mode: UsageMode; onChoose: (mode: UsageMode) => void }) {
  const { t } = useTranslation()
  const [isExplained, setExplained] = useState(false)
  return (
    <fieldset className="setup-group">
      <legend>{t('setup.mode')}</legend>
      <RadioGroup
        aria-label={t('setup.mode')}
        selectedValue={mode}
        onChange={(event) => onChoose(usageMode.parse(event.currentTarget.value))}
      >
        {usageModes.map((name) => (
          <RadioCard key={name} inputProps={{ name: 'mode' }} value={name} className="choice-card setup-mode">
            <strong>{t(`setup.mode.${name}`)}</strong>
            <div className={Classes.TEXT_MUTED}>{t(`setup.mode.${name}.short`)}</div>
          </RadioCard>
        ))}
      </RadioGroup>
      <div className="setup-mode-foot">
        <span className={Classes.TEXT_MUTED}>{t('setup.modeLater')}</span>
        <Button
          variant="minimal"
          icon={<InfoSign />}
          text={t('setup.modeExplain')}
          onClick={() => setExplained(true)}
        />
      </div>
      <ModeDialog isOpen={isExplained} onClose={() => setExplained(false)} />
    </fieldset>
  )
}

function ModeDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      className="fits-window"
      isOpen={isOpen}
      onClose={onClose}
      title={t('setup.mode')}
      isCloseButtonShown={false}
    >
      <DialogBody>
        {usageModes.map((name) => (
          <section key={name} className="setup-mode-about">
            <H3>{t(`setup.mode.${name}`)}</H3>
            <p>{t(`setup.mode.${name}.long`)}</p>
          </section>
        ))}
      </DialogBody>
      <DialogFooter actions={<Button intent="primary" text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}
