import { Classes } from '@blueprintjs/core'
import { useMemo } from 'react'
import type { logSorts } from '../../../shared/api/log.ts'
import { logType } from '../../../shared/enums.ts'
import { Count, groupDigits } from '../../components/count.tsx'
import type { Column } from '../../components/page-table/page-table.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useCostFormat } from '../../components/use-cost-format.ts'
import { useCompact } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'
import { isRequest, type LogEntry } from './log-facts.ts'
import { Summary } from './summary.tsx'
import { ChannelTag, GroupTag, ModelTag, NameButton, RetryText, StoredBodiesTag, TimingTags, TypeTag } from './tags.tsx'

/**
 * The columns of the usage log (docs/reference/screens.md#usage-log); channel, user and retry are for administrators.
 */
export function useLogColumns(isAdmin: boolean): readonly Column<LogEntry>[] {
  const { t } = useTranslation()
  const cost = useCostFormat()
  const isCompact = useCompact()
  return useMemo(() => {
    const time: Column<LogEntry> = {
      id: 'time',
      title: t('label.time'),
      cell: (row) => <TimeText at={row.created_at} isShort />,
    }
    const who: Column<LogEntry>[] = [
      {
        ...ofRequest('channel', t('label.channel'), (row) => row.channel > 0 && <ChannelTag row={row} />),
        short: t('log.short.channel'),
      },
      {
        id: 'user',
        title: t('label.user'),
        short: t('log.short.user'),
        cell: (row) => <NameButton kind="user" id={row.user_id} name={row.username} />,
      },
    ]
    const retry = ofRequest('retry', t('label.retry'), (row) => <RetryText row={row} />)
    const all: Column<LogEntry>[] = [
      time,
      ...(isAdmin ? who : []),
      ofRequest('token', t('label.token'), (row) => <NameButton kind="token" name={row.token_name} />),
      ofRequest('group', t('label.group'), (row) => row.group && <GroupTag group={row.group} />),
      {
        id: 'type',
        title: t('label.type'),
        cell: (row) => (
          <span className="log-type">
            <TypeTag type={row.type} />
            <StoredBodiesTag row={row} />
          </span>
        ),
      },
      ofRequest('model', t('label.model'), (row) => <ModelTag row={row} />),
      {
        ...ofRequest('timing', t('label.durationFirstByte'), (row) => <TimingTags row={row} />),
        short: t('log.short.timing'),
      },
      {
        ...amount('prompt', 'prompt_tokens', t('label.prompt'), (row) => <Count of={row.prompt_tokens} />),
        short: t('log.short.prompt'),
      },
      {
        ...amount('completion', 'completion_tokens', t('label.completion'), (row) => (
          <Count of={row.completion_tokens} />
        )),
        short: t('log.short.completion'),
      },
      amount('cost', 'quota', t('label.cost'), (row) => (
        <span title={t('quota.exact', { n: groupDigits(row.quota) })}>{cost(row.quota)}</span>
      )),
      ...(isAdmin ? [retry] : []),
      { id: 'details', title: t('label.details'), cell: (row) => <Summary row={row} /> },
    ]
    return isCompact ? byNeed(all) : all
  }, [t, cost, isAdmin, isCompact])
}

/** The most important columns are first if not all fit. */
function byNeed(columns: readonly Column<LogEntry>[]): readonly Column<LogEntry>[] {
  const rankOf = ({ id }: Column<LogEntry>) => (first.includes(id) ? first.indexOf(id) : first.length)
  return columns.toSorted((one, other) => rankOf(one) - rankOf(other))
}

const first = ['time', 'type', 'model', 'prompt', 'completion', 'cost', 'timing']

type Cell = Column<LogEntry>['cell']

const ofRequest = (id: string, title: string, cell: Cell): Column<LogEntry> => ({
  id,
  title,
  cell: (row) => (isRequest(row) ? cell(row) || null : null),
})

/** A column with a consumption figure: greyed for a failure, which consumed nothing; blank if not a request. */
const amount = (id: string, sort: (typeof logSorts)[number], title: string, cell: Cell): Column<LogEntry> => ({
  id,
  title,
  sort,
  isNumeric: true,
  cell: (row) => {
    if (!isRequest(row)) return null
    return row.type === logType.error ? <span className={Classes.TEXT_MUTED}>{cell(row)}</span> : cell(row)
  },
})
