import { createHash } from 'node:crypto'
import { linesOf } from '../../../shared/options/lists.ts'
import type { Clock } from '../../base/clock.ts'
import { sha256 } from '../../base/ids.ts'
import { type Job, type Jobs, nothingDue } from '../../base/jobs.ts'
import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import { createNamePatterns, type NamePatterns } from '../../base/name-patterns.ts'
import { createMemorySeal } from '../../base/secrets/ciphers.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ChangedNames } from '../../shared-state/changes.ts'
import type { SharedState } from '../../shared-state/shared-state.ts'
import { keyFrom } from '../admission/credentials.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import type { Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import { createCacheChanges } from './cache-changes.ts'
import { type CachedAnswers, createCachedAnswers, type KeptOf } from './cached-answers.ts'
import { type RecordedAnswer, Recording, type RecordingBudget } from './recording.ts'
import { isReusable } from './reusable.ts'

type CacheLookup = Readonly<{ context: RequestContext; caller: Caller; call: Call; plan: Plan }>

/** The cache slot of a request; only usable with the request's key. */
type CacheKey = Readonly<{
  name: string
  sealKey: Buffer
  userId: number
  tokenId: number
  /** Whether a cached response may be served, rather than replaced. */
  isRead: boolean
  /** Number of the last change when the request arrived (cache-changes.ts). */
  since: number
}>

export type CachedAnswer = Readonly<{
  bytes: Buffer
  head: Readonly<Record<string, string>>
  isStream: boolean
  usage: Usage
  ageSeconds: number
}>

type CacheReport = Readonly<{ answers: number; bytes: number; hits: number }>

/** Cached responses for identical requests of one token, encrypted, in memory only (docs/reference/cache.md). */
export interface ResponseCache {
  /** Returns undefined if the request is not cacheable. */
  keyOf(request: CacheLookup): CacheKey | undefined
  find(cacheKey: CacheKey): CachedAnswer | undefined
  /**
   * Starts a recording, which the caller must drop; undefined if the output was limited to what the account could pay
   * for.
   */
  recordingFor(cacheKey: CacheKey, call: Call): Recording | undefined
  /** Clears the cache on all nodes; returns the number of responses removed on this one. */
  clear(): MaybePromise<number>
  clearToken(tokenId: number): MaybePromise<number>
  clearUser(userId: number): void
  report(): CacheReport
  stop(): Promise<void>
}

type ResponseCacheDeps = Readonly<{
  settings: Settings
  clock: Clock
  jobs: Jobs
  shared: Pick<SharedState, 'changes'>
}>

const PURGE_MS = 60_000

/** A change of these options empties the cache: they decide what may be cached, or affect the content of responses. */
const emptiedBy = [
  'ResponseCacheEnabled',
  'ResponseCacheSeconds',
  'ResponseCacheSize',
  'ResponseCacheLargestAnswer',
  'SensitiveWords',
  'CheckSensitiveEnabled',
  'StopOnSensitiveEnabled',
] as const

