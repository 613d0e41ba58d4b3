import './security/security.css'
import { H3 } from '@blueprintjs/core'
import { useState } from 'react'
import { ownAccount } from '../../../shared/api/own-account.ts'
import type { UserView } from '../../../shared/api/user.ts'
import { role } from '../../../shared/enums.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { later } from '../../components/later.tsx'
import { useTranslation } from '../../translation.ts'
import { Act } from './act.tsx'
import { PersonalSection } from './personal-section.tsx'
import { Passkeys } from './security/passkeys.tsx'
import { SessionList } from './security/session-list.tsx'
import { TwoFactors } from './security/two-factors.tsx'

const AccessTokenDialog = later(async () => (await import('./access-token-dialog.tsx')).AccessTokenDialog)
const PasswordDialog = later(async () => (await import('./password-dialog.tsx')).PasswordDialog)
const DeleteDialog = later(async () => (await import('./delete-dialog.tsx')).DeleteDialog)

type AccountProps = Readonly<{ account: UserView }>

type SecurityProps = AccountProps &
  Readonly<{
    /** Shows the rarely used parts at once instead of collapsed. */
    isUnfolded: boolean
    isOpen: boolean
  }>

/** Access tokens, passkeys, factors and other security settings; rarely used parts can be collapsed. */
export function Security({ account, isUnfolded, isOpen }: SecurityProps) {
  const { t } = useTranslation()
  return (
    <PersonalSection title={t('personal.security')} className={isOpen ? '' : 'personal-alone'}>
      <div className="personal-acts">
        {isOpen && <AccessToken account={account} />}
        {isOpen && <Password account={account} />}
        {isUnfolded && isOpen && <Passkeys account={account} />}
        {isUnfolded && <TwoFactors account={account} />}
        {isOpen && <Deletion account={account} />}
        {!isUnfolded && <Folded account={account} />}
      </div>
    </PersonalSection>
  )
}

/** The account's sessions, in their own row, because there may be many. */
export function Sessions() {
  const { t } = useTranslation()
  return (
    <PersonalSection title={t('security.sessions')} className="personal-alone">
      <SessionList />
    </PersonalSection>
  )
}

/** The collapsed parts, which are loaded only when expanded. */
function Folded({ account }: AccountProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="personal-help" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('security.more')}</summary>
      {isOpen && (
        <div className="personal-acts security-folded">
          <Passkeys account={account} />
          <TwoFactors account={account} />
          <div>
            <H3 className="personal-subheading">{t('security.sessions')}</H3>
            <SessionList />
          </div>
        </div>
      )}
    </details>
  )
}

/** Asks first, because the previous token becomes invalid; then shows the new one. */
function AccessToken({ account }: AccountProps) {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const [token, setToken] = useState<string>()
  const { mutate, isPending } = useSend(ownAccount.accessToken)
  return (
    <>
      <Act
        title={t('personal.accessToken')}
        hint={t('personal.accessTokenHint')}
        verb={t('personal.accessTokenMake')}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        isOpen={isConfirming}
        question={t('personal.accessTokenAsk')}
        verb={t('personal.accessTokenMake')}
        isBusy={isPending}
        onCancel={() => setConfirming(false)}
        onConfirm={() => mutate({}, { onSuccess: setToken, onSettled: () => setConfirming(false) })}
      >
        {t('personal.accessTokenAskHint')}
      </Confirm>
      {token !== undefined && (
        <AccessTokenDialog token={token} userId={account.id} onClose={() => setToken(undefined)} />
      )}
    </>
  )
}

function Password({ account }: AccountProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Act
        title={t('personal.password')}
        hint={t('personal.passwordHint')}
        verb={t('personal.passwordChange')}
        onClick={() => setOpen(true)}
      />
      {isOpen && <PasswordDialog account={account} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The super administrator cannot be deleted, since no one else could change the gateway's settings. */
function Deletion({ account }: AccountProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const isRoot = account.role >= role.root
  return (
    <>
      <Act
        title={t('personal.delete')}
        hint={t(isRoot ? 'user.root_delete' : 'personal.deleteHint')}
        verb={t('personal.delete')}
        intent="danger"
        isDisabled={isRoot}
        onClick={() => setOpen(true)}
      />
      {isOpen && <DeleteDialog username={account.username} onClose={() => setOpen(false)} />}
    </>
  )
}
