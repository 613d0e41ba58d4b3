import { Classes } from '@blueprintjs/core'
import type { ManagedUser } from '../../../shared/api/user-admin.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { formatCount, groupDigits } from '../../components/count.tsx'
import { useTranslation } from '../../translation.ts'

type Invited = Pick<ManagedUser, 'aff_count' | 'aff_history_quota' | 'inviter_id'>

/** How many an account has invited and what that has earned it, and under it who invited it. */
export function InviteCell({ user }: { user: Invited }) {
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
