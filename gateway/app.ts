import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { tokenStatus } from '../shared/enums.ts'
import { createAccess } from './accounts/access.ts'
import { createAccounts } from './accounts/accounts.ts'
import type { BegunHandover } from './accounts/handover.ts'
import { TURNSTILE_VERIFY_URL } from './accounts/human-check.ts'
import { type ProviderAddresses, providerAddresses } from './accounts/providers/redirecting.ts'
import type { Ticket } from './accounts/ticket.ts'
import { createTokens } from './accounts/tokens.ts'
import { openedSetting, type StoredSetting } from './accounts/user-setting.ts'
import { createAreas } from './api/areas.ts'
import { createDocs } from './api/docs.ts'
import { createFront } from './api/front.ts'
import { createKoa } from './api/koa.ts'
import { createHostGuard } from './api/middleware/host.ts'
import { createPayment } from './api/payment.ts'
import { createPlayground } from './api/playground.ts'
import { createApi } from './api/server.ts'
import { createConsole } from './api/static.ts'
import { createVault } from './base/ciphers.ts'
import { type Clock, systemClock, unixSeconds } from './base/clock.ts'
import { keepRequestsYoung } from './base/heap.ts'
import { createHttpClient, type HttpClient } from './base/http-client.ts'
import { type Logger, silentLogger } from './base/logger.ts'
import { type Argon2, createPasswords } from './base/passwords.ts'
import { createPriceSchedule } from './billing/catalogue/price-schedule.ts'
import { createPriceSyncs } from './billing/catalogue/price-syncs.ts'
import type { Ledger } from './billing/ledger.ts'
import { createLedgerChecks } from './billing/ledger-checks.ts'
import { openLedger } from './billing/sqlite-ledger.ts'
import { createUpkeep } from './billing/upkeep.ts'
import { startUsageBackfill } from './billing/usage-backfill.ts'
import { type Channels, createChannels } from './channels/channels.ts'
import { createChannelEvents } from './channels/health/channel-events.ts'
import type { ChannelRegistry } from './channels/registry/channel-registry.ts'
import { sealColumns } from './channels/registry/sealed-columns.ts'
import type { Config } from './config.ts'
import { createImports, type ImportsDeps } from './import/imports.ts'
import { installation, version, viewerFolder } from './installation.ts'
import { createScheduler } from './jobs/scheduler.ts'
import { createBodyPace } from './limits/body-pace.ts'
import { ranges } from './limits/client-address.ts'
import { createEntranceRates, createHttpRates, createWalletRates } from './limits/http-rate.ts'
import { limitsIn } from './limits/token-limits.ts'
import { createTokenUseRegistry } from './limits/token-use-registry.ts'
import { listen, urlOf } from './listen.ts'
import { createMailer } from './mail/mailer.ts'
import { createLowBalance } from './notify/low-balance.ts'
import { createNotices } from './notify/notices.ts'
import { createIdentities, type Identities } from './relay/admission/identify.ts'
import { createRelay, markToken } from './relay/create.ts'
import { chatAddress, createProbe } from './relay/probing/probe.ts'
import { createPools } from './relay/upstream/connection-pools.ts'
import { createDialectRuntime } from './relay/upstream/dialect-runtime.ts'
import type { Secrets } from './secrets.ts'
import { openSettings, type Settings } from './settings/settings.ts'
import { shownBy } from './settings/shown-quota.ts'
import { toldToOthers } from './settings/told-options.ts'
import { keepSetupLink } from './setup-link.ts'
import type { Changes } from './shared-state/changes.ts'
import { ownState, type SharedState } from './shared-state/shared-state.ts'
import { type Stopping, stopping } from './stopping.ts'
import { type Db, openDatabase } from './store/database.ts'
import { optionTable } from './store/options.ts'
import { sqliteStore } from './store/sqlite-store.ts'
import type { Store } from './store/store.ts'
import { createWallet } from './wallet/wallet.ts'

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
  /** What several nodes would know together; this process's own unless told otherwise. */
  shared?: SharedState
  /** Stands before the ledger and the store, in tests of answers that come later. */
  before?: Readonly<{ ledger: (ledger: Ledger) => Ledger; store: (store: Store) => Store }>
  /** Hashes passwords; as slowly as they should be hashed unless a test stands in for it. */
  argon2?: Argon2
  /** Holds every answer of the API against its contract; for tests. */
  checkAnswers?: boolean
}>

