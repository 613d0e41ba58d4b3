import { completionRules } from '../../shared/completion-rules.ts'
import { tokenStatus } from '../../shared/enums.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { Clock } from '../base/clock.ts'
import type { Jobs } from '../base/jobs.ts'
import type { Logger } from '../base/log/logger.ts'
import { type AddressRule, addressRule } from '../base/network/address-guard.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { withFreeModels } from '../billing/free-models.ts'
import type { Ledger } from '../billing/ledger.ts'
import { createPriceBook, type PriceBook } from '../billing/price.ts'
import type { Channels } from '../channels/channels.ts'
import type { ChannelRegistry } from '../channels/registry/channel-registry.ts'
import { createModelRates } from '../limits/model-rates.ts'
import type { RequestBounds } from '../limits/request-limits.ts'
import type { TokenUseRegistry } from '../limits/token-use-registry.ts'
import type { Settings } from '../settings/settings.ts'
import type { SharedState } from '../shared-state/shared-state.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { Reader } from '../store/sqlite/reader.ts'
import type { MediaTarget } from './adaptation/convert.ts'
import { withMedia } from './adaptation/inline-media.ts'
import { createCheckReferences } from './adaptation/vendor-references.ts'
import { budgetedLedger } from './admission/budgeted-ledger.ts'
import { createDevices, type Devices } from './admission/devices.ts'
import type { Identities } from './admission/identify.ts'
import { createLearnedOutputs } from './admission/learned-outputs.ts'
import { createOutputLimits, type OutputLimits } from './admission/model-output-limits.ts'
import { createWordGuard } from './content-filter/word-guard.ts'
import { createStreamSupervisor } from './delivery/stream-supervisor.ts'
import type { Conversation } from './formats/conversation.ts'
import { BODY_LIMIT } from './intake/body.ts'
import { createBodyMemory } from './intake/body-memory.ts'
import { createKeptBodies, type KeptBodies } from './kept-bodies/kept-bodies.ts'
import { createMediaFetcher } from './media/fetch.ts'
import { createFailureLog } from './metering/failure-log.ts'
import { createSettledCalls, type SettledCalls } from './metering/settled-calls.ts'
import { createReplays, type Replays } from './replays/replays.ts'
import { createResponseCache, type ResponseCache } from './response-cache/response-cache.ts'
import { createRoutes, type RelayRoutes } from './routes.ts'
import { type Explanation, explain, type ParsedExplainRequest } from './routing/explain.ts'
import { createConversations } from './stored/conversations.ts'
import { createStoredResponses } from './stored/stored-responses.ts'
import { createTasks, taskPrices } from './tasks/create-tasks.ts'
import type { ImageLinks } from './tasks/image-links.ts'
import { createTokenCounter } from './tokenizer/counter.ts'
import { imageSize } from './tokenizer/images.ts'
import { createRecordingMeter } from './tokenizer/recording-meter.ts'
import type { Pools } from './upstream/connection-pools.ts'
import type { DialectRuntime } from './upstream/dialect-runtime.ts'
import { withoutSecrets } from './upstream/redaction.ts'

type CreateRelayDeps = Readonly<{
  db: Db
  reader: Pick<Reader, 'until'>
  vault: Vault
  settings: Settings
  ledger: Ledger
  auditLog: AuditLog
  channels: Channels
  identities: Identities
  uses: TokenUseRegistry
  /** The nodes that use the database, this one included. */
  livingNodes: () => number
  pools: Pools
  shared: Pick<SharedState, 'affinity' | 'changes' | 'counts' | 'rates'>
  jobs: Jobs
  clock: Clock
  log: Logger
  userAgent: string
  dialectRuntime: DialectRuntime
  /** Images per message for Gemini; -1 for no limit. */
  maxImages: number
  /** Memory for the bodies of all active requests together, and as much again for responses, in MiB. */
  bodyMemoryMib: number
  /** Largest file that is downloaded, in MiB. */
  maxMediaMib: number
  /** Longest total duration of one upstream call, in milliseconds; 0 for no limit. */
  maxCallMs: number
  bounds: RequestBounds
  /** Milliseconds between polls of unfinished vendor tasks; 0 disables polling. */
  followTasksEveryMs: number
  /** Non-public addresses from which files named by callers may be downloaded. */
  isMediaAllowed: AddressRule
  /** Whether there is disk space for data that callers are not charged for. */
  hasDiskSpace: () => boolean
}>

