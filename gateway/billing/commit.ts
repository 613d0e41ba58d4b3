import { MIN_QUOTA } from '../../shared/api/fields.ts'
import { createHourSums, hourWriter } from '../store/log/usage-hours.ts'
import type { NewLedger, NewLog } from '../store/schema/schema.ts'
import { type Cell, createBulkInsert } from '../store/sqlite/bulk-insert.ts'
import type { Sqlite } from '../store/sqlite/database.ts'
import type { Balances } from './balances.ts'
import { outcomesOfCharge, outcomesOfRow } from './channel-outcomes.ts'
import { chargedRequest, countedAs, failedRequest } from './counted.ts'
import type { Charge, CommitEntry } from './ledger.ts'

/**
 * Writes a batch in one IMMEDIATE transaction: log rows, ledger rows, one aggregated update per account, hourly usage,
 * the anchor. Throws SQLite's errors, with nothing written; an existing ledger row is a constraint error. In a batch of
 * one, an entry whose ledger row exists (a replay, or a second request with the same id) is skipped instead, and its
 * charge reverted in memory.
 */
export function createCommit(writer: Sqlite, balances: Balances): (batch: readonly CommitEntry[]) => void {
  const statements = prepare(writer)
  const write = writer.transaction((batch: readonly CommitEntry[]): Totals => {
    const totals = createTotals()
    statements.ledger.reset()
    statements.logs.reset()
    for (const entry of batch) {
      if (entry.note) note(statements, totals, entry, entry.note)
      if (entry.charge && batch.length === 1 && statements.posted.get(entry.requestId)) totals.leaveOut(entry)
      else if (entry.charge) post(statements, totals, balances, entry, entry.charge)
    }
    statements.ledger.flush()
    statements.logs.flush()
    totals.write(statements)
    const last = batch.reduce((highest, entry) => Math.max(highest, entry.sequence), 0)
    if (last > 0) statements.anchor.run(last)
    return totals
  })
  return (batch) => write.immediate(batch).rememberIn(balances)
}

type Statements = ReturnType<typeof prepare>

function note(statements: Statements, { hours }: Totals, { isUncounted }: CommitEntry, row: NewLog): void {
  statements.logs.add(logCells(row))
  for (const outcome of outcomesOfRow(row)) hours.addOutcome(outcome)
  const failed = isUncounted ? undefined : failedRequest(row)
  if (failed) hours.add(failed)
}

function post(statements: Statements, totals: Totals, balances: Balances, entry: CommitEntry, charge: Charge): void {
  const { requestId, userId, tokenId } = entry
  const before = totals.balanceOf(userId) ?? balances.user(userId)?.committed ?? 0
  const after = before - charge.quota
  statements.ledger.add([
    charge.at,
    userId,
    tokenId,
    charge.channelId,
    'consume',
    -charge.quota,
    'request',
    requestId,
    after,
    charge.isRefundable && !entry.isUncounted ? countedAs(entry, charge) : '',
  ])
  if (charge.log) statements.logs.add(logCells(charge.log))
  totals.add(entry, charge, after)
}

function createTotals() {
  const hours = createHourSums()
  const users = new Map<number, { quota: number; requests: number; after: number }>()
  const tokens = new Map<number, { taken: number; quota: number; at: number }>()
  const channels = new Map<number, number>()
  const skipped: CommitEntry[] = []
  return {
    hours,
    leaveOut: (entry: CommitEntry) => void skipped.push(entry),
    balanceOf: (userId: number) => users.get(userId)?.after,
    add(entry: CommitEntry, charge: Charge, after: number) {
      const { userId, tokenId, limited } = entry
      const { quota, channelId, at } = charge
      for (const outcome of outcomesOfCharge(charge)) hours.addOutcome(outcome)
      if (!entry.isUncounted) hours.add(chargedRequest(entry, charge))
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
      statements.hours(hours)
    },
    rememberIn(balances: Balances) {
      for (const [id, { after }] of users) {
        const account = balances.user(id)
        if (account) account.committed = after
      }
      for (const entry of skipped) balances.undo(entry)
    },
  }
}
type Totals = ReturnType<typeof createTotals>

const LEDGER_COLUMNS = [
  'created_at',
  'user_id',
  'token_id',
  'channel_id',
  'kind',
  'amount',
  'ref_type',
  'ref_id',
  'balance_after',
  'counted_as',
] as const satisfies readonly (keyof NewLedger)[]

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
  'retries',
  'channel_id',
  'token_id',
  'group',
  'ip',
  'other',
  'request_id',
] as const satisfies readonly (keyof NewLog)[]

const logCells = (row: NewLog): Cell[] => [
  row.user_id,
  row.created_at,
  row.type,
  row.content ?? '',
  row.username ?? '',
  row.token_name ?? '',
  row.model_name ?? '',
  row.quota ?? 0,
  row.prompt_tokens ?? 0,
  row.completion_tokens ?? 0,
  row.use_time ?? 0,
  row.is_stream ?? 0,
  row.retries ?? 0,
  row.channel_id ?? 0,
  row.token_id ?? 0,
  row.group ?? '',
  row.ip ?? '',
  row.other ?? '',
  row.request_id ?? '',
]

/** Max value of the tables' usage counters; clamping to it ensures that they never reject a charge. */
const MAX_USED = 1_000_000_000_000_000

function prepare(writer: Sqlite) {
  return {
    hours: hourWriter(writer),
    logs: createBulkInsert(writer, 'logs', LOG_COLUMNS),
    ledger: createBulkInsert(writer, 'ledger', LEDGER_COLUMNS),
    posted: writer.prepare("select 1 from ledger where kind = 'consume' and ref_type = 'request' and ref_id = ?"),
    user: writer.prepare(
      `update users set quota = quota - ?, used_quota = min(used_quota + ?, ${MAX_USED}), request_count = request_count + ? where id = ?`,
    ),
    // Clamped, so that a charge is never rejected, no matter how far below zero the token's limit already is.
    token: writer.prepare(
      `update tokens set remain_quota = max(remain_quota - ?, ${MIN_QUOTA}), used_quota = min(used_quota + ?, ${MAX_USED}), accessed_time = ? where id = ?`,
    ),
    channel: writer.prepare(`update channels set used_quota = min(used_quota + ?, ${MAX_USED}) where id = ?`),
    anchor: writer.prepare('update journal_anchor set sequence = max(sequence, ?) where id = 1'),
  }
}
