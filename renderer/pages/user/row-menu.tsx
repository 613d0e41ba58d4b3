import { Button, Classes, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import {
  Disable,
  DoubleChevronDown,
  DoubleChevronUp,
  Edit,
  History,
  Key,
  Lock,
  More,
  Plus,
  Tick,
  TimelineBarChart,
  Trash,
} from '@blueprintjs/icons'
import type { JSX } from 'react'
import { useNavigate } from 'react-router-dom'
import type { SignedIn } from '../../../shared/api/user.ts'
import type { ManagedUser } from '../../../shared/api/user-admin.ts'
import { Popover } from '../../components/popover/popover.tsx'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import type { ConfirmedAction } from './action-confirmation.tsx'
import { actionsFor, canEnable, isAbove, type OfferedAction } from './ladder.ts'
import { useManage } from './use-manage.ts'

type RowMenuProps = Readonly<{
  user: ManagedUser
  /** The signed-in user, whose role decides what is offered. */
  by: SignedIn
  onEdit: () => void
  onAddQuota: () => void
  onAction: (action: ConfirmedAction) => void
}>

/**
 * An account's actions; for an account of the same or a higher role, a note that there are none; for a deactivated one,
 * nothing.
 */
export function RowMenu({ user, by, onEdit, onAddQuota, onAction }: RowMenuProps) {
  const { t } = useTranslation()
  const { manage } = useManage()
  const navigate = useNavigate()
  if (user.DeletedAt !== null) return null
  if (!isAbove(by, user)) return <OutOfReach />
  const label = t('user.actions', { name: user.username })
  const actions = actionsFor(by, user)
  const run = (action: OfferedAction) => (action === 'enable' ? manage({ id: user.id, action }) : onAction(action))
  const content = (
    <Menu aria-label={label}>
      <MenuItem icon={<Edit />} text={t('label.edit')} onClick={onEdit} />
      {user.id !== by.id && <MenuItem icon={<Plus />} text={t('user.addQuotaTo')} onClick={onAddQuota} />}
      <MenuItem icon={<TimelineBarChart />} text={t('user.showUsage')} onClick={() => void navigate(usagePath(user))} />
      <MenuItem icon={<History />} text={t('user.showLog')} onClick={() => void navigate(logPath(user))} />
      {actions.map((action) => (
        <ActionItem key={action} action={action} user={user} onRun={() => run(action)} />
      ))}
    </Menu>
  )
  return (
    <Popover isMenu content={content}>
      <Button variant="minimal" icon={<More />} aria-label={label} />
    </Popover>
  )
}

/** The log entries of an account, of any time. */
const logPath = ({ username }: ManagedUser): string => `/log?${new URLSearchParams({ user: `=${username}`, from: '' })}`

/** The dashboard of an account: its usage of the last week, its models and tokens. */
const usagePath = ({ username }: ManagedUser): string =>
  `/detail?${new URLSearchParams({ user: username, range: 'days7' })}`

/** Unavailable actions explain why. */
function ActionItem({ action, user, onRun }: { action: OfferedAction; user: ManagedUser; onRun: () => void }) {
  const { t } = useTranslation()
  const { icon, label } = looks[action]
  const isIdle = action === 'enable' && !canEnable(user)
  const text = isIdle ? (
    <>
      {t(label)}
      <div className={`user-reason ${Classes.TEXT_SMALL}`}>{t('user.unknown_status')}</div>
    </>
  ) : (
    t(label)
  )
  return (
    <>
      {action === 'delete' && <MenuDivider />}
      <MenuItem
        icon={icon}
        intent={action === 'delete' ? 'danger' : 'none'}
        multiline={isIdle}
        disabled={isIdle}
        text={text}
        onClick={onRun}
      />
    </>
  )
}

const looks: Readonly<Record<OfferedAction, Readonly<{ icon: JSX.Element; label: TextKey }>>> = {
  promote: { icon: <DoubleChevronUp />, label: 'user.promote' },
  demote: { icon: <DoubleChevronDown />, label: 'user.demote' },
  disable: { icon: <Disable />, label: 'label.disable' },
  enable: { icon: <Tick />, label: 'label.enable' },
  reset: { icon: <Key />, label: 'user.reset' },
  delete: { icon: <Trash />, label: 'label.delete' },
}

/** Replaces the menu of an account that ranks as high as the user or higher: a lock, with the reason on hover. */
function OutOfReach() {
  const { t } = useTranslation()
  return (
    <span className={`user-out-of-reach ${Classes.TEXT_MUTED}`} title={t('user.higher_write')}>
      <Lock title={t('user.higher_write')} />
    </span>
  )
}
