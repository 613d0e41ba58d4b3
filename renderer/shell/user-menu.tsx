import './user-menu.css'
import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { BankAccount, Key, LogOut, Person } from '@blueprintjs/icons'
import type { JSX } from 'react'
import { useNavigate } from 'react-router-dom'
import { roleLabel } from '../../shared/enums.ts'
import { shownName, useUser } from '../api/session.ts'
import { OpenPopover } from '../components/popover/open-popover.tsx'
import { useTranslation } from '../translation.ts'
import { useLogOut } from './use-log-out.ts'

export default function UserMenu({ button }: { button: JSX.Element }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const user = useUser()
  const logOut = useLogOut()
  if (!user) return button
  const content = (
    <Menu aria-label={t('shell.account', { name: shownName(user) })}>
      <li role="none" className="user-menu-name">
        {user.username} · {t(roleLabel(user.role))}
      </li>
      <MenuItem icon={<Person />} text={t('label.personalSettings')} onClick={() => void navigate('/personal')} />
      <MenuItem icon={<Key />} text={t('label.apiTokens')} onClick={() => void navigate('/token')} />
      <MenuItem icon={<BankAccount />} text={t('label.wallet')} onClick={() => void navigate('/topup')} />
      <MenuDivider />
      <MenuItem icon={<LogOut />} text={t('label.logOut')} onClick={logOut} />
    </Menu>
  )
  return (
    <OpenPopover isMenu content={content}>
      {button}
    </OpenPopover>
  )
}
