import type { WhatIfLoad, WhatIfTotals } from '../../../../shared/api/what-if.ts'
import { addTime, addTimes, latencyOf, newTimes, type Times } from './evidence.ts'
import type { LoggedCall } from './logged-call.ts'

/** What became of requests, counted by channel; parts of a request count as such. */
export interface ReplayTally {
  /** So many requests were sent to a channel within an hour of the clock, some of which failed. */
  sent(channelId: number, hour: number, sent: Sent): void
  /** A channel answered so many, which took as long as others did. */
  answered(channelId: number, like: Times, count: number): void
  ended(ends: Readonly<{ answered: number; failed: number; noChannel: number; quota: number }>): void
  totals(): WhatIfTotals
  loadOf(channelId: number): WhatIfLoad
  /** Of those sent to a channel, and to all, the ones about which too little is known. */
  unsure(channelId?: number): number
  channels(): Iterable<number>
}

export type Sent = Readonly<{ attempts: number; failed: number; unsure: number }>

type OfChannel = { attempts: number; failed: number; unsure: number; hours: Map<number, number>; times: Times }

const HOUR_S = 3600

/** The hour of the clock that a moment in unix seconds lies in, counted from 1970. */
export const hourAt = (at: number): number => Math.floor(at / HOUR_S)

/** Nothing counted yet. */
export function createTally(): ReplayTally {
  const channels = new Map<number, OfChannel>()
  const all = { answered: 0, failed: 0, noChannel: 0, quota: 0, attempts: 0, unsure: 0, times: newTimes() }
  const of = (id: number): OfChannel => {
    const known = channels.get(id) ?? { attempts: 0, failed: 0, unsure: 0, hours: new Map(), times: newTimes() }
    channels.set(id, known)
    return known
  }
  return {
    sent(id, hour, { attempts, failed, unsure }) {
      const one = of(id)
      one.attempts += attempts
      one.failed += failed
      one.unsure += unsure
      one.hours.set(hour, (one.hours.get(hour) ?? 0) + attempts)
      all.attempts += attempts
      all.unsure += unsure
    },
    answered(id, like, count) {
      addTimes(of(id).times, like, count)
      addTimes(all.times, like, count)
    },
    ended({ answered, failed, noChannel, quota }) {
      all.answered += answered
      all.failed += failed
      all.noChannel += noChannel
      all.quota += quota
    },
    totals: () => ({
      ...latencyOf(all.times),
      answered: rounded(all.answered),
      failed: rounded(all.failed),
      no_channel: rounded(all.noChannel),
      attempts: rounded(all.attempts),
      quota: Math.round(all.quota),
    }),
    loadOf(id) {
      const { attempts, failed, hours, times } = channels.get(id) ?? of(id)
      return {
        ...latencyOf(times),
        attempts: rounded(attempts),
        share: all.attempts > 0 ? attempts / all.attempts : 0,
        failed: rounded(failed),
        busiest_hour: rounded(Math.max(0, ...hours.values())),
      }
    },
    unsure: (id) => rounded(id === undefined ? all.unsure : (channels.get(id)?.unsure ?? 0)),
    channels: () => channels.keys(),
  }
}

/** To a hundredth of a request: sums of parts fall short of their whole by a rounding. */
export const rounded = (count: number): number => Math.round(count * 100) / 100

/** Counts what did happen. */
export function noteCall(tally: ReplayTally, { at, attempts, outcome, times, tookMs, quota }: LoggedCall): void {
  const last = attempts.length - 1
  for (const [place, { channel }] of attempts.entries()) {
    const isGood = place === last && outcome === 'answered'
    tally.sent(channel, hourAt(at), { attempts: times, failed: isGood ? 0 : times, unsure: 0 })
    if (!isGood) continue
    const took = newTimes()
    addTime(took, tookMs, times)
    tally.answered(channel, took, times)
  }
  const isAnswered = outcome === 'answered' ? times : 0
  const noChannel = outcome === 'unrouted' ? times : 0
  tally.ended({ answered: isAnswered, failed: times - isAnswered - noChannel, noChannel, quota })
}
