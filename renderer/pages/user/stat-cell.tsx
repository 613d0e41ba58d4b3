import { Classes } from '@blueprintjs/core'
import type { ManagedUser } from '../../../shared/api/user-admin.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { formatCount, groupDigits } from '../../components/count.tsx'
import { useTranslation } from '../../translation.ts'

/** What an account has left, and under it what it has used and how often it called. */
export function StatCell({ user }: { user: Pick<ManagedUser, 'quota' | 'used_quota' | 'request_count'> }) {
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
