import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { startGateway } from './gateway.ts'
import { logQuestions } from './log-questions.ts'
import { fillLog } from './log-rows.ts'
import { monotonicMs } from './monotonic.ts'
import { cpuMsOf } from './process-cost.ts'
import { cores, runLoad, startListener } from './processes.ts'
import { table } from './report.ts'

/**
 * `npm run bench -- logs`: how long each reading of a long log takes, alone and while requests are relayed, and what
 * the readings do to those requests (docs/reference/performance.md#long-readings). Exits 1 where a reading takes
 * longer than the goal.
 */
const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '15' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
  },
})
const GOAL_MS = 100
const FLOOR_MS = 150
/** The relay's p99 may differ so much by chance. */
const GOAL_RELAY_MS = 0.5
const FLOOR_RELAY_MS = 2

const upstream = await startListener('upstream.ts', 'load')
const gateway = await startGateway(upstream.url, undefined, 'free')
const now = Math.floor(Date.now() / 1000)
fillLog(gateway.data, Number(flags.rows), now)
say(`${flags.rows} rows; gateway on cores ${cores?.free ?? 'of its choice'}, load on ${cores?.load ?? 'the same'}`)

const questions = Object.entries(logQuestions(now))
const load = {
  mode: 'open' as const,
  asks: [{ model: 'bench-json' }],
  rate: Number(flags.rate),
  warmSeconds: 2,
  seconds: Number(flags.seconds),
  url: gateway.url,
  key: gateway.key,
}

/** Milliseconds of each answer, by question; a refusal counts with the time it took. */
type Times = Map<string, number[]>

async function ask(times: Times, name: string, path: string): Promise<void> {
  const startedMs = monotonicMs()
  await gateway.call('GET', path).catch((error: Error) => say(error.message))
  times.set(name, [...(times.get(name) ?? []), monotonicMs() - startedMs])
}

/** Each question several times, and the milliseconds of CPU that one answer took, where they can be told. */
async function readAlone(turns: number) {
  const times: Times = new Map()
  const costs = new Map<string, number>()
  for (const [name, path] of questions) {
    const before = cpuMsOf(gateway.pid)
    for (let turn = 0; turn < turns; turn += 1) await ask(times, name, path)
    costs.set(name, ((cpuMsOf(gateway.pid) ?? Number.NaN) - (before ?? Number.NaN)) / turns)
  }
  return { times, costs }
}

/** One question after the other as long as `isOn`. */
async function readWhile(isOn: () => boolean): Promise<Times> {
  const times: Times = new Map()
  for (let at = 0; isOn(); at += 1) {
    const [name, path] = questions[at % questions.length] ?? ['', '']
    await ask(times, name, path)
  }
  return times
}

await runLoad({ ...load, rate: 300, seconds: 5 })
await readAlone(1)
const without = await runLoad(load)
say(`relay alone: p50 ${shown(without.p50)}, p99 ${shown(without.p99)} ms; load average ${loadavg()[0]?.toFixed(1)}`)
const { times: quiet, costs } = await readAlone(Number(flags.times))
say(`read alone; load average ${loadavg()[0]?.toFixed(1)}`)
let isLoaded = true
const loaded = runLoad({ ...load, seconds: load.seconds * 2 }).finally(() => {
  isLoaded = false
})
const busy = await readWhile(() => isLoaded)
const together = await loaded
say(`relay while logs are read: p50 ${shown(together.p50)}, p99 ${shown(together.p99)} ms`)
const again = await runLoad(load)
say(`relay alone again: p50 ${shown(again.p50)}, p99 ${shown(again.p99)} ms; load average ${loadavg()[0]?.toFixed(1)}`)
await gateway.stop()
await upstream.stop()
process.exitCode = report() ? 0 : 1

function report(): boolean {
  const rows = questions.map(([name]) => {
    const [alone, beside] = [quiet.get(name) ?? [], busy.get(name) ?? []]
    const worst = Math.max(quantile(alone, 0.95), quantile(beside, 0.95))
    const figures = [alone, beside].flatMap((times) => [shown(quantile(times, 0.5)), shown(quantile(times, 0.95))])
    return { cells: [name, shown(costs.get(name)), ...figures, verdict(worst, FLOOR_MS, GOAL_MS)], worst }
  })
  const heading = ['ms', 'CPU', 'p50 alone', 'p95 alone', 'p50 under load', 'p95 under load', `p95 <= ${GOAL_MS}`]
  const [all, allBusy] = [[...quiet.values()].flat(), [...busy.values()].flat()]
  const total = [all, allBusy].flatMap((times) => [shown(quantile(times, 0.5)), shown(quantile(times, 0.95))])
  const relayed = Math.min(without.p99 ?? Number.NaN, again.p99 ?? Number.NaN)
  const added = (together.p99 ?? Number.NaN) - relayed
  const relay = `relay p99: ${shown(relayed)} ms alone, ${shown(together.p99)} ms while logs are read, ${shown(added)} more (goal ${GOAL_RELAY_MS}, floor ${FLOOR_RELAY_MS}): ${verdict(added, FLOOR_RELAY_MS, GOAL_RELAY_MS)}`
  process.stdout.write(
    `\n${table([heading, ...rows.map(({ cells }) => cells), ['all of them', shown(mean([...costs.values()])), ...total]])}\n\n${relay}\n`,
  )
  return rows.every(({ worst }) => worst <= FLOOR_MS) && added <= FLOOR_RELAY_MS
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

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
