import { Classes } from '@blueprintjs/core'
import { useMemo } from 'react'
import type { SignedIn } from '../../../shared/api/user.ts'
import type { ManagedUser } from '../../../shared/api/user-admin.ts'
import { role, roleLabel, userStatus, userStatusLabel } from '../../../shared/enums.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { formatCount, groupDigits } from '../../components/count.tsx'
import { GroupTags } from '../../components/group-tags/group-tags.tsx'
import type { TagColour } from '../../components/hash-tag/colour-of.ts'
import { HashTag } from '../../components/hash-tag/hash-tag.tsx'
import type { Column } from '../../components/page-table/page-table.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { useCardWidth } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'
import { NameCell } from './name-cell.tsx'

/** Columns of the account list (docs/reference/screens.md#users); the name is the heading of cards. */
export function useUserColumns(by: SignedIn | undefined): readonly Column<ManagedUser>[] {
  const { t } = useTranslation()
  const isCard = useCardWidth()
  return useMemo(() => {
    const id: Column<ManagedUser> = {
      id: 'id',
      title: t('label.id'),
      cell: (row) => <span className="tabular">{row.id}</span>,
    }
    const name: Column<ManagedUser> = {
      id: 'username',
      title: t('user.username'),
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
      { id: 'statistics', title: t('label.statistics'), cell: (row) => <StatCell user={row} /> },
      { id: 'invite', title: t('label.inviteInfo'), isSecondary: true, cell: (row) => <InviteCell user={row} /> },
      { id: 'role', title: t('label.role'), isSecondary: true, cell: (row) => <RoleTag value={row.role} /> },
      { id: 'status', title: t('label.status'), cell: (row) => <UserStatusTag user={row} /> },
    ]
  }, [t, isCard, by])
}

/** Neutral, yellow, orange; unknown roles are red (docs/reference/screens.md#users). */
function RoleTag({ value }: { value: number }) {
  const { t } = useTranslation()
  const text = t(roleLabel(value))
  if (value === role.user) return <StatusTag intent="none" text={text} />
  return <HashTag text={text} colour={roleColours.get(value) ?? 'red'} />
}

const roleColours: ReadonlyMap<number, TagColour> = new Map<number, TagColour>([
  [role.admin, 'yellow'],
  [role.root, 'orange'],
])

/** Green, red; anything else is grey. A deactivated account shows only that. */
function UserStatusTag({ user: { status, DeletedAt: deletedAt } }: { user: ManagedUser }) {
  const { t } = useTranslation()
  const isGone = deletedAt !== null
  return <StatusTag intent={isGone ? 'danger' : intentOf(status)} text={t(userStatusLabel(status, isGone))} />
}

function intentOf(status: number) {
  if (status === userStatus.active) return 'success'
  return status === userStatus.banned ? 'danger' : 'none'
}

function StatCell({ user }: { user: Pick<ManagedUser, 'quota' | 'used_quota' | 'request_count'> }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { quota, used_quota: used, request_count: calls } = user
  return (
    <span className="user-figures">
      <span title={t('quota.exact', { n: groupDigits(quota) })}>{t('user.remaining', { amount: format(quota) })}</span>
      <span className={Classes.TEXT_MUTED}>
        <span title={t('quota.exact', { n: groupDigits(used) })}>{t('user.used', { amount: format(used) })}</span>
        {' · '}
        <span title={groupDigits(calls)}>{t('user.requests', { n: formatCount(calls) })}</span>
      </span>
    </span>
  )
}

type Invited = Pick<ManagedUser, 'aff_count' | 'aff_history_quota' | 'inviter_id'>

function InviteCell({ user }: { user: Invited }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { aff_count: invited, aff_history_quota: earned, inviter_id: inviter } = user
  return (
    <span className="user-figures">
      <span>
        <span>{t('user.invited', { n: formatCount(invited) })}</span>
        {' · '}
        <span title={t('quota.exact', { n: groupDigits(earned) })}>{t('user.earned', { amount: format(earned) })}</span>
      </span>
      <span className={Classes.TEXT_MUTED}>
        {inviter > 0 ? t('user.inviter', { id: inviter }) : t('user.noInviter')}
      </span>
    </span>
  )
}
