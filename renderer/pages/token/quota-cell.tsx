import { ProgressBar, Tag } from '@blueprintjs/core'
import type { TokenView } from '../../../shared/api/token.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { groupDigits } from '../../components/count.tsx'
import { useTranslation } from '../../translation.ts'

/** What is left of a token, over a bar of how much of all that it was given is used; or that it has no limit. */
export function QuotaCell({ token }: { token: TokenView }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { remain_quota: left, used_quota: used, unlimited_quota: isUnlimited } = token
  if (isUnlimited) return <Tag minimal>{t('label.unlimited')}</Tag>
  // A token may owe a little, where the last request cost more than was left.
  const total = used + Math.max(left, 0)
  const share = total === 0 ? 1 : used / total
  const words = t('token.usedOf', { used: format(used), total: format(total), percent: Math.floor(share * 100) })
  return (
    <div className="token-quota" title={`${t('quota.exact', { n: groupDigits(left) })}\n${words}`}>
      {format(left)}
      <ProgressBar
        className="token-quota-bar"
        animate={false}
        stripes={false}
        value={share}
        intent={intentAt(share)}
        aria-label={words}
      />
    </div>
  )
}

/** Red once nothing is left, yellow from nine tenths on. */
function intentAt(share: number) {
  if (share >= 1) return 'danger'
  return share >= 0.9 ? 'warning' : 'primary'
}
