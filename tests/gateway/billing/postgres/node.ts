import { sql } from 'kysely'
import { inject } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { openPostgresLedger } from '../../../../gateway/billing/postgres/postgres-ledger.ts'
import type { Connections } from '../../../../gateway/store/postgres/connections.ts'
import { openPostgresStore } from '../../../../gateway/store/postgres/postgres-store.ts'
import type { Db } from '../../../../gateway/store/sqlite/database.ts'
import { aFolder } from '../../../process/house.ts'
import { aClock } from '../../../support/clock.ts'
import { aPostgresDatabase } from '../../../support/tables.ts'

/** Accounts and tokens whose balance is not the sum of pool and leases, in one snapshot. */
export async function unequal(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select p.kind, p.id, p.free, l.leased, coalesce(u.quota, t.remain_quota) as quota from pool p
    left join (select kind, id, sum(amount) as leased from leases group by kind, id) l on l.kind = p.kind and l.id = p.id
    left join users u on p.kind = 0 and u.id = p.id
    left join tokens t on p.kind = 1 and t.id = p.id
    where coalesce(u.quota, t.remain_quota) <> p.free + coalesce(l.leased, 0)`.execute(db)
  return rows
}

export async function leasedIn(db: Db): Promise<number> {
  const { rows } = await sql<{ leased: number }>`select coalesce(sum(abs(amount)), 0) as leased from leases`.execute(db)
  return Number(rows[0]?.leased)
}

/** A node with a new folder; `open` opens its ledger. */
export async function aNode(url?: string, folder?: string) {
  const clock = aClock()
  const address = url ?? (await aPostgresDatabase(inject('postgres') ?? ''))
  const home = folder ?? (await aFolder())
  const { store, connections } = await openPostgresStore(address, 1_700_000_000, silentLogger)
  const { db } = store
  const open = (through = connections, more: Partial<Parameters<typeof openPostgresLedger>[0]> = {}) =>
    openPostgresLedger({
      lostAfter: 0,
      isStrict: false,
      version: '1',
      connections: through,
      db,
      folder: home,
      clock,
      log: silentLogger,
      show: String,
      isCounted: () => true,
      ...more,
    })
  return { clock, address, home, db, connections, open, store }
}

export const someone = { username: 'ann', password: '', role: 1, display_name: '', group: 'default', created_at: 1 }
export const charge = (quota: number) => ({ quota, channelId: 0, at: 1, log: null })

/** Connections that fail while `isPaused` is set, as those of a paused process would be late. */
export function pausable(connections: Connections) {
  const state = { isPaused: false }
  const named: Connections['named'] = (...statement) =>
    state.isPaused
      ? Promise.reject(Object.assign(new Error('paused'), { code: '08006' }))
      : connections.named(...statement)
  return { state, connections: { ...connections, named, reset: () => {} } }
}
