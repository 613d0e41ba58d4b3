import './log-card.css'
import { Count, groupDigits } from '../../components/count.tsx'
import { useCostFormat } from '../../components/use-cost-format.ts'
import { useTranslation } from '../../translation.ts'
import { isRequest, type LogEntry } from './log-facts.ts'
import { Summary } from './summary.tsx'
import { ChannelTag, GroupTag, ModelTag, NameButton, RetryText, StoredBodiesTag, TimingTags, TypeTag } from './tags.tsx'

type LogCardProps = Readonly<{
  row: LogEntry
  columns: ReadonlySet<string>
}>

/** An entry on a phone, compact enough that three fit on a screen; hidden columns stay hidden. */
export function LogCard({ row, columns }: LogCardProps) {
  const has = (id: string) => columns.has(id)
  const who = has('user') && <NameButton kind="user" id={row.user_id} name={row.username} />
  if (!isRequest(row))
    return (
      <div className="log-card">
        <div className="log-card-line">
          {has('type') && <TypeTag type={row.type} />}
          {who}
        </div>
        {has('details') && <Summary row={row} />}
      </div>
    )
  return (
    <div className="log-card">
      <div className="log-card-line">
        {has('model') && <ModelTag row={row} />}
        {has('channel') && row.channel > 0 && <ChannelTag row={row} />}
        {has('retry') && <RetryText row={row} />}
      </div>
      <div className="log-card-line">
        {has('type') && <TypeTag type={row.type} />}
        <StoredBodiesTag row={row} />
        {who}
        {has('token') && <NameButton kind="token" name={row.token_name} />}
        {has('group') && row.group && <GroupTag group={row.group} />}
      </div>
      <div className="log-card-line">
        {has('timing') && <TimingTags row={row} />}
        <Figures row={row} columns={columns} />
      </div>
    </div>
  )
}

function Figures({ row, columns }: LogCardProps) {
  const { t } = useTranslation()
  const cost = useCostFormat()
  return (
    <span className="log-card-figures tabular">
      {columns.has('prompt') && (
        <span>
          {t('log.short.prompt')} <Count of={row.prompt_tokens} />
        </span>
      )}
      {columns.has('completion') && (
        <span>
          {t('log.short.completion')} <Count of={row.completion_tokens} />
        </span>
      )}
      {columns.has('cost') && (
        <strong title={t('quota.exact', { n: groupDigits(row.quota) })}>{cost(row.quota)}</strong>
      )}
    </span>
  )
}