/** `stop` ends timers, threads and polls, and writes pending data; call it after `routes.drain`. */
export type Relay = Readonly<{
  routes: RelayRoutes
  devices: Devices
  prices: () => PriceBook
  settled: SettledCalls
  imageLinks: ImageLinks
  responseCache: ResponseCache
  keptBodies: KeptBodies
  replays: Replays
  /** Returns undefined for an account that is not active. */
  explain: (ask: ParsedExplainRequest, accountId: number, nowSeconds: number) => Promise<Explanation | undefined>
  stop(): Promise<void>
}>

function createStages(deps: CreateRelayDeps) {
  const { db, settings, ledger, shared, channels, pools, clock, log, userAgent } = deps
  const supervisor = createStreamSupervisor(clock)
  const settled = createSettledCalls()
  const { registry, health, clientUsage, cooldowns, inFlight, openSessions } = channels
  const prices = createPrices(settings, registry)
  const storage = createStorage(deps)
  const counter = createTokenCounter({ clock, log })
  const recordings = createRecordingMeter()
  const limits = { maxBytes: deps.maxMediaMib * 1024 * 1024 }
  /** Bytes of the longest body, or of the largest file if that is larger. */
  const maxBytes = Math.max(BODY_LIMIT, limits.maxBytes)
  const media = createMediaFetcher({ settings, clock, userAgent, isAllowed: deps.isMediaAllowed, limits })
  const { hasDiskSpace, jobs } = deps
  const failures = createFailureLog({ settings, write: deps.auditLog.record, clock, jobs, hasDiskSpace })
  const relay = {
    ...deps.dialectRuntime,
    counter,
    recordings,
    imageSize,
    mediaFor: media.fetchFor,
    checkReferences: createCheckReferences(addressRule(deps.isMediaAllowed)),
    withMedia: (conversation: Conversation, mediaTarget: MediaTarget) =>
      withMedia(
        { fetch: media.fetchFor(mediaTarget.accountId), maxImages: deps.maxImages, maxBytes },
        conversation,
        mediaTarget,
      ),
    settings,
    registry,
    prices,
    outputLimits: outputLimitsOf(settings),
    learnedOutputs: createLearnedOutputs(() => clock.monotonic()),
    withoutSecrets,
    pools,
    passThrough: () => settings.get('global.pass_through_request_enabled'),
    userAgent,
    ledger: budgetedLedger(ledger, deps.uses),
    modelRates: createModelRates({ settings, clock, livingNodes: deps.livingNodes, counts: deps.shared.counts }),
    health,
    clientUsage,
    cooldowns,
    affinity: shared.affinity,
    inFlight,
    openSessions,
    bodies: createBodyMemory(deps.bodyMemoryMib * 1024 * 1024),
    responseMemory: createBodyMemory(deps.bodyMemoryMib * 1024 * 1024),
    supervisor,
    settled,
    failures,
    ...storage,
    words: createWordGuard(settings, log),
    maxCallMs: deps.maxCallMs,
    clock,
    log,
    onShort: (tokenId: number) => void markToken(db, tokenId, tokenStatus.exhausted, log),
  }
  const stop = async () => {
    const stopping = Object.values(storage).map((one) => one.stop())
    await Promise.all([counter.close(), recordings.close(), media.close(), failures.stop(), ...stopping])
  }
  return { relay, stop }
}

