import { refuse } from '../../../base/errors.ts'
import type { ChannelRegistry } from '../../../channels/registry/channel-registry.ts'
import { TEST_TOKEN } from '../../../channels/testing/test-call.ts'
import type { Db } from '../../../store/database.ts'
import {
  type BusyHour,
  type ReplayedCursor,
  type ReplayedSpan,
  replayedRowStore,
} from '../../../store/replayed-rows.ts'
import { createEvidence, type Evidence } from './evidence.ts'
import { type LoggedCall, loggedCall } from './logged-call.ts'
import { createPastCooldowns, type PastCooldowns } from './past-cooldowns.ts'
import type { PastCall } from './replay.ts'
import { createTally, noteCall, type ReplayTally } from './tally.ts'

/** So many of the newest rows of the time are replayed. */
export const MAX_REPLAYED = 50_000
/** Rows that are read at a time, and looked at before others have their turn. */
const PAGE = 500
const TURN = 50
/** The usual peaks are looked for in so much time. */
const PEAK_S = 7 * 86_400

export type ReadCallsDeps = Readonly<{
  /** The reader's, which stops once nobody waits. */
  db: Db
  registry: Pick<ChannelRegistry, 'channel'>
  rest: () => Promise<void>
}>

/** What the log tells of a time. */
export type ReadCalls = Readonly<{
  calls: readonly PastCall[]
  was: ReplayTally
  evidence: Evidence
  past: PastCooldowns
  rows: number
  isCut: boolean
  /** The oldest row that was looked at, in unix seconds; undefined where there is none. */
  oldest: number | undefined
  refused: number
  cached: number
  /** What an answered request cost on the average; of other groups where this one had none. */
  quotaOf: (group: string, model: string) => number
  /** How many requests there were for a model in a group. */
  countOf: (group: string, model: string) => number
}>

/** Reads the newest requests of a time, page by page; each row is looked at once and what is not needed any more is dropped. */
export async function readCalls(deps: ReadCallsDeps, span: ReplayedSpan): Promise<ReadCalls> {
  const store = replayedRowStore(deps.db, TEST_TOKEN)
  const gathered = createGathered(deps.registry)
  let last: ReplayedCursor | undefined
  let rows = 0
  for (let isOver = false; !isOver && rows < MAX_REPLAYED; ) {
    const page = await store.page(span, last, Math.min(PAGE, MAX_REPLAYED - rows))
    for (const [place, row] of page.entries()) {
      if (place % TURN === 0) await deps.rest()
      gathered.note(loggedCall(row))
    }
    rows += page.length
    isOver = page.length < PAGE
    last = page.at(-1) ?? last
  }
  const isCut = rows === MAX_REPLAYED && (await store.page(span, last, 1)).length > 0
  return { ...gathered.told(), rows, isCut, oldest: last?.created_at }
}

/** How often channels served by the hour, lately. */
export const readPeaks = (db: Db, now: number): Promise<Readonly<{ since: number; hours: BusyHour[] }>> =>
  replayedRowStore(db, TEST_TOKEN).hours(now - PEAK_S)

type Sum = { quota: number; answered: number; calls: number }

function createGathered(registry: Pick<ChannelRegistry, 'channel'>) {
  const calls: PastCall[] = []
  const was = createTally()
  const evidence = createEvidence(registry)
  const past = createPastCooldowns()
  const sums = new Map<string, Sum>()
  const left = { refused: 0, cached: 0 }
  const add = (key: string, { quota, outcome, times }: LoggedCall) => {
    const sum = sums.get(key) ?? { quota: 0, answered: 0, calls: 0 }
    sums.set(key, sum)
    sum.quota += quota
    sum.calls += times
    if (outcome === 'answered') sum.answered += times
  }
  return {
    note(call: ReturnType<typeof loggedCall>): void {
      if ('left' in call) {
        left[call.left] += call.times
        return
      }
      const { at, groups, model, endpoint, promptTokens, times, skipped, outcome } = call
      calls.push({ at, groups, model, endpoint, promptTokens, times, isCallers: outcome === 'callers' })
      noteCall(was, call)
      evidence.note(call)
      past.note(at, model, skipped)
      add(placeOf(groups.routed || groups.token || groups.account, model), call)
      add(placeOf('', model), call)
    },
    told: () => ({
      calls,
      was,
      evidence,
      past,
      ...left,
      countOf: (group: string, model: string) => sums.get(placeOf(group, model))?.calls ?? 0,
      quotaOf(group: string, model: string) {
        const found = [placeOf(group, model), placeOf('', model)].map((key) => sums.get(key))
        const sum = found.find((one) => one && one.answered > 0)
        return sum ? sum.quota / sum.answered : 0
      },
    }),
  }
}

const placeOf = (group: string, model: string): string => `${group}\n${model}`

/** The time that is asked about; at most a day, and none that is yet to come. */
export function spanOf(
  { start_timestamp: start, end_timestamp: end }: Readonly<{ start_timestamp: number; end_timestamp: number }>,
  now: number,
  longest: number,
): ReplayedSpan {
  const to = end > 0 ? Math.min(end, now) : now
  const from = start > 0 ? start : to - longest
  if (from > to || to - from > longest) throw refuse('invalid', 'whatIf.span')
  return { from, to }
}
