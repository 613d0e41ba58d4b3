import { type LogSort, log } from '../../../shared/api/log.ts'
import type { Tokens } from '../../accounts/tokens/tokens.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import type { Ledger } from '../../billing/ledger.ts'
import type { KeptBodies } from '../../relay/kept-bodies/kept-bodies.ts'
import type { Settings } from '../../settings/settings.ts'
import { type LogCount, type LogFilter, logStore, MAX_COUNTED } from '../../store/log/logs.ts'
import { type PageRange, pageAtNumber } from '../../store/page.ts'
import type { LogRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import type { Actor, ApiCaller } from '../actor.ts'
import { serve } from '../serve.ts'
import { createLogClearing } from './log-clearing.ts'
import { createLogExport } from './log-export.ts'
import { adminView, channelsIn, ownView } from './log-view.ts'
import { createLogWalks, walkOf } from './page-cursors.ts'

type LogDeps = Readonly<{
  db: Db
  /** Used for lists, searches and sums; the log of a busy installation has millions of rows. */
  reader: Pick<Reader, 'until'>
  ledger: Pick<Ledger, 'flush'>
  auditLog: AuditLog
  tokens: Pick<Tokens, 'idOf'>
  settings: Pick<Settings, 'get'>
  keptBodies: Pick<KeptBodies, 'removeBefore'>
  clock: Clock
}>

const MAX_FOUND = 100
const MAX_PER_TOKEN = 1000
const MINUTE_S = 60

/**
 * The calls on the usage log (docs/reference/logs.md#views). Every query waits for the ledger, so that past charges are
 * visible; users without permission only see their own rows, with fewer details.
 */
export function logApi(deps: LogDeps) {
  const { reader, ledger, tokens, clock } = deps
  const walks = createLogWalks(clock)
  const clearing = createLogClearing(deps)
  const exported = createLogExport(deps)
  /** Flushes the ledger; returns a log store whose queries end when the caller disconnects. */
  const logsFor = async (caller: ApiCaller) => {
    await ledger.flush()
    return logStore(reader.until(caller))
  }
  const forAdmins = async (logs: Logs, rows: readonly LogRow[], { locale }: ApiCaller) => {
    const names = await logs.channelNames(channelsIn(rows))
    return rows.map((row) => adminView(row, names, locale))
  }
  const forOwner = (rows: readonly LogRow[], { locale }: ApiCaller, before = 0) =>
    rows.map((row, index) => ownView(row, before + index + 1, locale))
  const page = async (logs: Logs, actor: Actor, filter: LogFilter, { p, page_size, sort }: Paged) => {
    const walk = walkOf(actor.id, filter, page_size)
    const stretch = pageAtNumber(p, page_size)
    // One row more than shown, to know whether this is the last page.
    const found = await logs.page(filter, { ...stretch, limit: page_size + 1, before: walks.before(walk, p), sort })
    const rows = found.slice(0, page_size)
    if (!sort) walks.remember(walk, p, rows.at(-1)?.id)
    const { total, isMore } = await countOf(logs, filter, stretch, found.length)
    return { rows, before: stretch.offset, shape: { total, has_more: isMore, page: p, page_size } }
  }
  const stat = async (filter: LogFilter, caller: ApiCaller) => {
    const logs = await logsFor(caller)
    const since = unixSeconds(clock) - MINUTE_S
    return { ...(await logs.sums(filter)), ...(await logs.rates(filter, since)) }
  }
  return serve(log, {
    list: async ({ query: { p, page_size, sort, ...filter }, actor, caller }) => {
      const logs = await logsFor(caller)
      const { rows, shape } = await page(logs, actor, filter, { p, page_size, sort })
      const names = await logs.channelNames(channelsIn(rows))
      const channel_names = Object.fromEntries([...names].map(([id, name]) => [String(id), name]))
      return { items: rows.map((row) => adminView(row, names, caller.locale)), channel_names, ...shape }
    },
    own: async ({ query: { p, page_size, sort, ...filter }, actor, caller }) => {
      const own = { ...filter, userId: actor.id }
      const { rows, before, shape } = await page(await logsFor(caller), actor, own, { p, page_size, sort })
      return { items: forOwner(rows, caller, before), ...shape }
    },
    export: ({ query: { format, ...filter }, actor, caller }) => exported({ actor, caller, filter, format }),
    exportOwn: ({ query: { format, ...filter }, actor, caller }) =>
      exported({ actor, caller, filter: { ...filter, userId: actor.id }, format }),
    stat: ({ query, caller }) => stat(query, caller),
    ownStat: ({ query, actor, caller }) => stat({ ...query, userId: actor.id }, caller),
    search: async ({ query, caller }) => {
      const logs = await logsFor(caller)
      const { rows, isComplete } = await logs.search(query.keyword, undefined, MAX_FOUND)
      return { data: await forAdmins(logs, rows, caller), extras: { complete: isComplete } }
    },
    ownSearch: async ({ query, actor, caller }) => {
      const { rows, isComplete } = await (await logsFor(caller)).search(query.keyword, actor.id, MAX_FOUND)
      return { data: forOwner(rows, caller), extras: { complete: isComplete } }
    },
    ofToken: async ({ query, actor, caller }) => {
      const tokenId = await tokens.idOf(actor.id, query.key)
      return forOwner(await (await logsFor(caller)).ofToken(actor.id, tokenId, MAX_PER_TOKEN), caller)
    },
    clear: ({ query, actor, caller }) => clearing.clear(query.target_timestamp, actor, caller),
    clearing: ({ query, caller }) => clearing.state(query.target_timestamp, caller),
  })
}

type Logs = ReturnType<typeof logStore>

/**
 * The last page determines the total; a page beyond the counted limit shows that there are more; otherwise the rows are
 * counted.
 */
async function countOf(logs: Logs, filter: LogFilter, { offset, limit }: PageRange, found: number): Promise<LogCount> {
  const isLast = found <= limit && (found > 0 || offset === 0)
  if (isLast) return { total: offset + found, isMore: false }
  return found > 0 && offset + limit >= MAX_COUNTED ? { total: MAX_COUNTED, isMore: true } : logs.count(filter)
}

type Paged = Readonly<{ p: number; page_size: number; sort?: LogSort | undefined }>
