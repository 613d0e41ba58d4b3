import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { SignedIn } from '../../../shared/api/user.ts'
import type { ManagedUser } from '../../../shared/api/user-admin.ts'
import { role, roleLabel, userStatus, userStatusLabel } from '../../../shared/enums.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { formatCount, groupDigits } from '../../components/count.tsx'
import { GroupTags } from '../../components/group-tags/group-tags.tsx'
import type { TagColour } from '../../components/hash-tag/colour-of.ts'
import { HashTag } from '../../components/hash-tag/hash-tag.tsx'
import type { Column } from '../../components/page-table/page-table.tsx'
import { Popover } from '../../components/popover/popover.tsx'
import { useAmountUnit } from '../../components/quota-input/use-amount-unit.ts'
import { useUsualAmounts } from '../../components/quota-input/use-usual-amounts.ts'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { AgeText } from '../../components/time-text/age-text.tsx'
import { useCardWidth } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'
import { fromList, quotaPath } from './addresses.ts'
import { mayChange } from './ladder.ts'
import { NameCell } from './name-cell.tsx'
import { useAddQuota } from './use-add-quota.ts'

/** Columns of the account list (docs/reference/screens.md#users); the name is the heading of cards. */
export function useUserColumns(by: SignedIn | undefined): readonly Column<ManagedUser>[] {
  const { t } = useTranslation()
  const isCard = useCardWidth()
  return useMemo(() => {
    const id: Column<ManagedUser> = {
      id: 'id',
      title: t('label.id'),
      sort: 'id',
      cell: (row) => <span className="tabular">{row.id}</span>,
    }
    const name: Column<ManagedUser> = {
      id: 'username',
      title: t('user.username'),
      sort: 'username',
      cell: (row) => <NameCell user={row} by={by} />,
    }
    return [
      ...(isCard ? [name, id] : [id, name]),
      {
        id: 'group',
        title: t('label.group'),
        isSecondary: true,
        cell: (row) => <GroupTags groups={[row.group]} />,
      },
      {
        id: 'email',
        title: t('user.binding.email'),
        isSecondary: true,
        cell: (row) => (
          <span className="user-email" title={row.email}>
            {row.email || '—'}
          </span>
        ),
      },
      {
        id: 'quota',
        title: t('user.balance'),
        isNumeric: true,
        sort: 'quota',
        cell: (row) => <Balance user={row} by={by} />,
      },
      {
        id: 'used',
        title: t('user.spent'),
        isNumeric: true,
        sort: 'used_quota',
        cell: (row) => <Amount quota={row.used_quota} />,
      },
      {
        id: 'requests',
        title: t('user.requests'),
        isNumeric: true,
        isSecondary: true,
        sort: 'request_count',
        cell: (row) => <span title={groupDigits(row.request_count)}>{formatCount(row.request_count)}</span>,
      },
      { id: 'invite', title: t('user.referrals'), isSecondary: true, cell: (row) => <Referrals user={row} /> },
      { id: 'role', title: t('label.role'), isSecondary: true, cell: (row) => <RoleTag value={row.role} /> },
      { id: 'status', title: t('label.status'), cell: (row) => <UserStatusTag user={row} /> },
      {
        id: 'active',
        title: t('user.lastActive'),
        isSecondary: true,
        cell: (row) => <AgeText at={row.last_active_at} />,
      },
    ]
  }, [t, isCard, by])
}

/** A role: neutral for users, yellow for admin, orange for root, red if unknown (docs/reference/screens.md#users). */
export function RoleTag({ value }: { value: number }) {
  const { t } = useTranslation()
  const text = t(roleLabel(value))
  if (value === role.user) return <StatusTag intent="none" text={text} />
  return <HashTag text={text} colour={roleColours.get(value) ?? 'red'} />
}

const roleColours: ReadonlyMap<number, TagColour> = new Map<number, TagColour>([
  [role.admin, 'yellow'],
  [role.root, 'orange'],
])

/** Green if active, red if banned or deactivated, else grey. A deactivated account shows only that. */
export function UserStatusTag({ user: { status, DeletedAt: deletedAt } }: { user: ManagedUser }) {
  const { t } = useTranslation()
  const isGone = deletedAt !== null
  return <StatusTag intent={isGone ? 'danger' : intentOf(status)} text={t(userStatusLabel(status, isGone))} />
}

function intentOf(status: number) {
  if (status === userStatus.active) return 'success'
  return status === userStatus.banned ? 'danger' : 'none'
}

function Amount({ quota }: { quota: number }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  return <span title={t('quota.exact', { n: groupDigits(quota) })}>{format(quota)}</span>
}

/** The balance, and a way to add to it for users who may. */
export function Balance({ user, by }: { user: ManagedUser; by: SignedIn | undefined }) {
  return (
    <span className="user-balance">
      {by && by.id !== user.id && mayChange(by, user) && <QuickQuota user={user} />}
      <Amount quota={user.quota} />
    </span>
  )
}

/** Adds a common amount to a balance at once, or opens the dialog for another amount. */
function QuickQuota({ user }: { user: ManagedUser }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { search } = useLocation()
  const addQuota = useAddQuota()
  const amounts = useUsualAmounts(useAmountUnit().unit)
  const label = t('user.addQuotaTitle', { name: user.username })
  const content = (
    <Menu aria-label={label}>
      {amounts.map(({ text, quota }) => (
        <MenuItem key={text} text={`+ ${text}`} onClick={() => addQuota(user, user.quota + quota)} />
      ))}
      <MenuDivider />
      <MenuItem
        text={t('user.otherAmount')}
        onClick={() => void navigate({ pathname: quotaPath(user), search }, { state: fromList })}
      />
    </Menu>
  )
  return (
    <Popover isMenu content={content}>
      <Button size="small" variant="minimal" icon={<Plus size={12} />} title={label} aria-label={label} />
    </Popover>
  )
}

type Invited = Pick<ManagedUser, 'aff_count' | 'aff_history_quota' | 'inviter_id'>

/**
 * How many accounts this one has invited, how much it has earned by that, and who invited it; a dash if all are
 * missing. Explained on hover.
 */
function Referrals({
  user: { aff_count: invited, aff_history_quota: earned, inviter_id: inviter },
}: {
  user: Invited
}) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const facts = [
    t('user.invited', { n: formatCount(invited) }),
    t('user.earned', { amount: format(earned) }),
    ...(inviter > 0 ? [t('user.inviter', { id: inviter })] : []),
  ]
  return (
    <span title={facts.join('\n')}>
      <span aria-hidden className="user-referrals">
        {[invited > 0 && formatCount(invited), earned > 0 && format(earned), inviter > 0 && `← #${inviter}`]
          .filter(Boolean)
          .join(' · ') || '—'}
      </span>
      <span className="page-table-spoken">{facts.join(', ')}</span>
    </span>
  )
}
