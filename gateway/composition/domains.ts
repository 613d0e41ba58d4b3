import { tokenStatus } from '../../shared/enums.ts'
import { MIN_PASSWORD_LENGTH } from '../../shared/share/share-settings.ts'
import { createAccess } from '../accounts/access.ts'
import { createAccounts } from '../accounts/accounts.ts'
import { withKnownLength } from '../accounts/known-length.ts'
import { createTokens } from '../accounts/tokens/tokens.ts'
import { openedSetting, type StoredSetting } from '../accounts/user-setting.ts'
import { createDiskSpace } from '../base/disk-space.ts'
import type { HttpClient } from '../base/network/http-client.ts'
import { createPasswords } from '../base/secrets/passwords.ts'
import { createPriceSchedule } from '../billing/catalogue/price-schedule.ts'
import { createPriceSyncs } from '../billing/catalogue/price-syncs.ts'
import { watchNodes } from '../billing/node-alarms.ts'
import { type Channels, createChannels } from '../channels/channels.ts'
import { createChannelEvents } from '../channels/health/channel-events.ts'
import type { ChannelRegistry } from '../channels/registry/channel-registry.ts'
import { createImports, type ImportsDeps } from '../import/imports.ts'
import { version } from '../installation.ts'
import { ranges } from '../limits/client-address.ts'
import { createEntranceRates, createWalletRates } from '../limits/http-rate.ts'
import { limitsIn } from '../limits/token-limits.ts'
import { createTokenUseRegistry } from '../limits/token-use-registry.ts'
import { createMailer } from '../mail/mailer.ts'
import { createBudgetReached } from '../notify/budget-reached.ts'
import { createLowBalance } from '../notify/low-balance.ts'
import { createNotices } from '../notify/notices.ts'
import { createWebhookCheck } from '../notify/webhook-check.ts'
import { createIdentities, type Identities } from '../relay/admission/identify.ts'
import { createRelay, markToken } from '../relay/create.ts'
import { chatAddress, createProbe } from '../relay/probing/probe.ts'
import { createDialectRuntime } from '../relay/upstream/dialect-runtime.ts'
import type { Changes } from '../shared-state/changes.ts'
import { createWallet } from '../wallet/wallet.ts'
import type { Core, GatewayOptions } from './core.ts'
import { type OnNotice, withNoticeListener } from './host-api.ts'
import { createHttpClients } from './http-clients.ts'
import { followOtherNodes } from './other-nodes.ts'

const userAgent = `Switchyard/${version}`

function createNoticeParts(core: Core, onNotice: OnNotice | undefined) {
  const { FETCH_ALLOWED_ADDRESSES: allowed } = core.config
  const isAllowed = ranges(allowed)
  const refusalOf = createWebhookCheck({ ...core, isAllowed, hasAllowed: allowed.length > 0 })
  const mailer = createMailer(core)
  const settingOf = (row: StoredSetting) => openedSetting(row, core.vault)
  const isClockDoubted = async () => (await core.clockWatch.refusal()) !== undefined
  const sender = createNotices({ ...core, mailer, userAgent, isAllowed, settingOf, isClockDoubted })
  const notices = withNoticeListener(sender, onNotice)
  core.low.report = createLowBalance({ ...core, notices })
  core.rootEvents.notifyBy(notices.notify)
  const unwatchNodes = watchNodes(core)
  const stop = () => {
    unwatchNodes()
    return notices.stop()
  }
  return { mailer, notices, stop, isAllowed, refusalOf, onReached: createBudgetReached({ ...core, notices }) }
}

const boundsOf = ({ config, clock }: Pick<Core, 'config' | 'clock'>) => ({
  maxImages: config.GEMINI_VISION_MAX_IMAGE_NUM,
  bodyMemoryMib: config.MAX_BODY_MEMORY_MB,
  maxMediaMib: config.MAX_FILE_DOWNLOAD_MB,
  maxCallMs: config.RELAY_TIMEOUT * 1000,
  followTasksEveryMs: config.UPDATE_TASK ? config.TASK_POLLING_INTERVAL * 1000 : 0,
  hasDiskSpace: config.DATABASE_URL === '' ? createDiskSpace(config.DATA_DIR, clock) : () => true,
  bounds: { all: config.MAX_REQUESTS, perUser: config.MAX_REQUESTS_PER_USER, perKey: config.MAX_REQUESTS_PER_KEY },
})

