import { loadavg } from 'node:os'
import type { BenchGateway, Envelope } from './gateway.ts'
import { monotonicMs } from './monotonic.ts'
import { cpuMsOf } from './process-cost.ts'
import { runLoad } from './processes.ts'
import { table } from './report.ts'
import type { Figures } from './tally.ts'
import { type AskedGateway, startTwin } from './twin.ts'

/** Console requests by name; each is repeated many times. One that consists of several calls returns nothing. */
export type Questions = ReadonlyArray<
  readonly [name: string, ask: (gateway: AskedGateway) => Promise<Pick<Envelope, 'tookMs'> | undefined>]
>

/**
 * How long a request may take at p95, how often each request is repeated, and how many relayed requests per second run
 * at the same time.
 */
type ReadingPlan = Readonly<{
  goalMs: number
  floorMs: number
  times: number
  rate: number
  seconds: number
  /** The activity that accompanies the relayed traffic, as a clause: `logs are read`. */
  meanwhile: string
}>

/** The relay's p99 while the gateway is queried may exceed its p99 while a twin is queried by this much. */
const GOAL_RELAY_MS = 0.5
const FLOOR_RELAY_MS = 2

/** Response times in milliseconds by request, those of refused requests included. */
type Times = Map<string, number[]>

/**
 * Measures each request with and without relayed traffic, reports the times and the effect on that traffic, and returns
 * whether both are within the floors. A twin receives the same requests, so that their load on the machine cancels out
 * (docs/reference/performance.md#twin-measurement); the remaining effect is the gateway's.
 */
export async function measureReadings(
  gateway: BenchGateway,
  questions: Questions,
  plan: ReadingPlan,
): Promise<boolean> {
  const { goalMs, floorMs, times: turns, rate, seconds, meanwhile } = plan
  const load = {
    mode: 'open' as const,
    asks: [{ model: 'bench-json' }],
    rate,
    warmSeconds: 2,
    seconds,
    url: gateway.url,
    key: gateway.key,
  }
  await runLoad({ ...load, rate: 300, seconds: 5 })
  const twin = await startTwin(gateway)
  for (const asked of [gateway, twin]) await readAlone(asked, questions, 1)
  const without = await runLoad(load)
  say(`relay alone: p50 ${shown(without.p50)}, p99 ${shown(without.p99)} ms; load average ${loadavg()[0]?.toFixed(1)}`)
  const { times: quiet, costs } = await readAlone(gateway, questions, turns)
  say(`read alone; load average ${loadavg()[0]?.toFixed(1)}`)
  const besideOf = async (asked: AskedGateway, sentence: string) => {
    const beside = await readBeside(asked, questions, runLoad({ ...load, seconds: seconds * 2 }))
    say(`relay while ${sentence}: p50 ${shown(beside.relay.p50)}, p99 ${shown(beside.relay.p99)} ms`)
    return beside
  }
  const ofTwin = `${meanwhile} of a twin`
  const before = await besideOf(twin, ofTwin)
  const { relay: together, times: busy } = await besideOf(gateway, meanwhile)
  const after = await besideOf(twin, ofTwin)
  await twin.stop()
  const again = await runLoad(load)
  say(
    `relay alone again: p50 ${shown(again.p50)}, p99 ${shown(again.p99)} ms; load average ${loadavg()[0]?.toFixed(1)}`,
  )

  const rows = questions.map(([name]) => {
    const [alone, beside] = [quiet.get(name) ?? [], busy.get(name) ?? []]
    const worst = Math.max(quantile(alone, 0.95), quantile(beside, 0.95))
    const figures = [alone, beside].flatMap((times) => [shown(quantile(times, 0.5)), shown(quantile(times, 0.95))])
    return { cells: [name, shown(costs.get(name)), ...figures, verdict(worst, floorMs, goalMs)], worst }
  })
  const heading = ['ms', 'CPU', 'p50 alone', 'p95 alone', 'p50 under load', 'p95 under load', `p95 <= ${goalMs}`]
  const [all, allBusy] = [[...quiet.values()].flat(), [...busy.values()].flat()]
  const total = [all, allBusy].flatMap((times) => [shown(quantile(times, 0.5)), shown(quantile(times, 0.95))])
  const p99Of = (...runs: Figures[]) => mean(runs.map(({ p99 }) => p99 ?? Number.NaN))
  const besideTwin = p99Of(before.relay, after.relay)
  const added = (together.p99 ?? Number.NaN) - besideTwin
  const relay = `relay p99: ${shown(p99Of(without, again))} ms alone, ${shown(before.relay.p99)} and ${shown(after.relay.p99)} ms while ${ofTwin}, ${shown(together.p99)} ms while ${meanwhile}: ${shown(added)} more than beside the twin on average (goal ${GOAL_RELAY_MS}, floor ${FLOOR_RELAY_MS}): ${verdict(added, FLOOR_RELAY_MS, GOAL_RELAY_MS)}`
  process.stdout.write(
    `\n${table([heading, ...rows.map(({ cells }) => cells), ['all of them', shown(mean([...costs.values()])), ...total]])}\n\n${relay}\n`,
  )
  return rows.every(({ worst }) => worst <= floorMs) && added <= FLOOR_RELAY_MS
}

async function ask(times: Times, gateway: AskedGateway, [name, call]: Questions[number]): Promise<void> {
  const startedMs = monotonicMs()
  const answer = await call(gateway).catch((error: Error) => say(error.message))
  times.set(name, [...(times.get(name) ?? []), answer?.tookMs ?? monotonicMs() - startedMs])
}

/** Repeats each request, and measures the CPU milliseconds of one response where possible. */
async function readAlone(gateway: AskedGateway & Readonly<{ pid: number }>, questions: Questions, turns: number) {
  const times: Times = new Map()
  const costs = new Map<string, number>()
  for (const question of questions) {
    const before = cpuMsOf(gateway.pid)
    for (let turn = 0; turn < turns; turn += 1) await ask(times, gateway, question)
    costs.set(question[0], ((cpuMsOf(gateway.pid) ?? Number.NaN) - (before ?? Number.NaN)) / turns)
  }
  return { times, costs }
}

/** One request after the other for as long as the load runs. */
async function readBeside(gateway: AskedGateway, questions: Questions, load: Promise<Figures>) {
  const times: Times = new Map()
  let isLoaded = true
  const loaded = load.finally(() => {
    isLoaded = false
  })
  for (let at = 0; isLoaded; at += 1) {
    const question = questions[at % questions.length]
    if (question) await ask(times, gateway, question)
  }
  return { times, relay: await loaded }
}

function verdict(value: number, floor: number, goal: number): string {
  if (value <= goal) return 'PASS, goal met'
  return value <= floor ? 'PASS' : 'FAIL'
}

/** The nearest-rank quantile. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length
}

function shown(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? 'n/a' : value.toFixed(1)
}

/** Prints a line of progress, apart from the table. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
