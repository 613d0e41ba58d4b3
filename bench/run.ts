import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Case, caseNames, cases } from './cases.ts'
import { type BenchGateway, startGateway } from './gateway.ts'
import { cores, leaveTestCore, type Running, root, runLoad, startListener } from './processes.ts'
import { comparisonRows, figureRows, type Round, table, verdictRows, verdicts } from './report.ts'
import { layOut } from './revision.ts'
import type { Figures } from './tally.ts'
import { isDisturbed } from './targets.ts'

/**
 * `npm run bench`: compares the gateway with the bare proxies, prints the ratios of
 * docs/reference/performance.md#targets, exits 1 when a floor is missed.
 */
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    compare: { type: 'string' },
  },
})
const only = readOnly(flags.only)
const roundCount = readRounds(flags.rounds ?? (flags.quick ? '1' : '3'))
const theirs = flags.compare === undefined ? undefined : { name: flags.compare, folder: layOut(flags.compare) }

leaveTestCore()
say(cores ? `under test on core ${cores.test}, load and upstream on core ${cores.load}` : 'not pinned: no taskset here')
const rounds: Round[] = []
for (let number = 1; number <= roundCount; number += 1) rounds.push(await runRound(number))
process.exitCode = report() ? 0 : 1

interface Contestant extends Pick<Running, 'url' | 'stop'> {
  name: string
  key: string
  /** Absent for `direct`: there is no process between load and upstream. */
  pid?: number
  gateway?: BenchGateway
}

/** Every process of a round is fresh; within a round all contestants run under the same conditions of the machine. */
async function runRound(number: number): Promise<Round> {
  const upstream = await startListener('upstream.ts', 'load')
  const contestants = await start(upstream.url)
  const round: Round = {}
  for (const [name, one] of Object.entries(cases)) {
    if (!only.includes(name)) continue
    round[name] = await runCase(one, contestants, `round ${number}/${roundCount} ${name}`)
  }
  for (const { name, gateway, stop } of contestants) {
    if (gateway) await finish(round, name, gateway)
    await stop()
  }
  await upstream.stop()
  if (isDisturbed(round)) say(`round ${number} was disturbed: its latencies do not count`)
  return round
}

/** The contestants of a round in the order they are measured; a compared revision comes last. */
async function start(upstream: string): Promise<Contestant[]> {
  const [limit, limitUndici, ours, other] = await Promise.all([
    startListener('limit.ts', 'test', upstream),
    startListener('limit-undici.ts', 'test', upstream),
    startGateway(upstream),
    theirs && startGateway(upstream, { folder: theirs.folder }),
  ])
  return [
    { name: 'direct', key: 'none', url: upstream, stop: async () => {} },
    { name: 'limit', key: 'none', ...limit },
    { name: 'limit-undici', key: 'none', ...limitUndici },
    { name: 'gateway', ...ours, gateway: ours },
    ...(theirs && other ? [{ name: theirs.name, ...other, gateway: other }] : []),
  ]
}

/** Runs one case with every contestant, one after the other, so that each has its core to itself. */
async function runCase({ shows, isGatewayOnly, ...load }: Case, contestants: Contestant[], title: string) {
  const results: Record<string, Figures> = {}
  for (const { name, url, key, pid, gateway } of contestants) {
    if (isGatewayOnly && !gateway) continue
    const seconds = flags.quick ? load.seconds * 0.4 : load.seconds
    const figures = await runLoad({ ...load, seconds, url, key, ...(pid === undefined ? {} : { pid }) })
    results[name] = figures
    say(`${title} ${name}: ${shows.map((figure) => `${figure} ${figures[figure]?.toFixed(2) ?? 'n/a'}`).join(', ')}`)
  }
  return results
}

/** After the load: checks billing, then restarts the gateway on the database that the load has filled. */
async function finish(round: Round, name: string, gateway: BenchGateway) {
  const total = (figure: string) => Object.values(round).reduce((sum, one) => sum + (one[name]?.[figure] ?? 0), 0)
  const counts = { errors: total('errors'), incomplete: total('incomplete') }
  const integrity = { ...(await gateway.integrity(total('answers'))), ...counts }
  round.integrity = { ...round.integrity, [name]: integrity }
  if (only.includes('start')) round.start = { ...round.start, [name]: await gateway.restart() }
}

/** Prints the tables and writes out/bench.json; returns whether every floor holds. */
function report(): boolean {
  const contestants = ['direct', 'limit', 'limit-undici', 'gateway', ...(theirs ? [theirs.name] : [])]
  const found = verdicts(rounds)
  const sections = [
    figureRows(rounds, contestants),
    ...(theirs ? [comparisonRows(rounds, theirs.name)] : []),
    verdictRows(found),
  ]
  process.stdout.write(`\n${sections.map(table).join('\n\n')}\n`)

  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const machine = { cpu: cpus()[0]?.model, cpus: cpus().length, node: process.version, pinned: cores ?? false }
  mkdirSync(join(root, 'out'), { recursive: true })
  const record = { at: new Date().toISOString(), commit, flags, machine, verdicts: found, rounds }
  writeFileSync(join(root, 'out', 'bench.json'), `${JSON.stringify(record, null, 2)}\n`)
  return found.every((one) => one.isPassed || one.isVoid || one.value === undefined)
}

function readOnly(list: string | undefined): string[] {
  const names = list?.split(',') ?? caseNames
  const strange = names.filter((name) => !caseNames.includes(name))
  if (strange.length > 0) refuse(`no such case: ${strange.join(', ')}; there are ${caseNames.join(', ')}`)
  return names
}

function readRounds(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count % 2 === 0) refuse('--rounds must be an odd number')
  return count
}

/** Reports an invalid flag with one line and exit code 2, which differs from that of a missed floor. */
function refuse(line: string) {
  say(line)
  process.exit(2)
}

function say(line: string) {
  process.stderr.write(`${line}\n`)
}
