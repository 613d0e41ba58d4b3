import { parseArgs } from 'node:util'
import { cases } from './cases.ts'
import { startGateway } from './gateway.ts'
import { leaveTestCore, runLoad, startListener } from './processes.ts'
import { layOut } from './revision.ts'

/**
 * `npm run bench -- turns --compare=REV`: two revisions as warm processes on one core, asked by turns in short slices whose
 * order changes each time, so that what the machine does meanwhile meets both alike. Prints medians and their ratio.
 */
const { values: flags } = parseArgs({
  options: { compare: { type: 'string' }, turns: { type: 'string', default: '15' } },
})
if (flags.compare === undefined) {
  process.stderr.write('--compare needs a revision\n')
  process.exit(2)
}
const WARM_SECONDS = 5
const SLICE_SECONDS = 1.5
const shown = { json: ['rps', 'cpuPerRequest'], stream20: ['streamsPerSecond', 'cpuPerRequest'] } as const

const folder = layOut(flags.compare)
leaveTestCore()
const upstream = await startListener('upstream.ts', 'load')
const [ours, theirs] = await Promise.all([startGateway(upstream.url), startGateway(upstream.url, folder)])
for (const name of ['json', 'stream20'] as const) await compare(name)
await Promise.all([ours.stop(), theirs.stop()])
await upstream.stop()

async function compare(name: keyof typeof shown): Promise<void> {
  const ratios: Record<string, number[]> = {}
  const figures: Record<string, number[]> = {}
  for (const gateway of [ours, theirs]) await slice(name, gateway, WARM_SECONDS)
  for (let turn = 0; turn < Number(flags.turns); turn += 1) {
    const order = turn % 2 === 0 ? [ours, theirs] : [theirs, ours]
    const [first, second] = [await slice(name, order[0], SLICE_SECONDS), await slice(name, order[1], SLICE_SECONDS)]
    const [own, other] = turn % 2 === 0 ? [first, second] : [second, first]
    for (const figure of shown[name]) {
      const [mine, others] = [own[figure] ?? Number.NaN, other[figure] ?? Number.NaN]
      ratios[figure] = [...(ratios[figure] ?? []), mine / others]
      figures[figure] = [...(figures[figure] ?? []), mine]
    }
  }
  for (const figure of shown[name]) {
    const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios[figure] ?? [], part).toFixed(2))
    const own = quantile(figures[figure] ?? [], 0.5).toFixed(1)
    process.stdout.write(`${name.padEnd(9)} ${figure.padEnd(17)} ${own.padStart(9)}  ${middle} (${low} to ${high})\n`)
  }
}

function slice(name: keyof typeof shown, gateway: typeof ours | undefined, seconds: number) {
  const { shows: _, ...load } = cases[name]
  if (!gateway) throw new Error('nobody to ask')
  return runLoad({ ...load, warmSeconds: 0.3, seconds, url: gateway.url, key: gateway.key, pid: gateway.pid })
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN
}
