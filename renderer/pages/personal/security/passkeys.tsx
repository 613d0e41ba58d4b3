import { Callout, Classes } from '@blueprintjs/core'
import { useState } from 'react'
import { type PasskeyView, passkey } from '../../../../shared/api/passkey.ts'
import { security } from '../../../../shared/api/security.ts'
import type { UserView } from '../../../../shared/api/user.ts'
import { useCall } from '../../../api/use-call.ts'
import { FailedState } from '../../../components/blank-state/failed-state.tsx'
import { later } from '../../../components/later.tsx'
import { canUsePasskeys } from '../../../components/passkeys/browser-passkeys.ts'
import { useTranslation } from '../../../translation.ts'
import { Act } from '../act.tsx'
import { PasskeyList } from './passkey-list.tsx'

const AddPasskeyDialog = later(async () => (await import('./add-passkey-dialog.tsx')).AddPasskeyDialog)

/** The account's passkeys (docs/reference/screens.md#personal). */
export function Passkeys({ account: { username } }: Readonly<{ account: UserView }>) {
  const { t } = useTranslation()
  const { data, error, refetch } = useCall(passkey.list, {}, { quiet: true })
  if (!data && error)
    return (
      <FailedState
        scope="section"
        title={t('security.passkeysFailed')}
        message={error.message}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <div className={`security-factors-waiting ${Classes.SKELETON}`} />
  return <OwnPasskeys passkeys={data} username={username} />
}

type OwnPasskeysProps = Readonly<{ passkeys: readonly PasskeyView[]; username: string }>

/**
 * If no passkey can be added on this page, explains that right away; existing ones can always be renamed and removed.
 */
function OwnPasskeys({ passkeys, username }: OwnPasskeysProps) {
  const { t } = useTranslation()
  const { data: state } = useCall(security.state, {}, { quiet: true })
  const [isAdding, setAdding] = useState(false)
  const isUsable = canUsePasskeys()
  return (
    <div>
      <Act
        title={t('security.passkeys')}
        hint={t('security.passkeysHint')}
        verb={t('security.passkeyAdd')}
        isDisabled={!isUsable || !state}
        onClick={() => setAdding(true)}
      >
        {!isUsable && (
          <Callout compact className="security-passkeys-place">
            {t('security.passkeysPlace')}
          </Callout>
        )}
      </Act>
      {passkeys.length > 0 && <PasskeyList passkeys={passkeys} />}
      {isAdding && state && (
        <AddPasskeyDialog hasPassword={state.has_password} username={username} onClose={() => setAdding(false)} />
      )}
    </div>
  )
}
