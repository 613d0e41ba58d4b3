import './log-card.css'
import { Classes } from '@blueprintjs/core'
import { logType } from '../../../shared/enums.ts'
import { formatCount, groupDigits } from '../../components/count.tsx'
import { useCostFormat } from '../../components/use-cost-format.ts'
import { useDuration } from '../../components/use-duration.ts'
import { useTranslation } from '../../translation.ts'
import { channelText, durationOf, isRequest, type LogEntry, retriesOf } from './log-facts.ts'
import { Summary } from './summary.tsx'
import { StoredBodiesTag, TypeTag } from './tags.tsx'

type LogCardProps = Readonly<{
  row: LogEntry
  columns: ReadonlySet<string>
}>

/** An entry on a phone in two lines, so that six fit on a screen; hidden columns stay hidden. */
export function LogCard({ row, columns }: LogCardProps) {
  if (!isRequest(row))
    return (
      <div className="log-card">
        <div className="log-card-line">
          {columns.has('type') && <TypeTag type={row.type} />}
          {columns.has('user') && <span className={Classes.TEXT_MUTED}>{row.username}</span>}
        </div>
        {columns.has('details') && <Summary row={row} />}
      </div>
    )
  return (
    <div className="log-card">
      <MainLine row={row} columns={columns} />
      <QuietLine row={row} columns={columns} />
    </div>
  )
}

function MainLine({ row, columns }: LogCardProps) {
  const { t } = useTranslation()
  const cost = useCostFormat()
  return (
    <div className="log-card-line">
      {columns.has('type') && <TypeTag type={row.type} />}
      <StoredBodiesTag row={row} />
      {columns.has('model') && <span className="log-card-model">{row.model_name}</span>}
      {columns.has('channel') && row.channel > 0 && (
        <span className={`log-card-channel ${Classes.TEXT_MUTED}`}>{channelText(row, row.channel)}</span>
      )}
      {columns.has('cost') && row.type !== logType.error && (
        <strong className="tabular" title={t('quota.exact', { n: groupDigits(row.quota) })}>
          {cost(row.quota)}
        </strong>
      )}
    </div>
  )
}

/** Who sent the request, its tokens and its duration. */
function QuietLine({ row, columns }: LogCardProps) {
  const { t } = useTranslation()
  const duration = useDuration()
  const took = durationOf(row)
  const has = (id: string) => columns.has(id)
  const retries = retriesOf(row)
  const names = [has('user') && row.username, has('token') && row.token_name, has('group') && row.group]
  const figures = [
    has('retry') && retries.length > 0 && retries.join('->'),
    has('prompt') && `${t('log.short.prompt')} ${formatCount(row.prompt_tokens)}`,
    has('completion') && `${t('log.short.completion')} ${formatCount(row.completion_tokens)}`,
    has('timing') && (took === undefined ? t('log.underSecond') : duration(took)),
  ]
  return (
    <div className={`log-card-line log-card-quiet ${Classes.TEXT_MUTED}`}>
      <span className="log-card-names">{names.filter(Boolean).join(' · ')}</span>
      <span className="tabular">{figures.filter(Boolean).join(' · ')}</span>
    </div>
  )
}
