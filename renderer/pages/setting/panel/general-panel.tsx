import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { optionsIn } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { groupDigits } from '../../../components/count.tsx'
import { useTranslation } from '../../../translation.ts'
import { OptionControl } from '../form/option-control.tsx'
import { PanelForm } from '../form/panel-form.tsx'
import { type OptionForm, useOptionForm } from '../form/use-option-form.ts'

/** General operation. The unit of all stored amounts can be changed only after reading a warning. */
export function GeneralPanel({ panel }: { panel: PanelName }) {
  const form = useOptionForm(optionsIn(panel))
  return (
    <PanelForm form={form} panel={panel}>
      {form.keys.map((key) =>
        key === 'QuotaPerUnit' ? (
          <QuotaPerUnit key={key} form={form} />
        ) : (
          <OptionControl key={key} {...form.bind(key)} />
        ),
      )}
    </PanelForm>
  )
}

/** Locked until a warning has been read (docs/reference/screens.md#settings). */
function QuotaPerUnit({ form }: { form: OptionForm }) {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const unlock = () => {
    setOpen(true)
    setConfirming(false)
  }
  const action = (
    <Button
      size="small"
      variant="minimal"
      text={t('label.edit')}
      aria-label={t('settings.quotaPerUnitEdit')}
      onClick={() => setConfirming(true)}
    />
  )
  const field = form.bind('QuotaPerUnit')
  const locked = { value: groupDigits(Number(field.value)), onLockedPress: () => setConfirming(true), action }
  return (
    <>
      <OptionControl {...field} {...(!isOpen && locked)} />
      <Confirm
        isOpen={isConfirming}
        question={t('settings.quotaPerUnitAsk')}
        verb={t('settings.quotaPerUnitGo')}
        isHarmless
        isBusy={false}
        onConfirm={unlock}
        onCancel={() => setConfirming(false)}
      >
        {t('settings.quotaPerUnitHint')}
      </Confirm>
    </>
  )
}
