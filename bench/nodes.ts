import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../tests/support/postgres-server.ts'
import { cases } from './cases.ts'
import { launch, startGateway } from './gateway.ts'
import { cpuMsOf } from './process-cost.ts'
import { atExit, freePort, leaveTestCore, root, runLoad, startListener } from './processes.ts'
import type { Figures } from './tally.ts'
import { median } from './targets.ts'

/**
 * `npm run bench -- nodes`: one gateway on SQLite, one on PostgreSQL, and three on PostgreSQL; each of these
 * contestants has the core under test to itself, in changing order. Needs PostgreSQL's programs (Debian: postgresql).
 */
const REPETITIONS = 3
/** Requests a second of each node in the open loop. */
const RATE = 150
const open = { mode: 'open', asks: cases.json.asks, rate: RATE, warmSeconds: 2, seconds: 8 } as const
const { shows: _, ...closed } = cases.json

type Contestant = Readonly<{ name: string; nodes: number; isPostgres: boolean }>
const contestants: readonly Contestant[] = [
  { name: 'SQLite', nodes: 1, isPostgres: false },
  { name: 'one node', nodes: 1, isPostgres: true },
  { name: 'three nodes', nodes: 3, isPostgres: true },
]

leaveTestCore()
const upstream = await startListener('upstream.ts', 'load')
const found = new Map<string, Figures[]>()
for (let repetition = 0; repetition < REPETITIONS; repetition += 1)
  for (const contestant of repetition % 2 === 0 ? contestants : contestants.toReversed()) {
    const figures = await measured(contestant)
    found.set(contestant.name, [...(found.get(contestant.name) ?? []), figures])
    process.stderr.write(`${contestant.name}: ${JSON.stringify(figures)}\n`)
  }
await upstream.stop()
report()

async function measured({ nodes, isPostgres }: Contestant): Promise<Figures> {
  const server = isPostgres ? await startPostgres({ fsync: true }) : undefined
  const env = { SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64') }
  const url = server && { DATABASE_URL: await server.database() }
  const first = await startGateway(upstream.url, { env: { ...env, ...url } })
  const others = await Promise.all(Array.from({ length: nodes - 1 }, () => anotherNode({ ...env, ...url })))
  const all = [first, ...others]
  const { key } = first
  // Every node runs the closed loop, which compiles its hot code; its figures count only if nothing else shares the core.
  let loop: Figures = {}
  for (const { url, pid } of all) loop = await runLoad({ ...closed, url, key, pid })
  const serverMs = server && cpuOf(server)
  const open1 = await Promise.all(all.map(({ url, pid }) => runLoad({ ...open, url, key, pid })))
  const answers = open1.reduce((sum, { answers = 0 }) => sum + answers, 0)
  const ofServer = server && serverMs !== undefined ? { serverCpu: ((cpuOf(server) - serverMs) * 1000) / answers } : {}
  for (const node of all) await node.stop()
  await server?.stop()
  return {
    ...(nodes === 1 ? { rps: loop.rps, closedCpu: loop.cpuPerRequest ?? Number.NaN } : {}),
    p50: mean(open1, 'p50'),
    p99: mean(open1, 'p99'),
    nodeCpu: mean(open1, 'cpuPerRequest'),
    ...ofServer,
  }
}

/** A further node of the same database. */
async function anotherNode(env: Readonly<Record<string, string>>) {
  const data = mkdtempSync(join(tmpdir(), 'bench-node-'))
  const remove = atExit(() => rmSync(data, { recursive: true, force: true }))
  const url = `http://127.0.0.1:${await freePort()}`
  const running = await launch(root, data, url, 'test', env)
  const stop = async () => {
    await running.stop()
    remove()
  }
  return { url, pid: running.pid, stop }
}

/** Processor time of a server and its processes so far, in milliseconds. */
function cpuOf({ pid }: PostgresServer): number {
  const parentOf = (id: string) => / (\d+)/.exec(statOf(id).replace(/.*\) \w/, ''))?.[1]
  const children = readdirSync('/proc').filter((id) => /^\d+$/.test(id) && parentOf(id) === String(pid))
  return [String(pid), ...children].reduce((sum, id) => sum + (cpuMsOf(Number(id)) ?? 0), 0)
}

function statOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/stat`, 'latin1')
  } catch {
    return '' // it has ended
  }
}

function mean(all: readonly Figures[], figure: string): number {
  return all.reduce((sum, one) => sum + (one[figure] ?? Number.NaN), 0) / all.length
}

/** Prints the medians, and each ratio or difference as its median over the repetitions, with its spread. */
function report(): void {
  for (const [name, all] of found) {
    const shown = Object.keys(all[0] ?? {}).map((figure) => `${figure} ${rounded(median(valuesOf(all, figure)))}`)
    process.stdout.write(`${name}: ${shown.join(', ')}\n`)
  }
  const [sqlite = [], one = [], three = []] = contestants.map(({ name }) => found.get(name))
  const ratio = (of: readonly Figures[], to: readonly Figures[], figure: string) =>
    of.map((figures, at) => (figures[figure] ?? Number.NaN) / (to[at]?.[figure] ?? Number.NaN))
  const rows: readonly (readonly [string, readonly number[], string])[] = [
    ['one node / SQLite, json rps', ratio(one, sqlite, 'rps'), '>= 0.85'],
    ['one node / SQLite, json CPU of the gateway', ratio(one, sqlite, 'closedCpu'), ''],
    ['added p99 in ms', one.map(({ p99 = Number.NaN }, at) => p99 - (sqlite[at]?.p99 ?? Number.NaN)), '<= 2'],
    ['three nodes / one, CPU of a call in nodes', ratio(three, one, 'nodeCpu'), '<= 1.10'],
    ['three nodes / one, CPU of a call in PostgreSQL', ratio(three, one, 'serverCpu'), '<= 1.5'],
  ]
  for (const [name, values, bound] of rows)
    process.stdout.write(
      `${name}: ${rounded(median(values))} (${rounded(Math.min(...values))} to ${rounded(Math.max(...values))}) ${bound}\n`,
    )
}

function valuesOf(all: readonly Figures[], figure: string): number[] {
  return all.map((figures) => figures[figure] ?? Number.NaN)
}

function rounded(value: number | undefined): string {
  return value === undefined ? 'n/a' : value.toFixed(value < 10 ? 2 : 0)
}
