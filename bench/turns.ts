import { parseArgs } from 'node:util'
import { cases } from './cases.ts'
import { startGateway } from './gateway.ts'
import { leaveTestCore, runLoad, startListener } from './processes.ts'
import { layOut } from './revision.ts'

/**
 * `npm run bench -- turns --compare=REV`: compares two revisions as warm processes on one core, which run in
 * alternating short slices and take turns at going first, so that disturbances affect both equally. What V8 happens to
 * compile at the start stays with a process, so each pair is restarted `--pairs` times. Prints medians and their ratio
 * over all slices.
 */
const { values: flags } = parseArgs({
  options: {
    compare: { type: 'string' },
    of: { type: 'string' },
    pairs: { type: 'string', default: '5' },
    turns: { type: 'string', default: '4' },
  },
})
if (flags.compare === undefined) {
  process.stderr.write('--compare needs a revision\n')
  process.exit(2)
}
const WARM_SECONDS = 5
const SLICE_SECONDS = 1.5
const shown = { json: ['rps', 'cpuPerRequest'], stream20: ['streamsPerSecond', 'cpuPerRequest'] } as const

const names = ['json', 'stream20'] as const
type Name = (typeof names)[number]
type Gateway = Awaited<ReturnType<typeof startGateway>>

const folder = layOut(flags.compare)
const own = flags.of === undefined ? undefined : layOut(flags.of)
leaveTestCore()
const upstream = await startListener('upstream.ts', 'load')
const ratios: Record<string, number[]> = {}
const figures: Record<string, number[]> = {}
for (let pair = 0; pair < Number(flags.pairs); pair += 1) {
  const [ours, theirs] = await Promise.all([own, folder].map((folder) => startGateway(upstream.url, { folder })))
  if (!ours || !theirs) throw new Error('two gateways were started')
  for (const name of names) await compare(name, ours, theirs)
  await Promise.all([ours.stop(), theirs.stop()])
}
await upstream.stop()
for (const name of names) for (const figure of shown[name]) print(name, figure)

async function compare(name: Name, ours: Gateway, theirs: Gateway): Promise<void> {
  for (const gateway of [ours, theirs]) await slice(name, gateway, WARM_SECONDS)
  for (let turn = 0; turn < Number(flags.turns); turn += 1) {
    const isOursFirst = turn % 2 === 0
    const first = await slice(name, isOursFirst ? ours : theirs, SLICE_SECONDS)
    const second = await slice(name, isOursFirst ? theirs : ours, SLICE_SECONDS)
    const [own, other] = isOursFirst ? [first, second] : [second, first]
    for (const figure of shown[name]) {
      const [mine, others] = [own[figure] ?? Number.NaN, other[figure] ?? Number.NaN]
      const key = `${name} ${figure}`
      ratios[key] = [...(ratios[key] ?? []), mine / others]
      figures[key] = [...(figures[key] ?? []), mine]
    }
  }
}

function print(name: Name, figure: string): void {
  const key = `${name} ${figure}`
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios[key] ?? [], part).toFixed(2))
  const mine = quantile(figures[key] ?? [], 0.5).toFixed(1)
  process.stdout.write(`${name.padEnd(9)} ${figure.padEnd(17)} ${mine.padStart(9)}  ${middle} (${low} to ${high})\n`)
}

function slice(name: keyof typeof shown, gateway: Gateway, seconds: number) {
  const { shows: _, ...load } = cases[name]
  return runLoad({ ...load, warmSeconds: 0.3, seconds, url: gateway.url, key: gateway.key, pid: gateway.pid })
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN
}
