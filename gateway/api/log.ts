import { setImmediate as otherWork } from 'node:timers/promises'
import { log } from '../../shared/api/log.ts'
import { logType } from '../../shared/enums.ts'
import { formatMessage } from '../../shared/messages/format.ts'
import type { Tokens } from '../accounts/tokens.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { Db } from '../store/database.ts'
import { type LogFilter, logStore } from '../store/logs.ts'
import { pageAtNumber } from '../store/page.ts'
import type { LogRow } from '../store/schema.ts'
import type { Actor, Caller } from './actor.ts'
import { adminView, ownView } from './log-view.ts'
import { serve } from './serve.ts'

export type LogDeps = Readonly<{
  db: Db
  ledger: Pick<Ledger, 'note' | 'flush'>
  tokens: Pick<Tokens, 'idOf'>
  clock: Clock
  /** Ends a clean-up after the batch at hand, when the gateway stops. */
  stopping?: AbortSignal
}>

const MOST_FOUND = 100
const MOST_OF_TOKEN = 1000
const BATCH = 100
const MINUTE_S = 60

/**
 * The calls on the usage log (specification 3 §7, spec/console.md §4.5). Every reading waits for the ledger, so that what
 * has been charged is seen; people without a right see their own rows only, and less of them.
 */
export function logApi(deps: LogDeps) {
  const { db, ledger, tokens, clock } = deps
  const logs = logStore(db)
  const forAdmins = async (rows: readonly LogRow[]) => {
    const names = await logs.channelNames([...new Set(rows.map((row) => row.channel_id))])
    return rows.map((row) => adminView(row, names))
  }
  const forOwner = (rows: readonly LogRow[], before = 0) => rows.map((row, index) => ownView(row, before + index + 1))
  const page = async (filter: LogFilter, { p, page_size }: Paged) => {
    await ledger.flush()
    const stretch = pageAtNumber(p, page_size)
    const [rows, total] = await Promise.all([logs.page(filter, stretch), logs.count(filter)])
    return { rows, before: stretch.offset, shape: { total, page: p, page_size } }
  }
  const stat = async (filter: LogFilter) => {
    await ledger.flush()
    const since = unixSeconds(clock) - MINUTE_S
    return { ...(await logs.sums(filter)), ...(await logs.rates(filter, since)) }
  }
  const search = async (keyword: string, userId?: number) => {
    await ledger.flush()
    return logs.search(keyword, userId, MOST_FOUND)
  }
  return serve(log, {
    list: async ({ query }) => {
      const { rows, shape } = await page(query, query)
      return { items: await forAdmins(rows), ...shape }
    },
    own: async ({ query, actor }) => {
      const { rows, before, shape } = await page({ ...query, userId: actor.id }, query)
      return { items: forOwner(rows, before), ...shape }
    },
    stat: ({ query }) => stat(query),
    ownStat: ({ query, actor }) => stat({ ...query, userId: actor.id }),
    search: async ({ query }) => forAdmins(await search(query.keyword)),
    ownSearch: async ({ query, actor }) => forOwner(await search(query.keyword, actor.id)),
    ofToken: async ({ query, actor }) => {
      const tokenId = await tokens.idOf(actor.id, query.key)
      await ledger.flush()
      return forOwner(await logs.ofToken(actor.id, tokenId, MOST_OF_TOKEN))
    },
    clear: ({ query, actor, caller }) => clear(deps, query.target_timestamp, actor, caller),
  })
}

type Paged = Readonly<{ p: number; page_size: number }>

/** Deletes rows of every type made before `before` and notes how many; answers that number. */
async function clear({ db, ledger, clock, stopping }: LogDeps, before: number, actor: Actor, { locale }: Caller) {
  const now = unixSeconds(clock)
  if (before <= 0 || before > now) throw refuse('invalid', 'log.need_time')
  await ledger.flush()
  const logs = logStore(db)
  let removed = 0
  let batch = BATCH
  while (batch === BATCH && !stopping?.aborted) {
    batch = await logs.removeBefore(before, BATCH)
    removed += batch
    await otherWork()
  }
  ledger.note({
    user_id: 0,
    created_at: now,
    type: logType.manage,
    content: formatMessage(locale, 'log.cleaned', { n: removed }),
    other: JSON.stringify({ admin_info: { actor: { id: actor.id, username: actor.username } } }),
  })
  await ledger.flush()
  return removed
}
