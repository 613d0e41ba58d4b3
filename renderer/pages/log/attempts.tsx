import { useTranslation } from 'react-i18next'
import type { LogEntry } from './log-facts.ts'

/** The channels a request was not tried on since they rested, and what for. */
export function Skipped({ row }: { row: LogEntry }) {
  const { t } = useTranslation()
  return (
    <ul className="log-detail-attempts">
      {row.facts.admin_info.skipped.map(({ channel, status, seconds }) => {
        const why = [status > 0 ? `HTTP ${status}` : '', t('log.rests', { n: seconds })].filter((part) => part !== '')
        return (
          <li key={channel}>
            #{channel}: {why.join(' · ')}
          </li>
        )
      })}
    </ul>
  )
}

/** The channels a request was tried on, in order, and why each but the last did not serve. */
export function Attempts({ row }: { row: LogEntry }) {
  const { t } = useTranslation()
  return (
    <ol className="log-detail-attempts">
      {row.facts.admin_info.tried.map(({ channel, status, reason }, place) => {
        const why = [status ? `HTTP ${status}` : '', reason ?? ''].filter((part) => part !== '').join(' · ')
        // The same channel may be tried twice: its place is what tells the attempts apart.
        const key = `${place} ${channel}`
        return (
          <li key={key}>
            #{channel}: {why || t('log.served')}
          </li>
        )
      })}
    </ol>
  )
}
