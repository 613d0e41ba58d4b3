import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditLog } from '../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import type { Ledger } from '../billing/ledger.ts'
import { type Nodes, oneNode, type RedisUse } from '../billing/nodes.ts'
import { openLedger } from '../billing/sqlite-ledger.ts'
import type { Config } from '../config.ts'
import { version } from '../installation.ts'
import { refuseMoved } from '../move/marks.ts'
import { ownState, type SharedState } from '../shared-state/shared-state.ts'
import {
  CannotStart,
  DATABASE_FILE,
  EXIT,
  holdFolder,
  type OpenDatabase,
  openDatabase,
} from '../store/sqlite/database.ts'
import { sqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'

type LedgerSettings = Readonly<{
  show: (quota: number) => string
  onLow: (userId: number, left: number) => void
  isCounted: () => boolean
}>

type NodeLedger = Ledger &
  Readonly<{
    auditLog: AuditLog
    nodes: Nodes
    /** Whether charges can be written at the moment. */
    isReady: () => boolean
  }>

export type Storage = Readonly<{
  store: Store
  openLedger: (settings: LedgerSettings) => Promise<NodeLedger>
  /** The state that nodes share, until the store is closed; this process's own on SQLite. Call it once. */
  openShared: (vault: Vault) => Promise<SharedState>
  /** The file that backups copy; undefined for a database with its own backups. */
  backupSource: Pick<OpenDatabase, 'file' | 'withoutCheckpoints'> | undefined
}>

/** Opens SQLite in the data folder, or with `DATABASE_URL` PostgreSQL, whose code is loaded only then. */
export async function openStorage(config: Config, clock: Clock, log: Logger): Promise<Storage> {
  const { DATA_DIR: folder, DATABASE_URL: url } = config
  if (url !== '') return openPostgres(config, clock, log)
  const database = await openDatabase(folder, unixSeconds(clock))
  await refuseMoved(database.db, folder).catch(async (cause) => {
    await database.close()
    throw cause
  })
  return {
    store: sqliteStore(database, log),
    async openLedger(settings) {
      const ledger = await openLedger({ database, folder, clock, log, ...settings })
      return { ...ledger, nodes: oneNode, isReady: ledger.healthy }
    },
    openShared: async () => ownState(clock),
    backupSource: database,
  }
}

async function openPostgres(
  { DATA_DIR: folder, DATABASE_URL: url, REDIS_URL: redisUrl, NODE_LOST_AFTER: lostAfter, SETTLE }: Config,
  clock: Clock,
  log: Logger,
): Promise<Storage> {
  if (existsSync(join(folder, DATABASE_FILE)))
    throw new CannotStart(
      EXIT.badConfig,
      `${folder} has a database; unset DATABASE_URL to use it, or use another folder with PostgreSQL`,
    )
  const lock = holdFolder(folder)
  try {
    const { openPostgresStore, openPostgresLedger, openPostgresState, refuseMovedDatabase } = await import(
      './postgres.ts'
    )
    const { store, connections } = await openPostgresStore(url, unixSeconds(clock), log)
    await refuseMovedDatabase(store.db, url).catch(async (cause) => {
      await store.close()
      throw cause
    })
    let closeShared = async () => {}
    let livingNodes = () => 1
    let redisUse = (): RedisUse => 'none'
    const close = async () => {
      await closeShared()
      await store.close()
      lock.release()
    }
    return {
      store: { ...store, close },
      async openLedger(settings) {
        const own = { connections, db: store.db, folder, clock, log, lostAfter, isStrict: SETTLE === 'commit', version }
        const ledger = await openPostgresLedger({ ...own, ...settings, redis: () => redisUse() })
        livingNodes = ledger.nodes.living
        return ledger
      },
      async openShared(vault) {
        const shared = await openPostgresState({ connections, vault, clock, log, livingNodes: () => livingNodes() })
        closeShared = shared.close
        if (redisUrl === '') return shared
        const { openRedisState } = await import('./redis.ts')
        const redis = openRedisState({ url: redisUrl, own: shared, clock, log })
        redisUse = () => (redis.counts.isUp ? 'up' : 'away')
        closeShared = () => {
          redis.close()
          return shared.close()
        }
        return { ...shared, ...redis }
      },
      backupSource: undefined,
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
