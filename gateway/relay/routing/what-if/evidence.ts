import type { ChannelRegistry } from '../../../channels/registry/channel-registry.ts'
import { bucketOf, middleOf } from '../../../store/latency-buckets.ts'
import { isRetryable, UpstreamError } from '../../upstream/upstream-error.ts'
import { errorOf, type LoggedCall } from './logged-call.ts'

/** How a channel did for a model: parts of the requests sent to it, from 0 to 1. */
export type Odds = Readonly<{
  /** It failed, and another channel could be asked. */
  goesOn: number
  /** It failed, and the request with it. */
  ends: number
  /** The failure it mostly had, of those after which another channel could be asked. */
  failure: UpstreamError
  /** Whether that rests on at least 20 requests to this channel for this model. */
  isSure: boolean
  times: Times
}>

/** How long requests took from arrival to end. */
export type Times = { sum: number; count: number; buckets: Map<number, number> }

/** What the log says of channels by model. */
export interface Evidence {
  note(call: LoggedCall): void
  /** Of its own requests; where there are none, of the channel's for other models, else of other channels' for this one. */
  odds(channelId: number, model: string): Odds
  /** Whether the channel was asked for anything. */
  knows(channelId: number): boolean
}

/** With fewer requests than that nothing much can be said. */
export const ENOUGH = 20

type OutcomeCounts = { good: number; goesOn: number; ends: number; failures: Map<number, number>; times: Times }

/** Nothing is known at first. */
export function createEvidence(registry: Pick<ChannelRegistry, 'channel'>): Evidence {
  const exact = new Map<string, OutcomeCounts>()
  const ofChannel = new Map<string, OutcomeCounts>()
  const ofModel = new Map<string, OutcomeCounts>()
  /** Asked for again and again once everything has been noted. */
  const asked = new Map<string, Odds>()
  const places = (id: number, model: string) =>
    [
      [exact, `${id} ${model}`],
      [ofChannel, String(id)],
      [ofModel, model],
    ] as const
  const recordsOf = (id: number, model: string) => places(id, model).map(([map, key]) => recordIn(map, key))
  return {
    note({ model, attempts, outcome, times, tookMs }) {
      asked.clear()
      // What the caller sent would have failed anywhere: it says nothing of a channel.
      if (outcome === 'callers') return
      const last = attempts.length - 1
      for (const [place, attempt] of attempts.entries()) {
        const isLast = place === last
        const isGood = isLast && outcome === 'answered'
        const type = registry.channel(attempt.channel)?.type ?? 0
        const isOver = isLast && !isGood && (outcome === 'broken' || !isRetryable(errorOf(attempt), type))
        for (const record of recordsOf(attempt.channel, model)) {
          if (isGood) addTime(record.times, tookMs, times)
          if (isGood) record.good += times
          else if (isOver) record.ends += times
          else noteGoingOn(record, attempt.status ?? BAD_GATEWAY, times)
        }
      }
    },
    odds(id, model) {
      const key = `${id} ${model}`
      const known = asked.get(key) ?? oddsIn(places(id, model).map(([map, place]) => map.get(place)))
      asked.set(key, known)
      return known
    },
    knows: (id) => ofChannel.has(String(id)),
  }
}

const BAD_GATEWAY = 502

/** Of the channel for the model, of the channel, of the model: the first that says something, of failures and of times alike. */
function oddsIn(found: readonly (OutcomeCounts | undefined)[]): Odds {
  const [own] = found
  const told = found.find((record) => record && countOf(record) > 0)
  const timed = found.find((record) => record && record.times.count > 0)
  const isSure = own !== undefined && countOf(own) >= ENOUGH
  return { ...oddsOf(told ?? newCounts()), isSure, times: timed?.times ?? newTimes() }
}

const newCounts = (): OutcomeCounts => ({ good: 0, goesOn: 0, ends: 0, failures: new Map(), times: newTimes() })

/** No requests yet. */
export const newTimes = (): Times => ({ sum: 0, count: 0, buckets: new Map() })

function recordIn(map: Map<string, OutcomeCounts>, key: string): OutcomeCounts {
  const known = map.get(key) ?? newCounts()
  map.set(key, known)
  return known
}

function noteGoingOn(record: OutcomeCounts, status: number, times: number): void {
  record.goesOn += times
  record.failures.set(status, (record.failures.get(status) ?? 0) + times)
}

const countOf = ({ good, goesOn, ends }: OutcomeCounts): number => good + goesOn + ends

function oddsOf(record: OutcomeCounts): Pick<Odds, 'goesOn' | 'ends' | 'failure'> {
  const all = Math.max(1, countOf(record))
  const [status = BAD_GATEWAY] = [...record.failures].sort(([, a], [, b]) => b - a)[0] ?? []
  return { goesOn: record.goesOn / all, ends: record.ends / all, failure: new UpstreamError(status, '') }
}

/** Counts requests that took as long; a part of one counts as such. */
export function addTime(times: Times, tookMs: number, count: number): void {
  times.sum += tookMs * count
  times.count += count
  const bucket = bucketOf(tookMs)
  times.buckets.set(bucket, (times.buckets.get(bucket) ?? 0) + count)
}

/** Adds what `part` requests took that go as others went. */
export function addTimes(times: Times, like: Times, part: number): void {
  if (like.count === 0) return
  const scale = part / like.count
  times.sum += like.sum * scale
  times.count += part
  for (const [bucket, count] of like.buckets)
    times.buckets.set(bucket, (times.buckets.get(bucket) ?? 0) + count * scale)
}

/** The average and the times that half and 95 of a hundred stay within; null of none. */
export function latencyOf({ sum, count, buckets }: Times) {
  if (count <= 0) return { average_ms: null, p50_ms: null, p95_ms: null }
  const rising = [...buckets].sort(([a], [b]) => a - b)
  const at = (share: number): number => {
    // Sums of parts of requests may fall short of their whole by a rounding.
    let left = count * share - ROUNDING
    const [bucket] = rising.find(([, n]) => {
      left -= n
      return left <= 0
    }) ??
      rising.at(-1) ?? [0]
    return middleOf(bucket)
  }
  return { average_ms: Math.round(sum / count), p50_ms: at(0.5), p95_ms: at(0.95) }
}

const ROUNDING = 1e-6
