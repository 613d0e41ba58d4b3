import { Button, Menu, MenuDivider, MenuItem, PopoverNext } from '@blueprintjs/core'
import { Key, LogOut, User } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { type SignedIn, user as userCalls } from '../../shared/api/user.ts'
import { roleLabel } from '../../shared/enums.ts'
import { forgetUser } from '../api/session.ts'
import { forgetReadings, useSend } from '../api/use-call.ts'
import { showSuccess } from '../components/toasts.tsx'
import { useNarrow } from '../components/use-narrow.ts'

/** Who is signed in, with what a person looks for there: their tokens and the way out. */
export function UserMenu({ user }: { user: SignedIn }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const logOut = useLogOut()
  const name = user.display_name || user.username
  const content = (
    <Menu aria-label={t('shell.account', { name })}>
      <MenuDivider title={`${user.username} · ${t(roleLabel(user.role))}`} />
      <MenuItem icon={<Key />} text={t('label.apiTokens')} onClick={() => void navigate('/token')} />
      <MenuDivider />
      <MenuItem icon={<LogOut />} text={t('label.logOut')} onClick={logOut} />
    </Menu>
  )
  return (
    <PopoverNext placement="bottom-end" content={content}>
      <Button
        variant="minimal"
        icon={<User />}
        text={isNarrow ? undefined : name}
        aria-label={t('shell.account', { name })}
      />
    </PopoverNext>
  )
}

/** Ends the session on both sides; when the gateway cannot be told, nothing is forgotten. */
function useLogOut(): () => void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mutate } = useSend(userCalls.logout)
  const leave = () => {
    forgetUser()
    forgetReadings(queries)
    void navigate('/login', { replace: true })
    showSuccess(t('logout.ok'))
  }
  return () => mutate({}, { onSuccess: leave })
}
