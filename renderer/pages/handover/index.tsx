import { Button, Callout, Classes } from '@blueprintjs/core'
import { useLocation, useSearchParams } from 'react-router-dom'
import { handover } from '../../../shared/api/handover.ts'
import { user as userCalls } from '../../../shared/api/user.ts'
import { withNext } from '../../api/next-path.ts'
import { forgetUser, shownName, useUser } from '../../api/session.ts'
import { useSend } from '../../api/use-call.ts'
import { EntryCard } from '../../components/entry-card/entry-card.tsx'
import { useTranslation } from '../../translation.ts'

/**
 * Opened by the desktop program (docs/reference/screens.md#login-providers): asks the signed-in user whether its
 * window may log in as them.
 */
export default function HandoverPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const id = query.get('id') ?? ''
  const user = useUser()
  const { mutate, isPending, isSuccess, error } = useSend(handover.grant, { quiet: true })
  const name = user ? shownName(user) : ''
  if (isSuccess)
    return (
      <EntryCard title={t('handover.done')}>
        <Callout intent="success" role="status">
          {t('handover.doneHint')}
        </Callout>
      </EntryCard>
    )
  return (
    <EntryCard title={t('handover.title', { name })} name={t('handover.name')}>
      <p>{t('handover.hint')}</p>
      {user && <p className={Classes.TEXT_MUTED}>{t('handover.as', { name: user.username })}</p>}
      {error && (
        <Callout compact intent="danger" role="alert">
          {error.message}
        </Callout>
      )}
      <Button
        intent="primary"
        fill
        size="large"
        text={t('handover.confirm')}
        loading={isPending}
        onClick={() => mutate({ body: { id } })}
      />
      <OtherAccount />
    </EntryCard>
  )
}

function OtherAccount() {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  const { mutate, isPending } = useSend(userCalls.logout)
  const leave = () => {
    forgetUser()
    location.assign(withNext('/login', pathname + search))
  }
  return (
    <Button
      fill
      variant="minimal"
      text={t('handover.other')}
      loading={isPending}
      onClick={() => mutate({}, { onSuccess: leave })}
    />
  )
}
