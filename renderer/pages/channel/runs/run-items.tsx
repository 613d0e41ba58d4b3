import { Tag } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { Run, RunItem } from '../../../../shared/api/channel-runs.ts'
import { useTranslation } from '../../../translation.ts'
import { noteworthyOf } from './run-facts.ts'

/** The channels of a run that failed or were switched, as they come; each leads to its editor. */
export function RunItems({ run, label }: { run: Run; label: string }) {
  const items = noteworthyOf(run)
  if (items.length === 0) return null
  return (
    <ul className="run-items" aria-label={label}>
      {items.map((item) => (
        <li key={item.channel_id}>
          <Link to={`/channel/edit/${item.channel_id}`}>{item.name}</Link>
          <Words item={item} />
          <Switched item={item} />
        </li>
      ))}
    </ul>
  )
}

/** What the vendor said; a channel that was switched on again has nothing wrong with it. */
function Words({ item: { ok, message } }: { item: RunItem }) {
  const { t } = useTranslation()
  return <span className="run-items-words">{message || (ok ? t('run.responding') : '')}</span>
}

function Switched({ item: { switched } }: { item: RunItem }) {
  const { t } = useTranslation()
  if (switched === '') return null
  const isOff = switched === 'off'
  return (
    <Tag minimal intent={isOff ? 'warning' : 'success'}>
      {isOff ? t('run.switchedOff') : t('run.switchedOn')}
    </Tag>
  )
}
