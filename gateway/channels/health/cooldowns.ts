import type { Clock } from '../../base/clock.ts'
import type { CooldownEntries, CooldownEntry } from '../../shared-state/cooldown-entries.ts'
import { type ChannelFailure, cooldownSeconds, retryAfterSeconds, ruleOf } from './cooldown-policy.ts'

/** A channel and one of its keys; `keyId` is empty if it has only one. */
type CooldownTarget = Readonly<{ id: number; keyId: string }>

/**
 * A request and its size in tokens, which vendors compare with their limits: the likely prompt (the most, if only the
 * vendor knows it) and the output that the request allows, for each of its answers.
 */
export type RoutedRequest = Readonly<{ model: string; accountId: number; tokens: number }>

/** A request whose cooldowns are looked up; without an account, it may be of any. */
export type CooldownQuery = Readonly<{ model: string; accountId: number | null; tokens: number }>

/**
 * Why a channel or a key is skipped. `limited`: its vendor sent a time to retry after; `failing`: it may be used as a
 * last resort.
 */
export type Cooldown = Readonly<{ kind: 'limited' | 'failing'; status: number; seconds: number }>

/** A cooldown in effect for a request; `untilMs` is in monotonic milliseconds. */
export type ActiveCooldown = Readonly<{ kind: Cooldown['kind']; status: number; untilMs: number }>

/** A snapshot at one time of the monotonic clock, in milliseconds. */
export type CooldownSnapshot = Readonly<{ nowMs: number; active: (channelId: number) => ActiveCooldown | undefined }>

/** A cooldown for display. An empty `keyId` or `model` means that it applies to all keys or all models. */
export type ListedCooldown = Cooldown &
  Readonly<{ channelId: number; keyId: string; model: string; message: string; failures: number; failedAt: number }>

/**
 * Channels and keys that are skipped for a while (docs/reference/selection.md#cooldowns), for one model or for all.
 * When a cooldown ends, one request tries the target; others wait for its result, for a second at most.
 */
export interface Cooldowns {
  /** Why the channel itself, regardless of the key, is skipped for a request now; undefined if it is not. */
  of(channelId: number, request: CooldownQuery): Cooldown | undefined
  /** Why one of several keys is skipped for a request now; undefined if it is not. */
  ofKey(target: CooldownTarget, request: CooldownQuery): Cooldown | undefined
  /** A snapshot of the channel-wide cooldowns for a request; must be read synchronously. */
  moment(request: RoutedRequest): CooldownSnapshot
  /** Call it when a request is sent: a cooldown that has ended becomes half-open, with this request as its trial. */
  requested(target: CooldownTarget, model: string): void
  failed(target: CooldownTarget, request: RoutedRequest, failure: ChannelFailure): void
  /** A response began: the target is used again, but a failure within the response adds to the previous ones. */
  answered(target: CooldownTarget, model: string): void
  /** The request succeeded: clears the failures of the target. */
  served(target: CooldownTarget, model: string): void
  list(channelId?: number): ListedCooldown[]
  clear(channelId: number, keyId?: string): void
}

const FAILURE_MEMORY_MS = 3_000_000
/**
 * Max time for which others wait for a trial request: a vendor reports at once that a limit is still in effect, but a
 * response may take minutes.
 */
const MAX_TRIAL_MS = 1000
/** Max cooldowns; beyond it all are dropped, which only costs attempts. */
const MAX_ENTRIES = 10_000
const MAX_MESSAGE_LENGTH = 300

