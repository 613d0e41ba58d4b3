import { createHash } from 'node:crypto'
import { linesOf } from '../../../shared/options/lists.ts'
import type { Clock } from '../../base/clock.ts'
import { sha256 } from '../../base/ids.ts'
import { type Job, type Jobs, nothingDue } from '../../base/jobs.ts'
import { createNamePatterns, type NamePatterns } from '../../base/name-patterns.ts'
import { createMemorySeal } from '../../base/secrets/ciphers.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Settings } from '../../settings/settings.ts'
import { keyFrom } from '../admission/credentials.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import type { Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import { createCacheChanges } from './cache-changes.ts'
import { createKeptAnswers, type KeptAnswers, type KeptOf } from './kept-answers.ts'
import { Recording, type RecordingRoom } from './recording.ts'
import { isReusable } from './reusable.ts'

/** A request whose answer may be kept or given again. */
export type CacheAsk = Readonly<{ context: RequestContext; caller: Caller; call: Call; plan: Plan }>

/** Where the answer to a request lies, if there is one; of use to who brings the key alone. */
export type CachePlace = Readonly<{
  name: string
  sealKey: Buffer
  userId: number
  tokenId: number
  /** An answer that is there is wanted, rather than a new one in its place. */
  isRead: boolean
  /** How many changes had come when it was asked for (cache-changes.ts). */
  since: number
}>

/** An answer that was kept, opened. */
export type CachedAnswer = Readonly<{
  bytes: Buffer
  head: Readonly<Record<string, string>>
  isStream: boolean
  usage: Usage
  ageSeconds: number
}>

/** What is kept now, and how often it was of use since the start. */
type CacheReport = Readonly<{ answers: number; bytes: number; hits: number }>

/** Answers for equal requests of one token, sealed, in memory alone (docs/reference/cache.md). */
export interface ResponseCache {
  /** Undefined where the cache has no part in a request. */
  placeOf(ask: CacheAsk): CachePlace | undefined
  find(place: CachePlace): CachedAnswer | undefined
  /** Where an answer is to be written down, to be dropped by whoever has it; undefined for one that was limited to what its account could pay for. */
  recordingFor(call: Call): Recording | undefined
  /** Keeps an answer that was charged and came whole; the last of several stays. False where it is not kept. */
  keep(place: CachePlace, recording: Recording): boolean
  /** Forgets everything; answers how many there were. */
  clear(): number
  clearToken(tokenId: number): number
  clearUser(userId: number): void
  report(): CacheReport
  stop(): Promise<void>
}

type ResponseCacheDeps = Readonly<{ settings: Settings; clock: Clock; jobs: Jobs }>

const PURGE_MS = 60_000

/** Options that decide what may be kept; and those by which an answer might read otherwise now. */
const emptiedBy = [
  'ResponseCacheEnabled',
  'ResponseCacheSeconds',
  'ResponseCacheSize',
  'ResponseCacheLargestAnswer',
  'SensitiveWords',
  'CheckSensitiveEnabled',
  'StopOnSensitiveEnabled',
] as const

/** The cache of one process; a restart empties it. */
export function createResponseCache({ settings, clock, jobs }: ResponseCacheDeps): ResponseCache {
  const seal = createMemorySeal()
  const monotonic = () => clock.monotonic()
  const isOffered = settings.derive(['ResponseCacheModels'], () => offeredBy(settings.get('ResponseCacheModels')))
  const changes = createCacheChanges()
  let hits = 0
  let answers = emptied(settings, monotonic)
  let room: RecordingRoom = { held: 0, max: answers.maxSize }
  const refill = () => {
    changes.noteAll()
    answers = emptied(settings, monotonic)
    room = { held: 0, max: answers.maxSize }
  }
  const unfollow = settings.onChange(emptiedBy, refill)
  const purge = jobs.begin(purging(() => answers))
  const clearOf = (whose: KeptOf): number => {
    changes.note(whose)
    return answers.removeOf(whose)
  }
  return {
    placeOf(ask) {
      const { context, caller, call, plan } = ask
      if (!caller.isCached || !settings.get('ResponseCacheEnabled')) return undefined
      const mode = modeOf(context)
      if (mode === 'off' || plan.forced || !isOffered()(call.model) || !isReusable(call, mode !== undefined))
        return undefined
      const sent = keyFrom(context.request.headers, context.path, context.query)
      if (!sent) return undefined
      const whose = { userId: caller.account.id, tokenId: caller.tokenId }
      const since = changes.now()
      return { ...whose, name: nameOf(ask), sealKey: seal.keyOf(sent.key), isRead: mode !== 'refresh', since }
    },
    find({ name, sealKey, isRead }) {
      const kept = isRead ? answers.get(name) : undefined
      const bytes = kept && seal.open(kept.sealed, sealKey, name)
      if (!bytes) return undefined
      hits += 1
      return { ...kept, bytes, ageSeconds: Math.floor((monotonic() - kept.sinceMs) / 1000) }
    },
    recordingFor: ({ outputLimit }) =>
      outputLimit === undefined ? new Recording(settings.get('ResponseCacheLargestAnswer') * 1024, room) : undefined,
    keep({ name, sealKey, userId, tokenId, since }, recording) {
      const { head, isStream, usage } = recording
      const bytes = recording.bytes()
      if (!bytes || usage === undefined || changes.haveCome(since, tokenId, userId)) return false
      const sealed = seal.seal(bytes, sealKey, name)
      return answers.set(name, { userId, tokenId, sealed, head, isStream, usage, sinceMs: monotonic() })
    },
    clear() {
      answers.purgeStale()
      const { size } = answers
      refill()
      return size
    },
    clearToken: (tokenId) => clearOf({ tokenId }),
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

/** Takes the answers that are too old out of memory, which nobody asks for any more. */
const purging = (answers: () => Pick<KeptAnswers, 'size' | 'purgeStale'>): Job => ({
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

/** Whether a list, one model a line, has a model. */
const offeredBy = (list: string): NamePatterns<true> =>
  createNamePatterns(Object.fromEntries(linesOf(list).map((name) => [name, true])))

const emptied = (settings: Settings, monotonic: () => number): KeptAnswers =>
  createKeptAnswers(
    settings.get('ResponseCacheSize') * 1024 * 1024,
    settings.get('ResponseCacheSeconds') * 1000,
    monotonic,
  )

type CacheMode = 'use' | 'refresh' | 'off'

/** What the caller asks of the cache; undefined where it says nothing that is known. */
function modeOf({ request }: RequestContext): CacheMode | undefined {
  const said = request.headers['x-switchyard-cache']
  return said === 'use' || said === 'refresh' || said === 'off' ? said : undefined
}

/** Headers of a caller that go on to vendors, or that they read. */
const READ_HEADERS = ['anthropic-version', 'anthropic-beta', 'openai-beta'] as const

/** Everything that an answer follows from, and whose it is, as one hash. */
function nameOf({ context: { path, query, request }, caller, call, plan }: CacheAsk): string {
  const whose = [caller.account.id, caller.tokenId]
  const asked = [path, query, call.endpoint, call.model, plan.group]
  const said = READ_HEADERS.map((name) => request.headers[name] ?? null)
  const body = createHash('sha256').update(call.bytes).digest('hex')
  return sha256(JSON.stringify([...whose, ...asked, ...said, body]))
}
