import './activity-cell.css'
import { Classes, type Intent } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import { RowTag } from '../../../components/row-tag.tsx'
import { Sparkline } from '../../../components/sparkline/sparkline.tsx'
import { StatusTag } from '../../../components/status-tag/status-tag.tsx'
import { useTranslation } from '../../../translation.ts'
import { failuresPath } from '../addresses.ts'
import { isTag, type Row } from './row.ts'
import { useActivity } from './use-activity.tsx'

/** A channel's success rate, which opens its failures, and hourly requests of the last 24 hours; sums for a tag. */
export function ActivityCell({ row }: { row: Row }) {
  const { t } = useTranslation()
  const activity = useActivity(row)
  if (!activity || activity.total === 0) {
    return (
      <span className={`activity-cell ${Classes.TEXT_MUTED}`} title={activity && t('channel.noRequests')}>
        —
      </span>
    )
  }
  const { requests, failed, total, since } = activity
  const rate = (total - failed) / total
  const served = t('channel.servedOf', { n: total - failed, total })
  return (
    <span className="activity-cell">
      {failed > 0 && !isTag(row) ? (
        <Link to={failuresPath(row, since)} aria-label={`${rateText(rate)}: ${served}. ${t('channel.openFailures')}`}>
          <RowTag intent={intentOf(rate)} title={`${served}. ${t('channel.openFailures')}`}>
            {rateText(rate)}
          </RowTag>
        </Link>
      ) : (
        <StatusTag intent={intentOf(rate)} text={rateText(rate)} tooltip={served} />
      )}
      <Sparkline values={requests} label={t('channel.requestsByHour')} />
    </span>
  )
}

/** Green from a success rate of 99 % on, yellow from 95 % on, else red. */
function intentOf(rate: number): Intent {
  if (rate >= 0.99) return 'success'
  return rate >= 0.95 ? 'warning' : 'danger'
}

const rateText = (rate: number): string => `${Math.floor(rate * 1000) / 10}%`
