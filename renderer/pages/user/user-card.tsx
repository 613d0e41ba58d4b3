import { Classes } from '@blueprintjs/core'
import type { SignedIn } from '../../../shared/api/user.ts'
import type { ManagedUser } from '../../../shared/api/user-admin.ts'
import { role } from '../../../shared/enums.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { formatCount } from '../../components/count.tsx'
import { GroupTags } from '../../components/group-tags/group-tags.tsx'
import { AgeText } from '../../components/time-text/age-text.tsx'
import { useTranslation } from '../../translation.ts'
import { Balance, RoleTag, UserStatusTag } from './columns.tsx'

/** An account on a phone, so that several fit on a screen. */
export function UserCard({ row, by }: { row: ManagedUser; by: SignedIn | undefined }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  return (
    <>
      <div className="page-table-card-line">
        <UserStatusTag user={row} />
        {row.role !== role.user && <RoleTag value={row.role} />}
        <GroupTags groups={[row.group]} />
        <strong className="tabular">
          {t('user.balance')} <Balance user={row} by={by} />
        </strong>
      </div>
      <div className={`page-table-card-line ${Classes.TEXT_MUTED}`}>
        <span>
          {t('user.spent')} {format(row.used_quota)}
        </span>
        <span>
          {t('user.requests')} {formatCount(row.request_count)}
        </span>
        {row.last_active_at > 0 && (
          <span>
            {t('user.lastActive')} <AgeText at={row.last_active_at} />
          </span>
        )}
        {row.email && <span className="user-email">{row.email}</span>}
      </div>
    </>
  )
}