/** A running gateway. */
export interface Gateway extends Stopping {
  readonly url: string
  /** Where the first administrator is made, with the one-time code; null from the moment that is done. */
  readonly setupLink: string | null
  /** Signs the desktop's own window in, once and within a minute; null unless it is set up and in self-use mode. */
  ticket(): Promise<Ticket | null>
  /** Begins a login in the system's browser for that window. */
  handover(): BegunHandover
  /** For tests and the desktop shell: the parts behind the addresses. */
  readonly inner: Readonly<{ db: Db; ledger: Ledger; settings: Settings; registry: ChannelRegistry }>
}

/** Builds everything in the order it depends on each other and starts to listen. Throws `CannotStart` when it cannot. */
export async function createGateway(surroundings: Surroundings): Promise<Gateway> {
  keepRequestsYoung()
  const ground = await layGround(surroundings)
  try {
    const domains = await buildDomains(ground)
    const { config, address, log } = ground
    const kept = { folder: config.DATA_DIR, log }
    const onSetUp = () => keepSetupLink(kept, null)
    const { hosts, pace, ...doors } = openDoors(ground, domains, { ...surroundings, onSetUp })
    const { server, bound } = await listen({ ...doors, log }, config.HOST, config.PORT).catch(async (error) => {
      pace.close()
      await domains.stop()
      throw error
    })
    address.bound = bound
    hosts.refresh()
    const url = urlOf(bound)
    const setupLink = () => {
      const code = domains.access.setup.code()
      return code === undefined ? null : `${url}/setup?code=${code}`
    }
    keepSetupLink(kept, setupLink())
    log.info('listening', { url, setUp: domains.access.setup.isDone() })
    return {
      url,
      get setupLink() {
        return setupLink()
      },
      ticket: () => domains.access.tickets.issue(),
      handover: () => domains.access.handovers.begin(),
      ...stopping({
        server,
        drain: (hurry) => Promise.all([domains.relay.routes.drain(config.DRAIN_S * 1000, hurry), ground.jobs.stop()]),
        async close() {
          pace.close()
          await domains.stop()
          await ground.close()
          log.info('stopped')
        },
      }),
      inner: { db: ground.db, ledger: ground.ledger, settings: ground.settings, registry: domains.channels.registry },
    }
  } catch (error) {
    await ground.close()
    throw error
  }
}

type Address = { bound?: AddressInfo }

