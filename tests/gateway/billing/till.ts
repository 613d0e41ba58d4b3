import { cpSync, mkdtempSync, rmSync, type writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pLimit, { type LimitFunction } from 'p-limit'
import { onTestFinished } from 'vitest'
import type { Fields, Logger } from '../../../gateway/base/log/logger.ts'
import type { JournaledHold } from '../../../gateway/billing/holds.ts'
import type { Charge, Ledger } from '../../../gateway/billing/ledger.ts'
import { createLedgerChecks, type LedgerChecks } from '../../../gateway/billing/ledger-checks.ts'
import { openLedger, type SqliteLedger } from '../../../gateway/billing/sqlite-ledger.ts'
import { createRootEvents } from '../../../gateway/notify/root-events.ts'
import type { NewLog } from '../../../gateway/store/schema/schema.ts'
import { type OpenDatabase, openDatabase } from '../../../gateway/store/sqlite/database.ts'
import { aClock, type MovableClock } from '../../support/clock.ts'
import { reconcile } from '../../support/reconcile.ts'

export const NOW = 1_700_000_000

/** A ledger in its own folder, opened as the gateway does, with its log. */
export interface Till {
  readonly folder: string
  readonly database: OpenDatabase
  readonly ledger: SqliteLedger
  readonly clock: MovableClock
  readonly checks: LedgerChecks
  readonly inTurn: LimitFunction
  readonly said: readonly Readonly<{ level: string; message: string; fields: Fields }>[]
  user(quota: number): Promise<number>
  token(userId: number, limit?: number): Promise<number>
  channel(): Promise<number>
  /** Reserves `quota` for the request `requestId`. */
  hold(requestId: string, ask: Readonly<{ user: number; token?: number; quota?: number }>): JournaledHold
  /** The user's committed row. */
  userRow(id: number): Promise<{ quota: number; used_quota: number; request_count: number }>
  tokenRow(id: number): Promise<{ remain_quota: number; used_quota: number }>
  ledgerRows(): Promise<{ user_id: number; kind: string; amount: number; ref_id: string; balance_after: number }[]>
  logRows(): Promise<{ user_id: number; type: number; quota: number; request_id: string; created_at: number }[]>
  /** Differences in the ledger, once everything is written. */
  wrong(): Promise<unknown[]>
  /** Copies the folder as a kill at this moment would leave it: with completed writes, but nothing closed. */
  killed(): string
  close(): Promise<void>
}

/**
 * Replacements for the disk (`write` for the journals, `synced` for the database) and for the option that counts usage.
 */
type Disk = Readonly<{ write?: typeof writeSync; synced?: () => Promise<void>; isCounted?: () => boolean }>

/** Opens a till on `folder`, which must contain one, or on a new folder. Closed at the end of the test. */
export async function aTill(folder?: string, { write, synced, isCounted = () => true }: Disk = {}): Promise<Till> {
  const place = folder ?? aFolder()
  const said: { level: string; message: string; fields: Fields }[] = []
  const opened = await openDatabase(place, NOW)
  const database = synced ? { ...opened, synced } : opened
  const clock = aClock(NOW * 1000)
  const log = listening(said)
  const show = (quota: number) => `${quota} units`
  const ledger = await openLedger({ database, folder: place, clock, log, show, isCounted, ...(write ? { write } : {}) })
  const inTurn = pLimit(1)
  const { db } = database
  const rootEvents = createRootEvents({ db, clock, log, auditLog: ledger.auditLog })
  const checks = createLedgerChecks({ db, clock, log, rootEvents, inTurn })
  await checks.atStart()
  let open = true
  const close = async () => {
    if (!open) return
    open = false
    await checks.stop()
    await ledger.close()
    await database.close()
  }
  onTestFinished(close)
  return {
    folder: place,
    database,
    ledger,
    clock,
    checks,
    inTurn,
    said,
    ...openings(database, ledger),
    ...endpointSpecs(database),
    hold: (requestId, { user, token = 0, quota = 100 }) =>
      ledger.hold({ requestId, userId: user, tokenId: token, quota }),
    async wrong() {
      await ledger.flush()
      return reconcile(database.db)
    },
    killed() {
      // Copied synchronously, so that nothing is committed between two files.
      const copy = aFolder()
      cpSync(place, copy, { recursive: true })
      return copy
    },
    close,
  }
}

/** A charge with its log row. */
export const charge = (quota: number, row: Partial<NewLog> = {}, channelId = 0): Charge => ({
  quota,
  channelId,
  at: NOW,
  log: logRow({ quota, channel_id: channelId, ...row }),
})

export const logRow = (row: Partial<NewLog>): NewLog => ({ user_id: 1, created_at: NOW, type: 2, ...row })

/** A folder that is removed at the end of the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let born = 0

function openings({ db }: OpenDatabase, ledger: Ledger) {
  return {
    async user(quota: number) {
      born += 1
      const { id } = await db
        .insertInto('users')
        .values({ username: `user${born}`, created_at: NOW })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (quota !== 0) await ledger.move({ kind: 'grant', userId: id, amount: quota, refType: 'born', refId: `${id}` })
      return id
    },
    async token(userId: number, limit?: number) {
      born += 1
      const limits = { unlimited_quota: limit === undefined ? 1 : 0, remain_quota: limit ?? 0 }
      const row = { user_id: userId, key_hash: `hash${born}`, key: 'sealed', created_time: NOW, ...limits }
      return (await db.insertInto('tokens').values(row).returning('id').executeTakeFirstOrThrow()).id
    },
    async channel() {
      const row = { key: 'sealed', created_time: NOW }
      return (await db.insertInto('channels').values(row).returning('id').executeTakeFirstOrThrow()).id
    },
  }
}

function endpointSpecs({ db }: OpenDatabase) {
  return {
    userRow: (id: number) =>
      db
        .selectFrom('users')
        .select(['quota', 'used_quota', 'request_count'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    tokenRow: (id: number) =>
      db.selectFrom('tokens').select(['remain_quota', 'used_quota']).where('id', '=', id).executeTakeFirstOrThrow(),
    ledgerRows: () =>
      db.selectFrom('ledger').select(['user_id', 'kind', 'amount', 'ref_id', 'balance_after']).orderBy('id').execute(),
    logRows: () =>
      db.selectFrom('logs').select(['user_id', 'type', 'quota', 'request_id', 'created_at']).orderBy('id').execute(),
  }
}

function listening(said: { level: string; message: string; fields: Fields }[]): Logger {
  const at =
    (level: string) =>
    (message: string, fields: Fields = {}) =>
      void said.push({ level, message, fields })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
