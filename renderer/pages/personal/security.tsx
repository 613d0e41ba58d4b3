import { Button, Classes, H3, type Intent } from '@blueprintjs/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAccount } from '../../../shared/api/own-account.ts'
import type { UserView } from '../../../shared/api/user.ts'
import { role } from '../../../shared/enums.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { later } from '../../components/later.tsx'
import { PersonalSection } from './personal-section.tsx'

const AccessTokenDialog = later(async () => (await import('./access-token-dialog.tsx')).AccessTokenDialog)
const PasswordDialog = later(async () => (await import('./password-dialog.tsx')).PasswordDialog)
const DeleteDialog = later(async () => (await import('./delete-dialog.tsx')).DeleteDialog)

type AccountProps = Readonly<{ account: UserView }>

/** What opens the account to others, and what closes it. */
export function Security({ account }: AccountProps) {
  const { t } = useTranslation()
  return (
    <PersonalSection title={t('personal.security')}>
      <div className="personal-acts">
        <AccessToken account={account} />
        <Password account={account} />
        <Deletion account={account} />
      </div>
    </PersonalSection>
  )
}

type ActProps = Readonly<{
  title: string
  hint: string
  verb: string
  intent?: Intent
  isDisabled?: boolean
  onClick: () => void
}>

/** Something that can be done, and what comes of it. */
function Act({ title, hint, verb, intent = 'none', isDisabled = false, onClick }: ActProps) {
  return (
    <div className="personal-act">
      <div>
        <H3 className="personal-subheading">{title}</H3>
        <p className={Classes.TEXT_MUTED}>{hint}</p>
      </div>
      <Button text={verb} intent={intent} variant="outlined" disabled={isDisabled} onClick={onClick} />
    </div>
  )
}

/** Asks first, for the one before is gone then; afterwards shows it. */
function AccessToken({ account }: AccountProps) {
  const { t } = useTranslation()
  const [isAsking, ask] = useState(false)
  const [token, show] = useState<string>()
  const { mutate, isPending } = useSend(ownAccount.accessToken)
  return (
    <>
      <Act
        title={t('personal.accessToken')}
        hint={t('personal.accessTokenHint')}
        verb={t('personal.accessTokenMake')}
        onClick={() => ask(true)}
      />
      <Confirm
        isOpen={isAsking}
        question={t('personal.accessTokenAsk')}
        verb={t('personal.accessTokenMake')}
        isBusy={isPending}
        onCancel={() => ask(false)}
        onConfirm={() => mutate({}, { onSuccess: show, onSettled: () => ask(false) })}
      >
        {t('personal.accessTokenAskHint')}
      </Confirm>
      {token !== undefined && <AccessTokenDialog token={token} userId={account.id} onClose={() => show(undefined)} />}
    </>
  )
}

function Password({ account }: AccountProps) {
  const { t } = useTranslation()
  const [isOpen, open] = useState(false)
  return (
    <>
      <Act
        title={t('personal.password')}
        hint={t('personal.passwordHint')}
        verb={t('personal.passwordChange')}
        onClick={() => open(true)}
      />
      {isOpen && <PasswordDialog account={account} onClose={() => open(false)} />}
    </>
  )
}

/** The super administrator cannot leave: nobody could open the gateway's settings then. */
function Deletion({ account }: AccountProps) {
  const { t } = useTranslation()
  const [isOpen, open] = useState(false)
  const isRoot = account.role >= role.root
  return (
    <>
      <Act
        title={t('personal.delete')}
        hint={t(isRoot ? 'user.root_delete' : 'personal.deleteHint')}
        verb={t('personal.delete')}
        intent="danger"
        isDisabled={isRoot}
        onClick={() => open(true)}
      />
      {isOpen && <DeleteDialog username={account.username} onClose={() => open(false)} />}
    </>
  )
}