/** `random` returns a fraction in [0, 1), to spread the ends of cooldowns that began together. */
export function createCooldowns(clock: Clock, random: () => number, entries: CooldownEntries): Cooldowns {
  return {
    of(channelId, request) {
      if (entries.size === 0) return undefined
      const now = clock.monotonic()
      const own = entries.ofModel(request.model).get(channelId)
      return cooldownOf(active(entries.allModels.get(channelId), own, request, now), now)
    },
    ofKey({ id, keyId }, request) {
      if (entries.size === 0) return undefined
      const now = clock.monotonic()
      const own = entries.exactly(id, keyId, request.model)
      return cooldownOf(active(entries.exactly(id, keyId, ''), own, request, now), now)
    },
    moment(request) {
      const nowMs = clock.monotonic()
      const allModels = entries.allModels.size > 0 ? entries.allModels : undefined
      const ofModel = entries.ofModel(request.model)
      return { nowMs, active: (id) => active(allModels?.get(id), ofModel.get(id), request, nowMs) }
    },
    requested(target, model) {
      if (entries.size === 0) return
      const trialUntilMs = clock.monotonic() + MAX_TRIAL_MS
      for (const entry of entries.concerning(target, model)) if (entry.untilMs > 0) entry.trialUntilMs = trialUntilMs
    },
    failed(target, { model, accountId, tokens }, failure) {
      for (const entry of entries.concerning(target, model)) entry.trialUntilMs = 0
      const rule = ruleOf(failure)
      if (!rule) return
      if (entries.size >= MAX_ENTRIES) entries.clear()
      const scope = {
        channelId: target.id,
        keyId: rule.isKeys ? target.keyId : '',
        model: rule.isAllModels ? '' : model,
      }
      const now = clock.monotonic()
      const before = entries.exactly(scope.channelId, scope.keyId, scope.model)
      const failures = failuresSince(before, now)
      const retryAfter = retryAfterSeconds(failure, clock.now())
      const seconds = retryAfter ?? cooldownSeconds(rule, failures, random())
      entries.put({
        ...scope,
        ...refusedRequests(before, { accountId, tokens }, now),
        kind: retryAfter === undefined ? 'failing' : 'limited',
        status: failure.status,
        message: (failure.message ?? '').slice(0, MAX_MESSAGE_LENGTH),
        failures,
        untilMs: seconds > 0 ? Math.ceil(now + seconds * 1000) : 0,
        failedMs: Math.round(now),
        failedAt: Math.floor(clock.now() / 1000),
        trialUntilMs: 0,
      })
    },
    answered(target, model) {
      if (entries.size === 0) return
      for (const entry of entries.concerning(target, model)) entries.put({ ...entry, trialUntilMs: 0, untilMs: 0 })
    },
    served(target, model) {
      if (entries.size === 0) return
      for (const entry of entries.concerning(target, model)) entries.remove(entry)
    },
    list(channelId) {
      const now = clock.monotonic()
      return entries
        .list(channelId)
        .flatMap((entry) => listed(entry, now))
        .sort((a, b) => b.seconds - a.seconds)
    },
    clear(channelId, keyId) {
      for (const entry of entries.list(channelId))
        if (keyId === undefined || entry.keyId === keyId) entries.remove(entry)
    },
  }
}

const failuresSince = (before: CooldownEntry | undefined, now: number): number =>
  before && now - before.failedMs < FAILURE_MEMORY_MS ? before.failures + 1 : 1

/** Returns the cooldown that is in effect for a request, preferring the one for all models. */
function active(
  allModels: CooldownEntry | undefined,
  own: CooldownEntry | undefined,
  request: CooldownQuery,
  now: number,
): CooldownEntry | undefined {
  const isActive = (entry: CooldownEntry) => isInEffect(entry, now) && concerns(entry, request)
  if (allModels && isActive(allModels)) return allModels
  return own && isActive(own) ? own : undefined
}

/** A half-open cooldown stays in effect until its trial request ends, or has taken too long. */
const isInEffect = ({ untilMs, trialUntilMs }: CooldownEntry, now: number): boolean =>
  untilMs > now || trialUntilMs > now

/** Whole seconds until a time, at least one. */
export const secondsUntil = (untilMs: number, now: number): number =>
  Math.max(1, Math.ceil(Math.round(untilMs - now) / 1000))

type RefusedRequests = Pick<CooldownEntry, 'accountId' | 'tokens'>

/**
 * The refused request, merged with those of the previous cooldown: of a rate limit that is still in effect, or of a
 * refused key whose failure is not older than `FAILURE_MEMORY_MS`.
 */
function refusedRequests(before: CooldownEntry | undefined, own: RefusedRequests, now: number): RefusedRequests {
  if (!before || !isRefusal(before)) return own
  const isKnown = isRateLimit(before) ? isInEffect(before, now) : now - before.failedMs < FAILURE_MEMORY_MS
  if (!isKnown) return own
  return {
    accountId: before.accountId === own.accountId ? own.accountId : 0,
    tokens: Math.min(before.tokens, own.tokens),
  }
}

/** A limit of the vendor: a retry time, or a 429 without one. */
const isRateLimit = ({ kind, status }: CooldownEntry): boolean => kind === 'limited' || status === 429

/** A limit, or a refusal of the key, which may be due to the request. */
const isRefusal = (entry: CooldownEntry): boolean => isRateLimit(entry) || REFUSING_STATUSES.has(entry.status)
const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 402, 403])

/**
 * A refusal applies to requests of the account that met it or, if two accounts met it, to all; a limit only to those at
 * least half as large. A vendor may refuse a request for its endpoint, for a tool, or because it is larger than the
 * whole limit, and serve all others.
 */
function concerns(entry: CooldownEntry, { accountId, tokens }: CooldownQuery): boolean {
  if (!isRefusal(entry)) return true
  const isOfAll = entry.accountId === 0 || accountId === null
  return (isOfAll || entry.accountId === accountId) && (!isRateLimit(entry) || tokens * 2 >= entry.tokens)
}

const cooldownOf = (entry: ActiveCooldown | undefined, now: number): Cooldown | undefined =>
  entry && { kind: entry.kind, status: entry.status, seconds: secondsUntil(entry.untilMs, now) }

function listed(entry: CooldownEntry, now: number): ListedCooldown[] {
  if (!isInEffect(entry, now)) return []
  const { channelId, keyId, model, kind, status, message, failures, failedAt } = entry
  const seconds = entry.untilMs > now ? secondsUntil(entry.untilMs, now) : 0
  return [{ kind, status, seconds, channelId, keyId, model, message, failures, failedAt }]
}