/** What everything stands on: the database, the vault, the settings and the ledger. */
async function layGround(surroundings: Surroundings) {
  const { config, secrets, clock = systemClock, log = silentLogger, before, argon2 } = surroundings
  const { shared = ownState(clock), providers = providerAddresses } = surroundings
  const database = await openDatabase(config.DATA_DIR, unixSeconds(clock))
  const own = sqliteStore(database, log)
  const store = before?.store(own) ?? own
  const { db, reader } = store
  try {
    const vault = createVault(await secrets.dataKey())
    await store.scrubbed(() => sealColumns(db, vault))
    const address: Address = {}
    const listenAddress = () => (address.bound ? urlOf(address.bound) : `http://127.0.0.1:${config.PORT}`)
    const settings = await openSettings({
      store: toldToOthers(optionTable({ db, vault, clock, log }), (keys) => shared.changes.tell('options', keys)),
      listenAddress,
      warn: log.warn,
    })
    shared.changes.follow('options', () => settings.reload())
    const show = shownBy(settings)
    const low: { tell?: ReturnType<typeof createLowBalance> } = {}
    const onLow = (userId: number, left: number) => low.tell?.(userId, left)
    const kept = { database, folder: config.DATA_DIR, isCounted: () => settings.get('DataExportEnabled') }
    const sqlite = await openLedger({ ...kept, clock, log, show, onLow })
    const ledger = before?.ledger(sqlite) ?? sqlite
    const inTurn = pLimit(1)
    const checks = createLedgerChecks({ db, clock, log, note: (row) => ledger.note(row), inTurn })
    await checks.atStart()
    const jobs = createScheduler({ db, clock, locks: shared.locks, log })
    const upkeep = createUpkeep({ db, settings, clock, log, checks, inTurn, jobs })
    const backfill = await startUsageBackfill({ db, settings, clock, log, locks: shared.locks, jobs })
    const close = async () => {
      await backfill.stop()
      await Promise.all([jobs.stop(), upkeep.stop()])
      await ledger.close()
      await store.close()
    }
    return {
      argon2,
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
      low,
      checks,
      inTurn,
      jobs,
      upkeep,
      backfill,
      close,
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
type Ground = Awaited<ReturnType<typeof layGround>>

const userAgent = `Switchyard/${version}`

/** How people are told of what concerns them. */
function buildNotices(ground: Ground) {
  const isAllowed = ranges(ground.config.FETCH_ALLOWED_ADDRESSES)
  const mailer = createMailer(ground)
  const note: Ledger['note'] = (row) => ground.ledger.note(row)
  const settingOf = (row: StoredSetting) => openedSetting(row, ground.vault)
  const notices = createNotices({ ...ground, mailer, userAgent, isAllowed, settingOf, note })
  ground.low.tell = createLowBalance({ ...ground, notices })
  return { mailer, notices, note, isAllowed }
}

/** What the gateway knows and does: channels, tokens, accounts, the relay. */
async function buildDomains(ground: Ground) {
  const { config, clock, log, store, shared, db, settings, show, ledger } = ground
  const waits = {
    connect: config.UPSTREAM_CONNECT_TIMEOUT,
    headers: config.UPSTREAM_HEADERS_TIMEOUT,
    idle: config.STREAMING_TIMEOUT,
  }
  const pools = createPools(waits)
  const http = createHttpClient(waits.connect * 1000)
  const dialectRuntime = createDialectRuntime(settings, ground.clock)
  const { mailer, notices, note, isAllowed } = buildNotices(ground)
  const channels = await createChannels({
    ...ground,
    fetchTrusted: http.fetchTrusted,
    probe: createProbe({ pools, settings, userAgent, ...dialectRuntime }),
    chatAddress,
    note,
    notify: createChannelEvents({ ...ground, note, tell: notices.notify }),
  })
  const uses = createTokenUseRegistry({ clock, charges: store.charges, flush: () => ledger.flush(), show })
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
    mostImages: config.GEMINI_VISION_MAX_IMAGE_NUM,
    bodyMemoryMib: config.MAX_BODY_MEMORY_MB,
    largestMediaMib: config.MAX_FILE_DOWNLOAD_MB,
    longestCallMs: config.RELAY_TIMEOUT * 1000,
    followTasksEveryMs: config.UPDATE_TASK ? config.TASK_POLLING_INTERVAL * 1000 : 0,
    bounds: { all: config.MAX_REQUESTS, perUser: config.MAX_REQUESTS_PER_USER, perKey: config.MAX_REQUESTS_PER_KEY },
  })
  const tokens = createTokens({
    ...ground,
    onChange(tokenId, keyHash) {
      identities.forgetToken(keyHash)
      relay.responseCache.clearToken(tokenId)
      return shared.changes.tell('tokens', [keyHash])
    },
    budgetUse: (row) => uses.report(row.id, limitsIn(row)),
  })
  const passwords = createPasswords(ground.argon2)
  const { fetchTrusted } = http
  const givesTokens = config.GENERATE_DEFAULT_TOKEN
  const forget = (userId: number) => {
    identities.forgetUser(userId)
    relay.responseCache.clearUser(userId)
    return relay.routes.recheck(userId)
  }
  const accounts = createAccounts({ ...ground, mailer, passwords, tokens, givesTokens, forget, fetchTrusted })
  const access = await createAccess({ ...ground, ...guardsOf(ground), passwords, version })
  const wallet = createWallet({ ...ground, ...createWalletRates(shared.rates) })
  const updates = await buildUpdates(ground, { channels, identities, fetchTrusted })
  const stop = async () => {
    await Promise.all([updates.stop(), wallet.stop()])
    await Promise.all([relay.stop(), access.stop(), accounts.stop(), channels.stop(), pools.close(), http.close()])
    await notices.stop()
  }
  return { ...updates, channels, identities, relay, tokens, accounts, wallet, access, fetchTrusted, stop }
}
type Domains = Awaited<ReturnType<typeof buildDomains>>

/** What stands before those who want to come in. */
const guardsOf = ({ config, shared: { rates, pendingLogins } }: Ground) => ({
  ...createEntranceRates(config.CRITICAL_RATE_LIMIT, rates),
  pending: pendingLogins,
})

type Updated = Readonly<{ channels: Channels; identities: Identities; fetchTrusted: HttpClient['fetchTrusted'] }>

/** What is taken over from elsewhere: prices of catalogues, at once or when they are due, and other installations. */
async function buildUpdates(ground: Ground, { channels, identities, fetchTrusted }: Updated) {
  const { ledger, shared } = ground
  const note: Ledger['note'] = (row) => ledger.note(row)
  const offered = () => channels.registry.enabledModels()
  const priceSyncs = createPriceSyncs({ ...ground, fetchTrusted, offered, note })
  const priceSchedule = createPriceSchedule({ ...ground, note })
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
    await changes.tell('tokens', keyHashes)
    await changes.tell('options', options)
  }

/** How the world comes in: the relay first, then the console's API, then its files. */
function openDoors(ground: Ground, domains: Domains, surroundings: Surroundings & Readonly<{ onSetUp: () => void }>) {
  const { consoleFolder, checkAnswers = false, onSetUp, verifyUrl = TURNSTILE_VERIFY_URL } = surroundings
  const { config, clock, log, settings, address } = ground
  const { access, relay, identities } = domains
  const isTrustedProxy = config.TRUSTED_PROXIES.length > 0 ? ranges(config.TRUSTED_PROXIES) : () => false
  const rates = createHttpRates({
    api: config.GLOBAL_API_RATE_LIMIT,
    web: config.GLOBAL_WEB_RATE_LIMIT,
    critical: config.CRITICAL_RATE_LIMIT,
    rates: ground.shared.rates,
  })
  const serverAddress = () => settings.serverAddress()
  const hosts = createHostGuard({
    bound: () => address.bound,
    serverAddress: () => settings.get('ServerAddress'),
    callbackAddress: () => settings.get('CustomCallbackAddress'),
    allowed: config.ALLOWED_HOSTS,
    clock,
  })
  settings.onChange(['ServerAddress', 'CustomCallbackAddress'], () => hosts.refresh())
  const playground = createPlayground({ identity: access.identity, identities, serverAddress })
  const { sessions, identity } = access
  const areas = createAreas({ ...ground, ...domains, version, hosts, onSetUp, verifyUrl })
  const folder = consoleFolder ?? join(installation, 'out', 'renderer')
  const app = createKoa(log)
  app.use(createDocs({ version, viewerFolder, rates, isTrustedProxy }))
  app.use(createPayment({ wallet: domains.wallet, settings, rates, isTrustedProxy, log }))
  app.use(
    createApi({
      areas,
      identity,
      sessions,
      rates,
      isTrustedProxy,
      serverAddress,
      operatorRole: config.OPTION_MIN_ROLE,
      isDemo: () => settings.get('DemoSiteEnabled'),
      log,
      checkAnswers,
    }),
  )
  app.use(createConsole({ folder, settings, rates, isTrustedProxy }))
  const pace = createBodyPace({ clock })
  const front = createFront({ app, hosts, routes: relay.routes, playground, rates, isTrustedProxy, pace, clock, log })
  const sockets = { all: config.MAX_SOCKETS, perAddress: config.MAX_SOCKETS_PER_ADDRESS, isExempt: isTrustedProxy }
  return { ...front, sockets, hosts, pace }
}
