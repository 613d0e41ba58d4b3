import type { Figures } from './tally.ts'

/** The figures of one case in one round, by contestant. */
export type CaseRound = Record<string, Figures>

type Measure = (round: CaseRound, contestant: string) => number | undefined

/** The figure as a ratio to that of the bare node:http proxy in the same round. */
const versusLimit = (figure: string) => (round: CaseRound, contestant: string) =>
  apply(round[contestant]?.[figure], round.limit?.[figure], (ours, limit) => ours / limit)

/** The difference from the same figure of the bare upstream in the same round. */
const overDirect = (figure: string) => (round: CaseRound, contestant: string) =>
  apply(round[contestant]?.[figure], round.direct?.[figure], (ours, direct) => ours - direct)

const plain = (figure: string) => (round: CaseRound, contestant: string) => round[contestant]?.[figure]

const rows: [name: string, metric: string, bar: '<=' | '>=', floor: number, goal: number, of: Measure][] = [
  ['json', 'requests/s vs limit', '>=', 0.45, 0.65, versusLimit('rps')],
  ['json', 'CPU per request vs limit', '<=', 2.2, 1.5, versusLimit('cpuPerRequest')],
  ['json1', 'added p50, ms', '<=', 0.3, 0.15, overDirect('p50')],
  ['json1', 'added p99, ms', '<=', 3, 1.5, overDirect('p99')],
  ['rate500', 'added p50, ms', '<=', 1, 0.6, overDirect('p50')],
  ['rate500', 'added p99, ms', '<=', 8, 4, overDirect('p99')],
  ['stream200', 'events/s vs limit', '>=', 0.75, 0.9, versusLimit('eventsPerSecond')],
  ['stream200', 'CPU per event vs limit', '<=', 1.5, 1.15, versusLimit('cpuPerEvent')],
  ['stream20', 'streams/s vs limit', '>=', 0.5, 0.7, versusLimit('streamsPerSecond')],
  ['paced', 'added TTFT p50, ms', '<=', 5, 2, overDirect('ttftP50')],
  ['paced', 'chunk delay p50, ms', '<=', 0.6, 0.4, plain('delayP50')],
  ['paced', 'chunk delay p99, ms', '<=', 10, 5, plain('delayP99')],
  ['hold1000', 'streams open at once', '>=', 1000, 1000, plain('mostOpen')],
  ['hold1000', 'memory per stream, KB', '<=', 100, 60, plain('kbPerStream')],
  ['hold1000', 'RSS, MB', '<=', 350, 250, plain('rssPeakMb')],
  ['json100k', 'CPU per request vs limit', '<=', 2.5, 1.6, versusLimit('cpuPerRequest')],
  ['start', 'start to first answer, s', '<=', 1, 0.5, plain('startSeconds')],
  ['start', 'idle RSS, MB', '<=', 150, 110, plain('idleRssMb')],
  ['integrity', 'answers without a log row, or rows without', '<=', 0, 0, plain('rowsOff')],
  ['integrity', 'quota: accounts beside log rows', '<=', 0, 0, plain('quotaOff')],
  ['integrity', 'incomplete answers, all cases', '<=', 0, 0, plain('incomplete')],
  ['integrity', 'failed requests, all cases', '<=', 0, 0, plain('errors')],
]

/**
 * Every row of docs/reference/performance.md#targets that this bench can measure; `bar` says which side of floor and
 * goal passes.
 */
export const targets = rows.map(([name, metric, bar, floor, goal, of]) => ({
  case: name,
  metric,
  bar,
  floor,
  goal,
  of,
}))
export type Target = (typeof targets)[number]

/** Latencies are judged only in undisturbed rounds; costs at saturation in all. */
const latencyCases = ['json1', 'rate500', 'paced']

/**
 * A round is disturbed when even the bare proxy adds 10 ms at p99 (docs/reference/performance.md#rules-of-measuring):
 * its latencies are not the gateway's.
 */
export function isDisturbed(round: Record<string, CaseRound>): boolean {
  return (overDirect('p99')(round.rate500 ?? {}, 'limit') ?? 0) >= 10
}

/** The verdict on one target over all rounds; `value` is the median, and undefined when no round measured it. */
export function judge(target: Target, rounds: Record<string, CaseRound>[], contestant: string) {
  const valid = latencyCases.includes(target.case) ? rounds.filter((round) => !isDisturbed(round)) : rounds
  const values = valid.map((round) => target.of(round[target.case] ?? {}, contestant))
  const value = median(values.filter((one) => one !== undefined))
  const reaches = (bar: number) => value !== undefined && (target.bar === '>=' ? value >= bar : value <= bar)
  return { value, isPassed: reaches(target.floor), isGoalMet: reaches(target.goal), isVoid: valid.length === 0 }
}

/** The middle value, or the mean of the two middle ones; undefined without values. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle]
  return apply(lower, upper, (a, b) => (a + b) / 2)
}

const apply = (a: number | undefined, b: number | undefined, combine: (a: number, b: number) => number) =>
  a === undefined || b === undefined ? undefined : combine(a, b)
