import './log-badges.css'
import { Classes, Tag } from '@blueprintjs/core'
import { logType } from '../../../shared/enums.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { formatCount, groupDigits } from '../../components/count.tsx'
import { useTranslation } from '../../translation.ts'
import type { LogFilter } from './log-filter.ts'
import { useLogStat } from './use-logs.ts'

type LogBadgesProps = Readonly<{
  filter: LogFilter
  isAdmin: boolean
  /** Refresh interval in milliseconds; false for never. */
  everyMs: number | false
}>

/**
 * Consumption of the filtered rows, and the last minute's rate (docs/reference/screens.md#usage-log); hidden if the
 * filter selects a type that consumes nothing.
 */
export function LogBadges({ filter, isAdmin, everyMs }: LogBadgesProps) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { data, isLoading, isLoadingError } = useLogStat(filter, isAdmin, everyMs)
  const isOfOther = filter.type !== 0 && filter.type !== logType.consume
  if (isLoadingError || isOfOther) return null
  const { quota = 0, rpm = 0, tpm = 0 } = data ?? {}
  const badges = [
    {
      id: 'quota',
      text: t('log.consumed', { amount: format(quota) }),
      title: t('quota.exact', { n: groupDigits(quota) }),
    },
    { id: 'rpm', text: t('log.rpm', { n: formatCount(rpm) }), title: hintOf(t('log.rpmHint'), rpm) },
    { id: 'tpm', text: t('log.tpm', { n: formatCount(tpm) }), title: hintOf(t('log.tpmHint'), tpm) },
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

/** A figure's meaning, with the exact number if it is abbreviated. */
const hintOf = (hint: string, count: number): string =>
  formatCount(count) === groupDigits(count) ? hint : `${hint}: ${groupDigits(count)}`