export function createRelay(deps: CreateRelayDeps): Relay {
  const { db, vault, settings, identities, clock, log } = deps
  const { relay, stop } = createStages(deps)
  const { registry, prices, settled, supervisor } = relay
  const models = { settings, registry, prices }
  const { tasks, polls } = createTasks({
    ...relay,
    db,
    vault,
    prices: createPrices(settings, registry, taskPrices),
    jobs: deps.jobs,
    shared: deps.shared,
    everyMs: deps.followTasksEveryMs,
    maxImageBytes: deps.maxMediaMib * 1024 * 1024,
  })
  const devices = createDevices(clock)
  const routes = createRoutes({ relay, tasks, models, db, identities, devices, bounds: deps.bounds, clock, log })
  return {
    routes,
    devices,
    prices,
    settled,
    imageLinks: tasks.links,
    responseCache: relay.responseCache,
    keptBodies: relay.keptBodies,
    replays: createReplays({
      answer: (request, response, by) =>
        routes.handle(request, response, { ...by, waitSeconds: 0, session: async () => by.requester.caller }),
      identities,
      clock,
    }),
    async explain(ask, accountId, nowSeconds) {
      const account = await identities.account(accountId)
      return account && explain({ ...relay, identities }, ask, account, nowSeconds)
    },
    async stop() {
      supervisor.close()
      routes.close()
      await polls.stop()
      await stop()
    },
  }
}

function createStorage(deps: CreateRelayDeps) {
  return {
    stored: createStoredResponses(deps),
    conversations: createConversations(deps),
    responseCache: createResponseCache(deps),
    keptBodies: createKeptBodies(deps),
  }
}

/**
 * Records that a token has expired or has nothing left (docs/reference/errors.md#refusals). Changes enabled tokens
 * only, and sets `exhausted` only if the token is exhausted: a request may also be refused because it needed more than
 * remains.
 */
export async function markToken(db: Db, tokenId: number, status: number, log: Logger): Promise<void> {
  try {
    await db
      .updateTable('tokens')
      .set({ status })
      .where('id', '=', tokenId)
      .where('status', '=', tokenStatus.enabled)
      .$if(status === tokenStatus.exhausted, (query) =>
        query.where('unlimited_quota', '=', 0).where('remain_quota', '<=', 0),
      )
      .execute()
  } catch (error) {
    log.warn('the status of a token could not be written', { tokenId, error })
  }
}

const outputLimitsOf = (settings: Settings): (() => OutputLimits) =>
  settings.derive(['ModelMaxOutput', 'DefaultMaxOutput'], () =>
    createOutputLimits({ byModel: settings.get('ModelMaxOutput'), otherwise: settings.get('DefaultMaxOutput') }),
  )

/**
 * Returns a function for the price book, which combines the pricing options with the models that only free channels
 * have; rebuilt when either changes. `defaults` are prices of models that have none in `ModelPrice`.
 */
function createPrices(
  settings: Settings,
  registry: Pick<ChannelRegistry, 'freeModels'>,
  defaults: Readonly<Record<string, number>> = {},
): () => PriceBook {
  const setBook = createSetPrices(settings, defaults)
  let last: Readonly<{ set: PriceBook; free: ReadonlySet<string>; book: PriceBook }> | undefined
  return () => {
    const [set, free] = [setBook(), registry.freeModels()]
    if (last?.set !== set || last.free !== free) last = { set, free, book: withFreeModels(set, free) }
    return last.book
  }
}

const createSetPrices = (settings: Settings, defaults: Readonly<Record<string, number>>): (() => PriceBook) =>
  settings.derive(pricingOptions, () =>
    createPriceBook(
      {
        modelPrice: { ...defaults, ...settings.get('ModelPrice') },
        modelRatio: settings.get('ModelRatio'),
        completionRatio: settings.get('CompletionRatio'),
        cacheRatio: settings.get('CacheRatio'),
        createCacheRatio: settings.get('CreateCacheRatio'),
        imageRatio: settings.get('ImageRatio'),
        priceSteps: settings.get('PriceSteps'),
        tierRatio: settings.get('ServiceTierRatio'),
        audioRatio: settings.get('AudioRatio'),
        audioCompletionRatio: settings.get('AudioCompletionRatio'),
        groupRatio: settings.get('GroupRatio'),
        groupGroupRatio: settings.get('GroupGroupRatio'),
      },
      completionRules,
    ),
  )

const pricingOptions = [
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'PriceSteps',
  'ServiceTierRatio',
  'GroupRatio',
  'GroupGroupRatio',
] as const
