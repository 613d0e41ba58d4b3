import './log-badges.css'
import { Classes, Tag } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { useQuotaFormat } from '../../components/amount.ts'
import type { LogFilter } from './log-filter.ts'
import { useLogStat } from './use-logs.ts'

/** What was consumed under the filter, and how busy the last minute was (docs/reference/screens.md#usage-log). */
export function LogBadges({ filter, isAdmin }: { filter: LogFilter; isAdmin: boolean }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { data, isLoading, isLoadingError } = useLogStat(filter, isAdmin)
  if (isLoadingError) return null
  const { quota = 0, rpm = 0, tpm = 0 } = data ?? {}
  const badges = [
    { id: 'quota', text: t('log.consumed', { amount: format(quota) }), title: t('quota.exact', { n: quota }) },
    { id: 'rpm', text: t('log.rpm', { n: rpm }), title: t('log.rpmHint') },
    { id: 'tpm', text: t('log.tpm', { n: tpm }), title: t('log.tpmHint') },
  ]
  return (
    <div className="log-badges">
      {badges.map(({ id, text, title }) => (
        <Tag key={id} minimal size="large" className={isLoading ? Classes.SKELETON : 'tabular'} title={title}>
          {text}
        </Tag>
      ))}
    </div>
  )
}