/** Creates the domains in dependency order: channels, relay, tokens, accounts, wallet, updates. */
export async function createDomains(core: Core, options: GatewayOptions) {
  const { config, clock, log, store, shared, db, settings, show, ledger, livingNodes, nodes } = core
  const { pools, http } = createHttpClients(config, options.systemProxy)
  const { fetchTrusted } = http
  const dialectRuntime = createDialectRuntime(settings, core.clock)
  const noticeParts = createNoticeParts(core, options.onNotice)
  const { notices, onReached } = noticeParts
  const channels = await createChannels({
    ...core,
    fetchTrusted,
    local: options.local,
    probe: createProbe({ pools, settings, userAgent, ...dialectRuntime }),
    chatAddress,
    notify: createChannelEvents(core.rootEvents),
  })
  const ofLedger = { flush: () => ledger.flush(), livingNodes, counts: shared.counts, budgets: nodes.budgets }
  const uses = createTokenUseRegistry({ clock, charges: store.charges, ...ofLedger, show, onReached })
  const identities = createIdentities({
    rows: store.callers,
    uses,
    monotonic: () => clock.monotonic(),
    onIdentified: store.requests.setAccount,
    onExpired: (tokenId) => void markToken(db, tokenId, tokenStatus.expired, log),
  })
  const relay = createRelay({
    ...core,
    channels,
    identities,
    uses,
    pools,
    userAgent,
    dialectRuntime,
    isMediaAllowed: noticeParts.isAllowed,
    ...boundsOf(core),
  })
  const tokens = createTokens({
    ...core,
    async onChange(tokenId, keyHash, isOver) {
      identities.forgetToken(keyHash)
      if (isOver) relay.routes.endOf(tokenId)
      await Promise.all([
        relay.responseCache.clearToken(tokenId),
        shared.changes.publish('tokens', [keyHash]),
        isOver && shared.changes.publish('endings', [String(tokenId)]),
      ])
    },
    budgetUse: (row) => uses.report({ id: row.id, accountId: row.user_id }, limitsIn(row)),
  })
  const passwords = withKnownLength(createPasswords(core.argon2), MIN_PASSWORD_LENGTH)
  const forget = (userId: number) => {
    identities.forgetUser(userId)
    relay.responseCache.clearUser(userId)
    return relay.routes.recheck(userId)
  }
  const own = { passwords, tokens, forget, fetchTrusted, givesTokens: config.GENERATE_DEFAULT_TOKEN }
  const access = await createAccess({ ...core, ...guardsOf(core), passwords, version })
  const accounts = createAccounts({ ...core, ...noticeParts, ...own, requirePassword: access.requirePassword })
  followOtherNodes({ ...core, identities, relay, forget })
  const wallet = createWallet({ ...core, ...createWalletRates(shared.rates) })
  await notices.takeUp()
  const updates = await createUpdates(core, { channels, identities, fetchTrusted })
  const stop = async () => {
    await Promise.all([updates.stop(), wallet.stop()])
    await Promise.all([relay.stop(), access.stop(), accounts.stop(), channels.stop(), pools.close(), http.close()])
    await noticeParts.stop()
  }
  const who = { identities, tokens, accounts, access, passwords }
  return { ...updates, ...who, forget, pools, channels, relay, wallet, fetchTrusted, stop }
}
export type Domains = Awaited<ReturnType<typeof createDomains>>

/** Rates and pending logins, which limit logins. */
const guardsOf = ({ config, shared: { rates, pendingLogins } }: Core) => ({
  ...createEntranceRates(config.CRITICAL_RATE_LIMIT, rates),
  pending: pendingLogins,
})

type Updated = Readonly<{ channels: Channels; identities: Identities; fetchTrusted: HttpClient['fetchTrusted'] }>

/** Prices from catalogues, immediate or scheduled, and imports from other installations. */
async function createUpdates(core: Core, { channels, identities, fetchTrusted }: Updated) {
  const { shared } = core
  const offered = () => channels.registry.enabledModels()
  const priceSyncs = createPriceSyncs({ ...core, fetchTrusted, offered })
  const priceSchedule = createPriceSchedule(core)
  await priceSchedule.atStart()
  const forget = (keyHashes: readonly string[]) => keyHashes.forEach(identities.forgetToken)
  const imports = createImports({ ...core, onWritten: onImported(channels.registry, forget, shared.changes) })
  const stop = async () => void (await Promise.all([priceSchedule.stop(), imports.cancel()]))
  return { priceSyncs, priceSchedule, imports, stop }
}

const onImported =
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
