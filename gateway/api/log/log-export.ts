import { CSV_MARK, csvLine } from '../../../shared/csv.ts'
import { logTypeLabel } from '../../../shared/enums.ts'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { priceOfQuota } from '../../../shared/money.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { managerRow } from '../../audit/log-rows.ts'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { contentIn } from '../../base/localized-message.ts'
import type { Ledger } from '../../billing/ledger.ts'
import type { Settings } from '../../settings/settings.ts'
import { type LogFilter, logStore } from '../../store/log/logs.ts'
import type { LogRow } from '../../store/schema/schema.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import type { Actor, ApiCaller } from '../actor.ts'
import type { FileMade } from '../middleware/file.ts'
import { adminView, channelsIn, ownView } from './log-view.ts'

type LogExportDeps = Readonly<{
  reader: Pick<Reader, 'until'>
  ledger: Pick<Ledger, 'flush'>
  auditLog: AuditLog
  settings: Pick<Settings, 'get'>
  clock: Clock
}>

type ExportRequest = Readonly<{ actor: Actor; caller: ApiCaller; filter: LogFilter; format: 'csv' | 'json' }>

/** Rows read at a time: only these are in memory, never the whole file. */
const STEP = 500
/**
 * Max concurrent exports of a user's own rows and of all users' rows; more for own rows, since their readers may be
 * slow.
 */
const MAX_AT_ONCE = { own: 20, all: 3 }

/**
 * Exports the usage log as a file, from the newest row down, with all rows that match the filters
 * (docs/reference/logs.md#export). One at a time per account, and few in total: own rows are limited separately, so
 * that slow readers do not block administrators.
 */
export function createLogExport({ reader, auditLog, ledger, settings, clock }: LogExportDeps) {
  const busyWith = { own: new Set<number>(), all: new Set<number>() }
  const kindOf = ({ userId }: LogFilter) => (userId === undefined ? 'all' : 'own')

  async function* rowsOf({ caller, filter }: ExportRequest): AsyncGenerator<Rows, void> {
    await ledger.flush()
    const logs = logStore(reader.until(caller))
    let before: number | undefined
    for (let isOver = false; !isOver; ) {
      // Stops if the caller may no longer see these rows.
      await caller.recheck()
      const rows = await logs.page(filter, { offset: 0, limit: STEP, before })
      isOver = rows.length < STEP
      before = rows.at(-1)?.id
      yield { rows, channels: filter.userId === undefined ? await logs.channelNames(channelsIn(rows)) : undefined }
    }
  }

  async function* piecesOf(request: ExportRequest): AsyncGenerator<string, void> {
    try {
      const form =
        request.format === 'csv'
          ? table(request.caller.locale, settings.get('QuotaPerUnit'))
          : list(request.caller.locale)
      // The first piece contains rows, so that a failing query is refused before anything is sent.
      let begin = form.begin
      for await (const rows of rowsOf(request)) {
        yield begin + form.rows(rows)
        begin = ''
      }
      yield form.end
    } finally {
      busyWith[kindOf(request.filter)].delete(request.actor.id)
    }
  }

  return (request: ExportRequest): FileMade => {
    const { actor, caller, filter, format } = request
    const busy = busyWith[kindOf(filter)]
    if (busyWith.own.has(actor.id) || busyWith.all.has(actor.id))
      throw refuse('limited', 'log.export_own', {}, { retryAfterSeconds: 5 })
    if (busy.size >= MAX_AT_ONCE[kindOf(filter)])
      throw refuse('limited', 'log.export_busy', {}, { retryAfterSeconds: 30 })
    busy.add(actor.id)
    // Exports of all users' rows are logged.
    if (filter.userId === undefined)
      auditLog.record(managerRow({ ...actor, locale: caller.locale }, 'log.exported', clock, {}, { filter }))
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    const type = format === 'csv' ? 'text/csv' : 'application/json'
    return { name: `usage-log-${day}.${format}`, type, pieces: piecesOf(request) }
  }
}

/** Rows, and the names of their channels if the caller may see them. */
type Rows = Readonly<{ rows: readonly LogRow[]; channels: ReadonlyMap<number, string> | undefined }>
type Form = Readonly<{ begin: string; rows: (rows: Rows) => string; end: string }>

/** One JSON array, one row per line, as in lists. */
function list(locale: Locale): Form {
  let index = 0
  return {
    begin: '[',
    rows({ rows, channels }) {
      const lines = rows.map((row) => {
        index += 1
        const view = channels ? adminView(row, channels, locale) : ownView(row, index, locale)
        return `${index === 1 ? '' : ','}\n${JSON.stringify(view)}`
      })
      return lines.join('')
    },
    end: '\n]\n',
  }
}

/**
 * A table for spreadsheets: times as text in UTC, costs in quota and in dollars; the channel only for administrators.
 */
function table(locale: Locale, quotaPerUnit: number): Form {
  let isHeaded = false
  return {
    begin: CSV_MARK,
    rows({ rows, channels }) {
      const columns = columnsOf({ locale, quotaPerUnit, channels })
      const head = isHeaded ? '' : csvLine(columns.map(([name]) => name))
      isHeaded = true
      return head + rows.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join('')
    },
    end: '',
  }
}

type Column = readonly [name: string, cell: (row: LogRow) => string | number]
type RowView = Readonly<{ locale: Locale; quotaPerUnit: number; channels: Rows['channels'] }>

const columnsOf = ({ locale, quotaPerUnit, channels }: RowView): readonly Column[] => [
  ['time', (row) => new Date(row.created_at * 1000).toISOString()],
  ['created_at', (row) => row.created_at],
  ['type', (row) => row.type],
  ['kind', (row) => formatMessage(locale, logTypeLabel(row.type))],
  ['username', (row) => row.username],
  ['token_name', (row) => row.token_name],
  ['group', (row) => row.group],
  ['model_name', (row) => row.model_name],
  ['prompt_tokens', (row) => row.prompt_tokens],
  ['completion_tokens', (row) => row.completion_tokens],
  ['quota', (row) => row.quota],
  ['usd', (row) => priceOfQuota(row.quota, quotaPerUnit)],
  ['use_time', (row) => row.use_time],
  ['is_stream', (row) => row.is_stream],
  ...(channels ? ofChannel(channels) : []),
  ['ip', (row) => row.ip],
  ['content', (row) => contentIn(locale, row)],
  ['request_id', (row) => row.request_id],
]

const ofChannel = (names: ReadonlyMap<number, string>): readonly Column[] => [
  ['channel', (row) => row.channel_id],
  ['channel_name', (row) => names.get(row.channel_id) ?? ''],
  ['retries', (row) => row.retries],
]
