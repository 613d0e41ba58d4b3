import type { Sqlite } from '../store/database.ts'
import type { NewLog } from '../store/schema.ts'
import type { Balances } from './balances.ts'
import type { Charge } from './ledger.ts'

/** One settled request, or (with `charge` null) a log row alone, waiting to be written. */
export type Entry = Readonly<{
  /** Place in the journal; 0 for rows that move no money and are not journalled. */
  sequence: number
  requestId: string
  userId: number
  tokenId: number
  /** The token was limited when this was settled: it takes from what remains, whatever the limit is when it is written. */
  limited: boolean
  charge: Charge | null
  note: NewLog | null
}>

/** Rows written in one transaction: about 1.4 ms of the event loop (design/performance.md §4.6). */
export const BATCH = 100

/**
 * Writes a batch in one IMMEDIATE transaction: log rows, ledger rows, one aggregated update an account, the anchor.
 * An entry whose ledger row exists already (a replay) is left out. Throws what SQLite throws, with nothing written.
 */
export function createCommit(writer: Sqlite, balances: Balances): (batch: readonly Entry[]) => void {
  const statements = prepare(writer)
  const write = writer.transaction((batch: readonly Entry[]): Totals => {
    const totals = createTotals()
    for (const entry of batch) {
      if (entry.note) statements.log.run(...logValues(entry.note))
      if (entry.charge) post(statements, totals, balances, entry, entry.charge)
    }
    totals.write(statements)
    const last = batch.reduce((highest, entry) => Math.max(highest, entry.sequence), 0)
    if (last > 0) statements.anchor.run(last)
    return totals
  })
  return (batch) => write.immediate(batch).rememberIn(balances)
}

type Statements = ReturnType<typeof prepare>

function post(statements: Statements, totals: Totals, balances: Balances, entry: Entry, charge: Charge): void {
  const { requestId, userId, tokenId } = entry
  const before = totals.balanceOf(userId) ?? balances.user(userId)?.committed ?? 0
  const after = before - charge.quota
  const { changes } = statements.ledger.run(
    charge.at,
    userId,
    tokenId,
    charge.channelId,
    -charge.quota,
    requestId,
    after,
  )
  if (changes === 0) return
  if (charge.log) statements.log.run(...logValues(charge.log))
  totals.add(entry, charge, after)
}

/** Sums of one batch, so that each account is written once. */
function createTotals() {
  const users = new Map<number, { quota: number; requests: number; after: number }>()
  const tokens = new Map<number, { taken: number; quota: number; at: number }>()
  const channels = new Map<number, number>()
  return {
    balanceOf: (userId: number) => users.get(userId)?.after,
    add({ userId, tokenId, limited }: Entry, { quota, channelId, at }: Charge, after: number) {
      const user = users.get(userId)
      const token = tokens.get(tokenId)
      users.set(userId, { quota: (user?.quota ?? 0) + quota, requests: (user?.requests ?? 0) + 1, after })
      const taken = (token?.taken ?? 0) + (limited ? quota : 0)
      if (tokenId > 0) tokens.set(tokenId, { taken, quota: (token?.quota ?? 0) + quota, at })
      if (quota > 0) channels.set(channelId, (channels.get(channelId) ?? 0) + quota)
    },
    write(statements: Statements) {
      for (const [id, { quota, requests }] of users) statements.user.run(quota, quota, requests, id)
      for (const [id, { taken, quota, at }] of tokens) statements.token.run(taken, quota, at, id)
      for (const [id, quota] of channels) statements.channel.run(quota, id)
    },
    /** After the commit: what the database now says each user has. */
    rememberIn(balances: Balances) {
      for (const [id, { after }] of users) {
        const account = balances.user(id)
        if (account) account.committed = after
      }
    },
  }
}
type Totals = ReturnType<typeof createTotals>

const LOG_COLUMNS = [
  'user_id',
  'created_at',
  'type',
  'content',
  'username',
  'token_name',
  'model_name',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'use_time',
  'is_stream',
  'channel_id',
  'token_id',
  'group',
  'ip',
  'other',
  'request_id',
] as const satisfies readonly (keyof NewLog)[]

const logValues = (row: NewLog): (string | number)[] =>
  LOG_COLUMNS.map((column) => row[column] ?? (NUMERIC.has(column) ? 0 : ''))

const NUMERIC: ReadonlySet<string> = new Set<(typeof LOG_COLUMNS)[number]>([
  'user_id',
  'created_at',
  'type',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'use_time',
  'is_stream',
  'channel_id',
  'token_id',
])

function prepare(writer: Sqlite) {
  const columns = LOG_COLUMNS.map((column) => `"${column}"`).join(', ')
  const holes = LOG_COLUMNS.map(() => '?').join(', ')
  return {
    log: writer.prepare(`insert into logs (${columns}) values (${holes})`),
    ledger: writer.prepare(
      `insert into ledger (created_at, user_id, token_id, channel_id, kind, amount, ref_type, ref_id, balance_after)
       values (?, ?, ?, ?, 'consume', ?, 'request', ?, ?) on conflict (kind, ref_type, ref_id) do nothing`,
    ),
    user: writer.prepare(
      'update users set quota = quota - ?, used_quota = used_quota + ?, request_count = request_count + ? where id = ?',
    ),
    token: writer.prepare(
      'update tokens set remain_quota = remain_quota - ?, used_quota = used_quota + ?, accessed_time = ? where id = ?',
    ),
    channel: writer.prepare('update channels set used_quota = used_quota + ? where id = ?'),
    anchor: writer.prepare('update journal_anchor set sequence = max(sequence, ?) where id = 1'),
  }
}
