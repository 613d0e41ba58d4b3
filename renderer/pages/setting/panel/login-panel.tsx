import { Classes } from '@blueprintjs/core'
import { useState } from 'react'
import { option } from '../../../../shared/api/option.ts'
import { type OptionKey, optionsIn } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { send } from '../../../api/client.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { clearToasts, showFailure, showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { OptionControl } from '../form/option-control.tsx'
import { useRefresh } from '../form/use-outcome.ts'
import { useProof } from '../tools/use-proof.tsx'
import { useOptionValues } from '../use-option-values.ts'

const PASSWORD = 'PasswordLoginEnabled'
const HUMAN = 'TurnstileCheckEnabled'

/**
 * Login and registration: each switch is saved on click. Disabling password login asks for confirmation, and enabling
 * the human check requires passing it.
 */
export function LoginPanel({ panel }: { panel: PanelName }) {
  const { t } = useTranslation()
  const { values } = useOptionValues()
  const [isConfirming, setConfirming] = useState(false)
  const toggles = useToggles()
  const { prove, dialog } = useProof()
  const siteKey = values?.get('TurnstileSiteKey') ?? ''
  const toggle = async (key: OptionKey, value: string) => {
    if (key === PASSWORD && value === 'false') return setConfirming(true)
    // Without a key there is nothing to prove; the gateway reports what is missing.
    if (key !== HUMAN || value === 'false' || siteKey === '') return toggles.put(key, value)
    const token = await prove(siteKey)
    if (token !== undefined) await toggles.put(key, value, token)
  }
  return (
    <>
      <p className={`setting-lead ${Classes.TEXT_MUTED}`}>{t('settings.savedOnClick')}</p>
      <div className="setting-fields">
        {optionsIn(panel).map((key) => (
          <OptionControl
            key={key}
            option={key}
            value={toggles.turning?.key === key ? toggles.turning.value : (values?.get(key) ?? 'false')}
            onValue={(value) => void toggle(key, value)}
            onLeave={ignored}
            onReset={ignored}
            error={toggles.refused?.key === key ? toggles.refused.message : undefined}
            isRemoved={false}
            onRemove={ignored}
          />
        ))}
      </div>
      <Confirm
        isOpen={isConfirming}
        question={t('settings.passwordOff')}
        verb={t('settings.turnOff')}
        isBusy={toggles.turning !== undefined}
        onConfirm={() => void toggles.put(PASSWORD, 'false').then(() => setConfirming(false))}
        onCancel={() => setConfirming(false)}
      >
        {t('settings.passwordOffHint')}
      </Confirm>
      {dialog}
    </>
  )
}

const ignored = () => {}

/** Saves one switch at a time; a refusal is shown at the switch, which reverts. */
function useToggles() {
  const { t } = useTranslation()
  const refresh = useRefresh()
  const [turning, setTurning] = useState<{ key: OptionKey; value: string }>()
  const [refused, setRefused] = useState<{ key: OptionKey; message: string }>()
  const put = async (key: OptionKey, value: string, token?: string) => {
    if (turning) return
    clearToasts()
    setRefused(undefined)
    setTurning({ key, value })
    try {
      await send(option.update, { query: { turnstile: token }, body: { key, value } }, { quiet: true })
      await refresh()
      showSuccess(t('update.ok'))
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      setRefused({ key, message: error.message })
      showFailure(error)
    } finally {
      setTurning(undefined)
    }
  }
  return { put, turning, refused }
}
