import type { Clock } from '../../base/clock.ts'
import type { CooldownEntries, CooldownEntry } from '../../shared-state/cooldown-entries.ts'
import { type ChannelFailure, cooldownSeconds, retryAfterSeconds, ruleOf } from './cooldown-policy.ts'

/** What is asked: a channel, with one of its keys (empty where it has one), for a model. */
type CooldownTarget = Readonly<{ id: number; keyId: string }>

/** Why a channel or a key is not asked. `limited`: its vendor said when to come back; `failing`: it may be asked where nothing else is left. */
export type Cooldown = Readonly<{ kind: 'limited' | 'failing'; status: number; seconds: number }>

/** A cooldown that is not over; `untilMs` is monotonic milliseconds. */
export type ActiveCooldown = Readonly<{ kind: Cooldown['kind']; status: number; untilMs: number }>

/** One moment of the monotonic clock, in milliseconds. */
export type CooldownSnapshot = Readonly<{ nowMs: number; active: (channelId: number) => ActiveCooldown | undefined }>

/** A cooldown as a person reads it. `keyId` and `model` are empty where it concerns all of them. */
export type ListedCooldown = Cooldown &
  Readonly<{ channelId: number; keyId: string; model: string; message: string; failures: number; failedAt: number }>

/**
 * Which channels and keys are left alone for a while (docs/reference/selection.md#cooldowns), for one model or for all
 * of theirs. When its time is over one request tries it; the others wait for how that ends.
 */
export interface Cooldowns {
  /** Why the channel itself, whatever the key, is not to be asked for a model now; undefined where it may be. */
  of(channelId: number, model: string): Cooldown | undefined
  /** Why one of several keys is not to be asked for a model now; undefined where it may be. */
  ofKey(target: CooldownTarget, model: string): Cooldown | undefined
  /** The cooldowns of all channels themselves for a model, as they are now; to be looked through at once. */
  moment(model: string): CooldownSnapshot
  /** A request is on its way: where a cooldown has ended, it is half-open with that request as its trial. */
  asked(target: CooldownTarget, model: string): void
  failed(target: CooldownTarget, model: string, failure: ChannelFailure): void
  /** It answers: asked again from now on, but a failure within the answer counts with those before. */
  answered(target: CooldownTarget, model: string): void
  /** It works: as if it had never failed. */
  served(target: CooldownTarget, model: string): void
  /** What is cooling down now, the longest first; of one channel or of all. */
  list(channelId?: number): ListedCooldown[]
  /** Clears all cooldowns of a channel and its keys, or of one key alone. */
  clear(channelId: number, keyId?: string): void
}

/** A failure so long ago counts no more. */
const FAILURE_MEMORY_MS = 3_000_000
/** Cooldowns kept; beyond that all are forgotten, which only costs attempts. */
const MAX = 10_000
const MAX_MESSAGE_LENGTH = 300

/** Cooldowns over a clock; `random` answers a fraction in [0, 1) and spreads the ends of cooldowns that began together. */
export function createCooldowns(clock: Clock, random: () => number, entries: CooldownEntries): Cooldowns {
  return {
    of(channelId, model) {
      if (entries.size === 0) return undefined
      const now = clock.monotonic()
      return cooldownOf(active(entries.allModels.get(channelId), entries.ofModel(model).get(channelId), now), now)
    },
    ofKey({ id, keyId }, model) {
      if (entries.size === 0) return undefined
      const now = clock.monotonic()
      return cooldownOf(active(entries.exactly(id, keyId, ''), entries.exactly(id, keyId, model), now), now)
    },
    moment(model) {
      const nowMs = clock.monotonic()
      const allModels = entries.allModels.size > 0 ? entries.allModels : undefined
      const ofModel = entries.ofModel(model)
      return { nowMs, active: (id) => active(allModels?.get(id), ofModel.get(id), nowMs) }
    },
    asked(target, model) {
      if (entries.size === 0) return
      for (const entry of entries.concerning(target, model)) if (entry.untilMs > 0) entry.isHalfOpen = true
    },
    failed(target, model, failure) {
      for (const entry of entries.concerning(target, model)) entry.isHalfOpen = false
      const rule = ruleOf(failure)
      if (!rule) return
      if (entries.size >= MAX) entries.clear()
      const scope = {
        channelId: target.id,
        keyId: rule.isKeys ? target.keyId : '',
        model: rule.isAllModels ? '' : model,
      }
      const now = clock.monotonic()
      const failures = failuresSince(entries.exactly(scope.channelId, scope.keyId, scope.model), now)
      const waited = retryAfterSeconds(failure, clock.now())
      const seconds = waited ?? cooldownSeconds(rule, failures, random())
      entries.put({
        ...scope,
        kind: waited === undefined ? 'failing' : 'limited',
        status: failure.status,
        message: (failure.message ?? '').slice(0, MAX_MESSAGE_LENGTH),
        failures,
        untilMs: seconds > 0 ? Math.ceil(now + seconds * 1000) : 0,
        failedMs: Math.round(now),
        failedAt: Math.floor(clock.now() / 1000),
        isHalfOpen: false,
      })
    },
    answered(target, model) {
      if (entries.size === 0) return
      for (const entry of entries.concerning(target, model)) entries.put({ ...entry, isHalfOpen: false, untilMs: 0 })
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

/** Which of the two stands, the one for all models first. */
function active(
  allModels: CooldownEntry | undefined,
  own: CooldownEntry | undefined,
  now: number,
): CooldownEntry | undefined {
  if (allModels && stands(allModels, now)) return allModels
  return own && stands(own, now) ? own : undefined
}

/** A cooldown that has ended still stands while one request tries it (half-open). */
const stands = ({ untilMs, isHalfOpen }: CooldownEntry, now: number): boolean => untilMs > now || isHalfOpen

/** Whole seconds until a moment, at least one. */
export const secondsUntil = (untilMs: number, now: number): number => Math.max(1, Math.ceil((untilMs - now) / 1000))

const cooldownOf = (entry: ActiveCooldown | undefined, now: number): Cooldown | undefined =>
  entry && { kind: entry.kind, status: entry.status, seconds: secondsUntil(entry.untilMs, now) }

function listed(entry: CooldownEntry, now: number): ListedCooldown[] {
  if (!stands(entry, now)) return []
  const { channelId, keyId, model, kind, status, message, failures, failedAt } = entry
  const seconds = entry.isHalfOpen ? 0 : secondsUntil(entry.untilMs, now)
  return [{ kind, status, seconds, channelId, keyId, model, message, failures, failedAt }]
}
