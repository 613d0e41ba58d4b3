import type { AddressInfo } from 'node:net'
import { type ProviderAddresses, providerAddresses } from '../accounts/providers/redirecting.ts'
import { createBackups } from '../backup/backups.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { createInTurn } from '../base/in-turn.ts'
import { type Logger, silentLogger } from '../base/log/logger.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { SystemProxy } from '../base/network/http-client.ts'
import { createVault } from '../base/secrets/ciphers.ts'
import type { Argon2 } from '../base/secrets/passwords.ts'
import type { Ledger } from '../billing/ledger.ts'
import { createLedgerChecks } from '../billing/ledger-checks.ts'
import { createUpkeep } from '../billing/upkeep.ts'
import type { LocalModelOptions } from '../channels/local/local-models.ts'
import type { Config } from '../config.ts'
import { version } from '../installation.ts'
import { openClockWatch } from '../jobs/clock-watch.ts'
import { createScheduler } from '../jobs/scheduler.ts'
import type { createLowBalance } from '../notify/low-balance.ts'
import { createRootEvents } from '../notify/root-events.ts'
import type { Secrets } from '../secrets.ts'
import { quotaFormatter } from '../settings/quota-format.ts'
import { openSettings, type Settings } from '../settings/settings.ts'
import type { LookForAddresses } from '../share/interfaces.ts'
import type { SharedState } from '../shared-state/shared-state.ts'
import { type OptionTable, optionTable } from '../store/options.ts'
import type { Store } from '../store/store.ts'
import type { OnNotice } from './host-api.ts'
import { openSealedData } from './key-proof.ts'
import { urlOf } from './listen.ts'
import { openStorage, type Storage } from './storage.ts'

export type GatewayOptions = Readonly<{
  config: Config
  secrets: Secrets
  clock?: Clock
  log?: Logger
  /** Verifies tokens of the human check; Cloudflare's address by default. */
  verifyUrl?: string
  /** Addresses of login providers that have a fixed address; the real ones by default. */
  providers?: ProviderAddresses
  /** Folder of the built console; `out/renderer` next to the gateway by default. */
  consoleFolder?: string
  systemProxy?: SystemProxy
  local?: LocalModelOptions
  /** Called for every notice to an account. */
  onNotice?: OnNotice
  /** State shared by several nodes; by default the state that the storage opens. */
  shared?: SharedState
  /** Wraps the ledger and the store, in tests of delayed responses. */
  before?: Readonly<{ ledger: (ledger: Ledger) => Ledger; store: (store: Store) => Store }>
  /** Password hashing; tests use a faster one. */
  argon2?: Argon2
  /** Runs a single shell command: listens on no port and runs no background jobs. */
  isForShell?: boolean
  /** GLOBAL_API_RATE_LIMIT of shared addresses, if different. */
  sharedApiLimit?: number
  /** Finds the addresses of this machine; its network interfaces by default. */
  machine?: LookForAddresses
  /** Validates every API response against its contract; for tests. */
  checkAnswers?: boolean
}>

/** `forOthers` is set once the servers are created, `bound` once the gateway listens. */
type Address = { bound?: AddressInfo | undefined; forOthers?: () => readonly string[] }

const addressesOf = (address: Address, { PORT }: Config) => ({
  listenAddress: () => (address.bound ? urlOf(address.bound) : `http://127.0.0.1:${PORT}`),
  othersAddress: () => address.forOthers?.()[0],
})

type SharedSettingsDeps = Parameters<typeof optionTable>[0] &
  Readonly<{ config: Config; address: Address; shared: SharedState; log: Logger }>

/** Opens the settings, which follow the changes of other nodes. */
async function openSharedSettings({ config, address, shared: { changes }, ...deps }: SharedSettingsDeps) {
  const settings = await openSettings({
    store: broadcastChanges(optionTable(deps), (keys) => changes.publish('options', keys)),
    ...addressesOf(address, config),
    warn: deps.log.warn,
  })
  changes.follow('options', settings.reload)
  return settings
}

/** Wraps the options table so that the keys of saved options are published to other nodes. */
const broadcastChanges = (
  { load, save }: OptionTable,
  publish: (keys: readonly string[]) => MaybePromise<void>,
): OptionTable => ({
  load,
  async save(writes, author, read) {
    const isSaved = await save(writes, author, read)
    if (isSaved) await publish(writes.map(({ key }) => key))
    return isSaved
  },
})

/** Opens the ledger; `low.report` is set once notices can be sent. */
async function openNodeLedger(storage: Storage, settings: Settings, show: (quota: number) => string) {
  const low: { report?: ReturnType<typeof createLowBalance> } = {}
  const onLow = (userId: number, left: number) => low.report?.(userId, left)
  const own = await storage.openLedger({ show, onLow, isCounted: () => settings.get('DataExportEnabled') })
  return { own, low }
}

/** Creates what everything else depends on: database, vault, settings, ledger, background jobs. */
export async function createCore(options: GatewayOptions) {
  const { config, secrets, clock = systemClock, log = silentLogger, before, isForShell: isIdle = false } = options
  const storage = await openStorage(config, clock, log)
  const store = before?.store(storage.store) ?? storage.store
  const { db, reader } = store
  try {
    const dataKey = await secrets.dataKey()
    const vault = createVault(dataKey)
    // Before anything is cached, so that no change is missed.
    const shared = options.shared ?? (await storage.openShared(vault))
    const isKeyProven = await openSealedData({ store, vault, clock, log })
    const address: Address = {}
    let isStopping = false
    const settings = await openSharedSettings({ db, vault, clock, log, config, address, shared })
    const show = quotaFormatter(settings)
    const clockWatch = await openClockWatch({ db, clock, log })
    const { own, low } = await openNodeLedger(storage, settings, show)
    const ledger = before?.ledger(own) ?? own
    const inTurn = createInTurn(shared.locks, 'ledger')
    const rootEvents = createRootEvents({ db, clock, log, auditLog: own.auditLog })
    const checks = createLedgerChecks({ db, clock, log, rootEvents, inTurn })
    await checks.atStart()
    const jobs = createScheduler({ db, clock, locks: shared.locks, log, clockWatch, isIdle })
    const { backupSource: source } = storage
    const backups = createBackups({ config, source, ledger, dataKey, vault, clock, log, version, jobs })
    const upkeep = createUpkeep({ db, settings, clock, log, checks, inTurn, jobs })
    const close = async () => {
      await Promise.all([jobs.stop(), upkeep.stop(), backups.stop()])
      await ledger.close()
      await store.close()
    }
    return {
      argon2: options.argon2,
      backups,
      config,
      clock,
      clockWatch,
      log,
      store,
      shared,
      providers: options.providers ?? providerAddresses,
      db,
      reader,
      vault,
      address,
      settings,
      show,
      ledger,
      auditLog: own.auditLog,
      nodes: own.nodes,
      livingNodes: own.nodes.living,
      isReady: () => !isStopping && isKeyProven() && own.isReady(),
      setStopping() {
        isStopping = true
      },
      low,
      rootEvents,
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