/** Stores responses in the memory of this process; they are lost on restart. */
export function createResponseCache({ settings, clock, jobs, shared }: ResponseCacheDeps): ResponseCache {
  const seal = createMemorySeal()
  const monotonic = () => clock.monotonic()
  const isOffered = settings.derive(['ResponseCacheModels'], () => offeredBy(settings.get('ResponseCacheModels')))
  const changes = createCacheChanges()
  let hits = 0
  let answers = emptied(settings, monotonic)
  let memory: RecordingBudget = { recorded: 0, max: answers.maxSize }
  const refill = () => {
    changes.noteAll()
    answers = emptied(settings, monotonic)
    memory = { recorded: 0, max: answers.maxSize }
  }
  const unfollow = settings.onChange(emptiedBy, refill)
  const purge = jobs.begin(purging(() => answers))
  const clearOf = (whose: KeptOf): number => {
    changes.note(whose)
    return answers.removeOf(whose)
  }
  const clearAll = (): number => {
    answers.purgeStale()
    const { size } = answers
    refill()
    return size
  }
  shared.changes.follow('answers', (tokenIds) => {
    if (tokenIds === 'all') clearAll()
    else for (const tokenId of tokenIds) clearOf({ tokenId: Number(tokenId) })
  })
  /** Returns false if the response is not cached; replaces an earlier one. */
  const keep = ({ name, sealKey, userId, tokenId, since }: CacheKey, { bytes, ...answer }: RecordedAnswer): boolean => {
    if (changes.haveCome(since, tokenId, userId)) return false
    const sealed = seal.seal(bytes, sealKey, name)
    return answers.set(name, { userId, tokenId, sealed, ...answer, sinceMs: monotonic() })
  }
  return {
    keyOf(request) {
      const { context, caller, call, plan } = request
      if (!caller.isCached || !settings.get('ResponseCacheEnabled')) return undefined
      const mode = modeOf(context)
      if (mode === 'off' || plan.forced || !isOffered()(call.model) || !isReusable(call, mode !== undefined))
        return undefined
      const sent = keyFrom(context.request.headers, context.path, context.query)
      if (!sent) return undefined
      const whose = { userId: caller.account.id, tokenId: caller.tokenId }
      const since = changes.now()
      return { ...whose, name: nameOf(request), sealKey: seal.keyOf(sent.key), isRead: mode !== 'refresh', since }
    },
    find({ name, sealKey, isRead }) {
      const entry = isRead ? answers.get(name) : undefined
      const bytes = entry && seal.open(entry.sealed, sealKey, name)
      if (!bytes) return undefined
      hits += 1
      return { ...entry, bytes, ageSeconds: Math.floor((monotonic() - entry.sinceMs) / 1000) }
    },
    recordingFor(cacheKey, { outputLimit }) {
      if (outputLimit !== undefined) return undefined
      return new Recording(settings.get('ResponseCacheLargestAnswer') * 1024, memory, (answer) =>
        keep(cacheKey, answer),
      )
    },
    clear: () => published(shared, clearAll(), 'all'),
    clearToken: (tokenId) => published(shared, clearOf({ tokenId }), [String(tokenId)]),
    clearUser: (userId) => void clearOf({ userId }),
    report() {
      answers.purgeStale()
      return { answers: answers.size, bytes: answers.bytes, hits }
    },
    async stop() {
      unfollow()
      await purge.stop()
    },
  }
}

const published = (
  { changes }: ResponseCacheDeps['shared'],
  cleared: number,
  tokenIds: ChangedNames,
): MaybePromise<number> => whenKnown(changes.publish('answers', tokenIds), () => cleared)

const purging = (answers: () => Pick<CachedAnswers, 'size' | 'purgeStale'>): Job => ({
  name: 'response-cache',
  everyMs: PURGE_MS,
  isOnEveryNode: true,
  work() {
    const before = answers().size
    answers().purgeStale()
    const n = before - answers().size
    return n > 0 ? { key: 'job.removed', params: { n } } : nothingDue
  },
})

/** Matches models against a list with one name or pattern per line. */
const offeredBy = (list: string): NamePatterns<true> =>
  createNamePatterns(Object.fromEntries(linesOf(list).map((name) => [name, true])))

const emptied = (settings: Settings, monotonic: () => number): CachedAnswers =>
  createCachedAnswers(
    settings.get('ResponseCacheSize') * 1024 * 1024,
    settings.get('ResponseCacheSeconds') * 1000,
    monotonic,
  )

type CacheMode = 'use' | 'refresh' | 'off'

/** The cache mode that the caller requests; undefined if there is none or it is unknown. */
function modeOf({ request }: RequestContext): CacheMode | undefined {
  const value = request.headers['x-switchyard-cache']
  return value === 'use' || value === 'refresh' || value === 'off' ? value : undefined
}

/** Caller headers that are passed to vendors or that vendors interpret. */
const READ_HEADERS = ['anthropic-version', 'anthropic-beta', 'openai-beta'] as const

/** A hash of the owner and of everything that affects the response. */
function nameOf({ context: { path, query, request }, caller, call, plan }: CacheLookup): string {
  const whose = [caller.account.id, caller.tokenId]
  const parts = [path, query, call.endpoint, call.model, plan.group]
  const headers = READ_HEADERS.map((name) => request.headers[name] ?? null)
  const body = createHash('sha256').update(call.bytes).digest('hex')
  return sha256(JSON.stringify([...whose, ...parts, ...headers, body]))
}
