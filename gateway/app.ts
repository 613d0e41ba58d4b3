import type { AddressInfo } from 'node:net'
import pLimit from 'p-limit'
import { tokenStatus } from '../shared/enums.ts'
import { MIN_PASSWORD_LENGTH } from '../shared/share/wish.ts'
import { createAccess } from './accounts/access.ts'
import { createAccounts } from './accounts/accounts.ts'
import type { BegunHandover } from './accounts/handover.ts'
import { withKnownLength } from './accounts/known-length.ts'
import { type ProviderAddresses, providerAddresses } from './accounts/providers/redirecting.ts'
import type { Ticket } from './accounts/ticket.ts'
import { createTokens } from './accounts/tokens.ts'
import { openedSetting, type StoredSetting } from './accounts/user-setting.ts'
import type { AuditLog } from './audit/audit-log.ts'
import { createBackups } from './backup/backups.ts'
import { createVault } from './base/ciphers.ts'
import { type Clock, systemClock, unixSeconds } from './base/clock.ts'
import { keepRequestsYoung } from './base/heap.ts'
import type { HttpClient } from './base/http-client.ts'
import { type Logger, silentLogger } from './base/logger.ts'
import { type Argon2, createPasswords } from './base/passwords.ts'
import type { SystemProxy } from './base/system-proxy.ts'
import { createPriceSchedule } from './billing/catalogue/price-schedule.ts'
import { createPriceSyncs } from './billing/catalogue/price-syncs.ts'
import type { Ledger } from './billing/ledger.ts'
import { createLedgerChecks } from './billing/ledger-checks.ts'
import { openLedger } from './billing/sqlite-ledger.ts'
import { createUpkeep } from './billing/upkeep.ts'
import { type Channels, createChannels } from './channels/channels.ts'
import { createChannelEvents } from './channels/health/channel-events.ts'
import type { LocalSurroundings } from './channels/local/local-models.ts'
import type { ChannelRegistry } from './channels/registry/channel-registry.ts'
import { sealAtStart } from './channels/registry/sealed-columns.ts'
import type { Config } from './config.ts'
import { openControl } from './control/control-socket.ts'
import { openDoors } from './doors.ts'
import { createImports, type ImportsDeps } from './import/imports.ts'
import { version } from './installation.ts'
import { openClockWatch } from './jobs/clock-watch.ts'
import { createScheduler } from './jobs/scheduler.ts'
import { ranges } from './limits/client-address.ts'
import { createEntranceRates, createWalletRates } from './limits/http-rate.ts'
import { limitsIn } from './limits/token-limits.ts'
import { createTokenUseRegistry } from './limits/token-use-registry.ts'
import { listen, listenNowhere, urlOf } from './listen.ts'
import { createMailer } from './mail/mailer.ts'
import { createBudgetReached } from './notify/budget-reached.ts'
import { createLowBalance } from './notify/low-balance.ts'
import { createNotices } from './notify/notices.ts'
import { createWebhookCheck } from './notify/webhook-check.ts'
import { createOutgoing } from './outgoing.ts'
import { createIdentities, type Identities } from './relay/admission/identify.ts'
import { createRelay, markToken } from './relay/create.ts'
import { chatAddress, createProbe } from './relay/probing/probe.ts'
import { createDialectRuntime } from './relay/upstream/dialect-runtime.ts'
import type { Secrets } from './secrets.ts'
import { openSettings, type Settings } from './settings/settings.ts'
import { shownBy } from './settings/shown-quota.ts'
import { toldToOthers } from './settings/told-options.ts'
import { keepSetupLink } from './setup-link.ts'
import type { LookForAddresses } from './share/interfaces.ts'
import type { Changes } from './shared-state/changes.ts'
import { ownState, type SharedState } from './shared-state/shared-state.ts'
import { createShell, type DesktopShell, type OnNotice, overheard } from './shell.ts'
import { type Stopping, stopping } from './stopping.ts'
import type { BackupFile } from './store/backup-files.ts'
import { type Db, logFullDisk, openDatabase } from './store/database.ts'
import { optionTable } from './store/options.ts'
import { sqliteStore } from './store/sqlite-store.ts'
import type { Store } from './store/store.ts'
import { createWallet } from './wallet/wallet.ts'

