import './user-menu.css'
import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Key, LogOut, User } from '@blueprintjs/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { ROOT_DISPLAY_NAME } from '../../shared/api/setup.ts'
import type { SignedIn } from '../../shared/api/user.ts'
import { roleLabel } from '../../shared/enums.ts'
import { MenuPopover } from '../components/menu-popover.tsx'
import { useNarrow } from '../components/use-narrow.ts'
import { useLogOut } from './use-log-out.ts'

/** Who is signed in, with what a person looks for there: their tokens and the way out. */
export function UserMenu({ user }: { user: SignedIn }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const logOut = useLogOut()
  const name = chosenName(user)
  const content = (
    <Menu aria-label={t('shell.account', { name })}>
      <li role="none" className="user-menu-name">
        {user.username} · {t(roleLabel(user.role))}
      </li>
      <MenuItem icon={<Key />} text={t('label.apiTokens')} onClick={() => void navigate('/token')} />
      <MenuDivider />
      <MenuItem icon={<LogOut />} text={t('label.logOut')} onClick={logOut} />
    </Menu>
  )
  return (
    <MenuPopover content={content}>
      <Button
        variant="minimal"
        icon={<User />}
        text={isNarrow ? undefined : name}
        aria-label={t('shell.account', { name })}
      />
    </MenuPopover>
  )
}

/** The name a person has chosen to be shown by, else the one they sign in with. */
const chosenName = ({ display_name: shown, username }: SignedIn): string =>
  shown === '' || shown === ROOT_DISPLAY_NAME ? username : shown
