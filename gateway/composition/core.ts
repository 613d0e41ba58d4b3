import type { AddressInfo } from 'node:net'
import pLimit from 'p-limit'
import { type ProviderAddresses, providerAddresses } from '../accounts/providers/redirecting.ts'
import { createBackups } from '../backup/backups.ts'
import { type Clock, systemClock, unixSeconds } from '../base/clock.ts'
import { type Logger, silentLogger } from '../base/log/logger.ts'
import type { SystemProxy } from '../base/network/http-client.ts'
import { createVault } from '../base/secrets/ciphers.ts'
import type { Argon2 } from '../base/secrets/passwords.ts'
import type { Ledger } from '../billing/ledger.ts'
import { createLedgerChecks } from '../billing/ledger-checks.ts'
import { openLedger } from '../billing/sqlite-ledger.ts'
import { createUpkeep } from '../billing/upkeep.ts'
import type { LocalSurroundings } from '../channels/local/local-models.ts'
import { sealAtStart } from '../channels/registry/sealed-columns.ts'
import type { Config } from '../config.ts'
import { version } from '../installation.ts'
import { openClockWatch } from '../jobs/clock-watch.ts'
import { createScheduler } from '../jobs/scheduler.ts'
import type { createLowBalance } from '../notify/low-balance.ts'
import type { Secrets } from '../secrets.ts'
import { openSettings } from '../settings/settings.ts'
import { shownBy } from '../settings/shown-quota.ts'
import { toldToOthers } from '../settings/told-options.ts'
import type { LookForAddresses } from '../share/interfaces.ts'
import { ownState, type SharedState } from '../shared-state/shared-state.ts'
import { optionTable } from '../store/options.ts'
import { openDatabase } from '../store/sqlite/database.ts'
import { sqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import type { OnNotice } from './host-api.ts'
import { urlOf } from './listen.ts'

/** The options of a gateway; all but the first two replace parts in tests or in the desktop program. */
export type GatewayOptions = Readonly<{
  config: Config
  secrets: Secrets
  clock?: Clock
  log?: Logger
  /** Where tokens of the human check are verified; Cloudflare's own address unless a test stands in for it. */
  verifyUrl?: string
  /** Where providers of sign-in are that have one address for all; their own unless a test stands in for them. */
  providers?: ProviderAddresses
  /** The built console; `out/renderer` beside the gateway unless told otherwise. */
  consoleFolder?: string
  /** Over which proxy the system wants its programs to go; none unless told otherwise. */
  systemProxy?: SystemProxy
  /** Where programs of this machine are looked for; at their own ports unless a test stands in for them. */
  local?: LocalSurroundings
  /** Told of what accounts are told. */
  onNotice?: OnNotice
  /** What several nodes would know together; this process's own unless told otherwise. */
  shared?: SharedState
  /** Stands before the ledger and the store, in tests of answers that come later. */
  before?: Readonly<{ ledger: (ledger: Ledger) => Ledger; store: (store: Store) => Store }>
  /** Hashes passwords; as slowly as they should be hashed unless a test stands in for it. */
  argon2?: Argon2
  /** It serves a command of the shell alone: it listens on no port, and no background job takes a turn. */
  isForShell?: boolean
  /** GLOBAL_API_RATE_LIMIT of shared addresses, where that is another one. */
  sharedApiLimit?: number
  /** Looks for the addresses of this machine; at its interfaces unless a test stands in for them. */
  machine?: LookForAddresses
  /** Holds every answer of the API against its contract; for tests. */
  checkAnswers?: boolean
}>

/** The addresses of the gateway, both set once it listens. */
type Address = { bound?: AddressInfo | undefined; forOthers?: () => readonly string[] }

const addressesOf = (address: Address, { PORT }: Config) => ({
  listenAddress: () => (address.bound ? urlOf(address.bound) : `http://127.0.0.1:${PORT}`),
  othersAddress: () => address.forOthers?.()[0],
})

/** Opens what everything else depends on: database, vault, settings, ledger, background jobs. */
export async function createCore(options: GatewayOptions) {
  const { config, secrets, clock = systemClock, log = silentLogger, before, argon2 } = options
  const { shared = ownState(clock), providers = providerAddresses, isForShell: isIdle = false } = options
  const database = await openDatabase(config.DATA_DIR, unixSeconds(clock))
  const own = sqliteStore(database, log)
  const store = before?.store(own) ?? own
  const { db, reader } = store
  try {
    const dataKey = await secrets.dataKey()
    const vault = createVault(dataKey)
    await sealAtStart({ store, vault, log })
    const address: Address = {}
    const settings = await openSettings({
      store: toldToOthers(optionTable({ db, vault, clock, log }), (keys) => shared.changes.publish('options', keys)),
      ...addressesOf(address, config),
      warn: log.warn,
    })
    shared.changes.follow('options', () => settings.reload())
    const show = shownBy(settings)
    const clockWatch = await openClockWatch({ db, clock, log })
    const low: { report?: ReturnType<typeof createLowBalance> } = {}
    const onLow = (userId: number, left: number) => low.report?.(userId, left)
    const kept = { database, folder: config.DATA_DIR, isCounted: () => settings.get('DataExportEnabled') }
    const sqlite = await openLedger({ ...kept, clock, log, show, onLow })
    const ledger = before?.ledger(sqlite) ?? sqlite
    const { auditLog } = sqlite
    const inTurn = pLimit(1)
    const checks = createLedgerChecks({ db, clock, log, auditLog, inTurn })
    await checks.atStart()
    const jobs = createScheduler({ db, clock, locks: shared.locks, log, clockWatch, isIdle })
    const backups = createBackups({ config, source: database, ledger, dataKey, vault, clock, log, version, jobs })
    const upkeep = createUpkeep({ db, settings, clock, log, checks, inTurn, jobs })
    const close = async () => {
      await Promise.all([jobs.stop(), upkeep.stop(), backups.stop()])
      await ledger.close()
      await store.close()
    }
    return {
      argon2,
      backups,
      config,
      clock,
      log,
      store,
      shared,
      providers,
      db,
      reader,
      vault,
      address,
      settings,
      show,
      ledger,
      auditLog,
      low,
      checks,
      inTurn,
      jobs,
      upkeep,
      close,
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
export type Core = Awaited<ReturnType<typeof createCore>>