/** What a gateway is built from. */
export type Surroundings = Readonly<{
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

/** A running gateway. */
export interface Gateway extends Stopping {
  /** The address that this machine opens. */
  readonly url: string
  /** Those that others can open, the best first; none where only this machine reaches it. */
  readonly urlsForOthers: readonly string[]
  /** Where the first administrator is made, with the one-time code; null from the moment that is done. */
  readonly setupLink: string | null
  /** Signs the desktop's own window in, once and within a minute; null unless it is set up and in self-use mode. */
  ticket(): Promise<Ticket | null>
  /** Begins a login in the system's browser for that window. */
  handover(): BegunHandover
  /** For a program around the gateway. */
  readonly shell: DesktopShell
  /** Makes a backup and verifies it, as the console's button does; refuses while one is made. */
  backUp(): Promise<BackupFile>
  /** For tests and the desktop shell: the parts behind the addresses. */
  readonly inner: Readonly<{
    db: Db
    ledger: Ledger
    auditLog: AuditLog
    settings: Settings
    registry: ChannelRegistry
  }>
}

/** Builds everything in the order it depends on each other and starts to listen. Throws `CannotStart` when it cannot. */
export const createGateway = (surroundings: Surroundings): Promise<Gateway> =>
  built(surroundings).catch(logFullDisk(surroundings.config.DATA_DIR))

async function built(surroundings: Surroundings): Promise<Gateway> {
  keepRequestsYoung()
  const ground = await layGround(surroundings)
  try {
    const domains = await buildDomains(ground, surroundings)
    const { config, address, log } = ground
    const { isForShell = false } = surroundings
    const kept = { folder: config.DATA_DIR, log }
    const onSetUp = () => keepSetupLink(kept, null)
    const { hosts, pace, shell, sharing, wayBack, ...doors } = openDoors(ground, domains, { ...surroundings, onSetUp })
    const opened = isForShell ? listenNowhere() : listen({ ...doors, log }, config.HOST, config.PORT)
    const { server, bound } = await opened.catch(async (error) => {
      pace.close()
      await domains.stop()
      throw error
    })
    address.bound = bound
    hosts.refresh()
    const control = await openControl({ folder: config.DATA_DIR, handler: shell, log })
    const url = bound ? urlOf(bound) : ''
    const setupLink = () => {
      const code = domains.access.setup.code()
      return code === undefined ? null : `${url}/setup?code=${code}`
    }
    if (!isForShell) keepSetupLink(kept, setupLink())
    if (!isForShell) await sharing.start()
    log.info('listening', { url, setUp: domains.access.setup.isDone() })
    return {
      url,
      get urlsForOthers() {
        return sharing.urls()
      },
      get setupLink() {
        return setupLink()
      },
      ticket: () => domains.access.tickets.issue(),
      handover: () => domains.access.handovers.begin(),
      shell: createShell({ ...ground, pools: domains.pools, sharing, wayBack }, domains.relay.routes),
      backUp: () => ground.backups.make('person'),
      ...stopping({
        server,
        drain(hurry) {
          sharing.stopListening()
          return Promise.all([domains.relay.routes.drain(config.DRAIN_S * 1000, hurry), ground.jobs.stop()])
        },
        async close() {
          pace.close()
          await sharing.stop()
          await control.close()
          await domains.stop()
          await ground.close()
          log.info('stopped')
        },
      }),
      inner: {
        db: ground.db,
        ledger: ground.ledger,
        auditLog: ground.auditLog,
        settings: ground.settings,
        registry: domains.channels.registry,
      },
    }
  } catch (error) {
    await ground.close()
    throw error
  }
}

/** Where it listens, and where others find it; both are known late. */
type Address = { bound?: AddressInfo | undefined; forOthers?: () => readonly string[] }

const addressesOf = (address: Address, { PORT }: Config) => ({
  listenAddress: () => (address.bound ? urlOf(address.bound) : `http://127.0.0.1:${PORT}`),
  othersAddress: () => address.forOthers?.()[0],
})

/** What everything stands on: the database, the vault, the settings and the ledger. */
async function layGround(surroundings: Surroundings) {
  const { config, secrets, clock = systemClock, log = silentLogger, before, argon2 } = surroundings
  const { shared = ownState(clock), providers = providerAddresses, isForShell: isIdle = false } = surroundings
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
export type Ground = Awaited<ReturnType<typeof layGround>>

const userAgent = `Switchyard/${version}`

/** How people are told of what concerns them. */
function buildNotices(ground: Ground, onNotice: OnNotice | undefined) {
  const { FETCH_ALLOWED_ADDRESSES: allowed } = ground.config
  const isAllowed = ranges(allowed)
  const refusalOf = createWebhookCheck({ ...ground, isAllowed, hasAllowed: allowed.length > 0 })
  const mailer = createMailer(ground)
  const settingOf = (row: StoredSetting) => openedSetting(row, ground.vault)
  const told = createNotices({ ...ground, mailer, userAgent, isAllowed, settingOf })
  const notices = overheard(told, onNotice)
  ground.low.report = createLowBalance({ ...ground, notices })
  return { mailer, notices, isAllowed, refusalOf, onReached: createBudgetReached({ ...ground, notices }) }
}

/** What the relay is allowed to take and how long, of the process's settings. */
const boundsOf = (config: Config) => ({
  maxImages: config.GEMINI_VISION_MAX_IMAGE_NUM,
  bodyMemoryMib: config.MAX_BODY_MEMORY_MB,
  maxMediaMib: config.MAX_FILE_DOWNLOAD_MB,
  maxCallMs: config.RELAY_TIMEOUT * 1000,
  followTasksEveryMs: config.UPDATE_TASK ? config.TASK_POLLING_INTERVAL * 1000 : 0,
  bounds: { all: config.MAX_REQUESTS, perUser: config.MAX_REQUESTS_PER_USER, perKey: config.MAX_REQUESTS_PER_KEY },
})

/** What the gateway knows and does: channels, tokens, accounts, the relay. */
async function buildDomains(ground: Ground, surroundings: Surroundings) {
  const { config, clock, log, store, shared, db, settings, show, ledger } = ground
  const { pools, http } = createOutgoing(config, surroundings.systemProxy)
  const dialectRuntime = createDialectRuntime(settings, ground.clock)
  const told = buildNotices(ground, surroundings.onNotice)
  const { notices, isAllowed, onReached } = told
  const channels = await createChannels({
    ...ground,
    fetchTrusted: http.fetchTrusted,
    local: surroundings.local,
    probe: createProbe({ pools, settings, userAgent, ...dialectRuntime }),
    chatAddress,
    notify: createChannelEvents({ ...ground, notify: notices.notify }),
  })
  const flush = () => ledger.flush()
  const uses = createTokenUseRegistry({ clock, charges: store.charges, flush, show, onReached })
  const identities = createIdentities({
    rows: store.callers,
    uses,
    monotonic: () => clock.monotonic(),
    onExpired: (tokenId) => void markToken(db, tokenId, tokenStatus.expired, log),
  })
  const relay = createRelay({
    ...ground,
    channels,
    identities,
    uses,
    pools,
    userAgent,
    dialectRuntime,
    isMediaAllowed: isAllowed,
    ...boundsOf(config),
  })
  const tokens = createTokens({
    ...ground,
    onChange(tokenId, keyHash, isOver) {
      identities.forgetToken(keyHash)
      if (isOver) relay.routes.endOf(tokenId)
      relay.responseCache.clearToken(tokenId)
      return shared.changes.publish('tokens', [keyHash])
    },
    budgetUse: (row) => uses.report(row.id, limitsIn(row)),
  })
  const passwords = withKnownLength(createPasswords(ground.argon2), MIN_PASSWORD_LENGTH)
  const { fetchTrusted } = http
  const forget = (userId: number) => {
    identities.forgetUser(userId)
    relay.responseCache.clearUser(userId)
    return relay.routes.recheck(userId)
  }
  const own = { passwords, tokens, forget, fetchTrusted, givesTokens: config.GENERATE_DEFAULT_TOKEN }
  const access = await createAccess({ ...ground, ...guardsOf(ground), passwords, version })
  const accounts = createAccounts({ ...ground, ...told, ...own, requirePassword: access.requirePassword })
  const wallet = createWallet({ ...ground, ...createWalletRates(shared.rates) })
  await notices.takeUp()
  const updates = await buildUpdates(ground, { channels, identities, fetchTrusted })
  const stop = async () => {
    await Promise.all([updates.stop(), wallet.stop()])
    await Promise.all([relay.stop(), access.stop(), accounts.stop(), channels.stop(), pools.close(), http.close()])
    await notices.stop()
  }
  const who = { identities, tokens, accounts, access, passwords }
  return { ...updates, ...who, forget, pools, channels, relay, wallet, fetchTrusted, stop }
}
export type Domains = Awaited<ReturnType<typeof buildDomains>>

/** What stands before those who want to come in. */
const guardsOf = ({ config, shared: { rates, pendingLogins } }: Ground) => ({
  ...createEntranceRates(config.CRITICAL_RATE_LIMIT, rates),
  pending: pendingLogins,
})

type Updated = Readonly<{ channels: Channels; identities: Identities; fetchTrusted: HttpClient['fetchTrusted'] }>

/** What is taken over from elsewhere: prices of catalogues, at once or when they are due, and other installations. */
async function buildUpdates(ground: Ground, { channels, identities, fetchTrusted }: Updated) {
  const { shared } = ground
  const offered = () => channels.registry.enabledModels()
  const priceSyncs = createPriceSyncs({ ...ground, fetchTrusted, offered })
  const priceSchedule = createPriceSchedule(ground)
  await priceSchedule.atStart()
  const forget = (keyHashes: readonly string[]) => keyHashes.forEach(identities.forgetToken)
  shared.changes.follow('tokens', forget)
  const imports = createImports({ ...ground, onWritten: whenWritten(channels.registry, forget, shared.changes) })
  const stop = async () => void (await Promise.all([priceSchedule.stop(), imports.cancel()]))
  return { priceSyncs, priceSchedule, imports, stop }
}

/** What follows an import in memory, here and elsewhere. */
const whenWritten =
  (
    registry: ChannelRegistry,
    forget: (keyHashes: readonly string[]) => void,
    changes: Changes,
  ): ImportsDeps['onWritten'] =>
  async ({ channelIds, keyHashes }, options) => {
    await registry.reload(channelIds)
    forget(keyHashes)
    await changes.publish('tokens', keyHashes)
    await changes.publish('options', options)
  }
