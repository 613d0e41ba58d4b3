import { Button, Callout, Classes } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { security } from '../../../../shared/api/security.ts'
import type { UserView } from '../../../../shared/api/user.ts'
import { noteMissingFactors } from '../../../api/after-refusal.ts'
import { factorsMissing } from '../../../api/factors-missing.ts'
import { useCall } from '../../../api/use-call.ts'
import { FailedState } from '../../../components/blank-state/failed-state.tsx'
import { later } from '../../../components/later.tsx'
import { sentences } from '../../../components/sentences.ts'
import { StatusTag } from '../../../components/status-tag/status-tag.tsx'
import { useTranslation } from '../../../translation.ts'
import { Act } from '../act.tsx'

const TurnOnDialog = later(async () => (await import('./turn-on-dialog.tsx')).TurnOnDialog)
const TurnOffDialog = later(async () => (await import('./turn-off-dialog.tsx')).TurnOffDialog)
const NewCodesDialog = later(async () => (await import('./new-codes-dialog.tsx')).NewCodesDialog)

type TwoFactorsProps = Readonly<{ account: UserView }>

/** Two-factor authentication and its actions (docs/reference/screens.md#personal). */
export function TwoFactors({ account: { username } }: TwoFactorsProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useCall(security.state, {}, { quiet: true })
  const [opened, setOpened] = useState<'on' | 'off' | 'codes'>()
  const close = () => setOpened(undefined)
  useSharedFactorState(data?.missing)
  if (!data && error)
    return (
      <FailedState
        scope="section"
        title={t('security.factorsFailed')}
        message={error.message}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <div className={`security-factors-waiting ${Classes.SKELETON}`} />
  const {
    enabled: isOn,
    backup_codes_remaining: left,
    has_password: hasPassword,
    required: isRequired,
    missing: isMissing,
  } = data
  return (
    <>
      <Act
        title={t('factor.title')}
        state={<StatusTag intent={isOn ? 'success' : 'none'} text={t(isOn ? 'security.on' : 'security.off')} />}
        hint={sentences(t('security.factorsHint'), isRequired ? t('security.required') : undefined)}
        intent={isMissing ? 'primary' : 'none'}
        isDisabled={isOn && isRequired}
        verb={t(isOn ? 'security.turnOff' : 'security.turnOn')}
        onClick={() => setOpened(isOn ? 'off' : 'on')}
      >
        {isOn && <CodesLeft left={left} onRenew={() => setOpened('codes')} />}
      </Act>
      {opened === 'on' && <TurnOnDialog hasPassword={hasPassword} username={username} onClose={close} />}
      {opened === 'off' && <TurnOffDialog onClose={close} />}
      {opened === 'codes' && <NewCodesDialog username={username} onClose={close} />}
    </>
  )
}

/** Shares the gateway's state with the whole console. */
function useSharedFactorState(isMissing: boolean | undefined): void {
  useEffect(() => {
    const known = factorsMissing.get()
    if (isMissing) noteMissingFactors()
    else if (isMissing === false && known?.isMissing) factorsMissing.set({ ...known, isMissing: false })
  }, [isMissing])
}

/** With this many codes or fewer, a warning is shown. */
const FEW_CODES = 2

/** The number of remaining recovery codes, with a warning if there are few. */
function CodesLeft({ left, onRenew }: Readonly<{ left: number; onRenew: () => void }>) {
  const { t } = useTranslation()
  return (
    <>
      <div className="security-codes-left">
        <span className="tabular">{t('security.codesLeft', { n: left })}</span>
        <Button size="small" text={t('security.newCodes')} onClick={onRenew} />
      </div>
      {left <= FEW_CODES && (
        <Callout compact intent="warning">
          {t('security.codesFew')}
        </Callout>
      )}
    </>
  )
}
