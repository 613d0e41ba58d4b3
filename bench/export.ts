import { parseArgs } from 'node:util'
import { account, type BenchGateway, startGateway } from './gateway.ts'
import { fillLog } from './log-rows.ts'
import { monotonicMs } from './monotonic.ts'
import { rssKbOf } from './process-cost.ts'
import { cores, runLoad, startListener } from './processes.ts'
import { say } from './readings.ts'
import { table } from './report.ts'
import type { Figures } from './tally.ts'

/**
 * `npm run bench -- export`: exports the usage log of all users as CSV and as JSON while requests are relayed, and
 * measures the time, the gateway's memory and the effect on the requests (docs/reference/logs.md#export). Exits 1 when
 * rows are missing, a request fails, or memory still grows in the second half of a file.
 */
const { values: flags } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, rate: { type: 'string', default: '100' } },
})
const rows = Number(flags.rows)
/** Memory fluctuates by this much between two garbage collections. */
const GROWTH_MB = 40
const SAMPLE_MS = 250
const LOAD_S = 8

const upstream = await startListener('upstream.ts', 'load')
const gateway = await startGateway(upstream.url, { role: 'free' })
const headers = await signedIn(gateway.url)
fillLog(gateway.data, rows, Math.floor(Date.now() / 1000))
say(`${rows} rows; gateway on cores ${cores?.free ?? 'of its choice'}, load on ${cores?.load ?? 'the same'}`)
const LINE_FEED = 0x0a
const alone = await load(gateway, 5)
const sections = [
  [
    'format',
    'rows',
    'MB',
    'seconds',
    'RSS before',
    '25 %',
    '50 %',
    '75 %',
    'end',
    'peak',
    'relayed',
    'failed',
    'p50',
    'p99',
  ],
]
let isFine = true
for (const format of ['csv', 'json'] as const) {
  const before = rssMb()
  const file = exported(format)
  const relayed: Figures[] = []
  while (!file.isOver) relayed.push(await load(gateway, LOAD_S))
  const { bytes, lines, seconds, samples } = await file.done
  const at = (share: number) => samples[Math.min(samples.length - 1, Math.floor(samples.length * share))] ?? Number.NaN
  const peak = Math.max(...samples)
  const firstHalf = Math.max(...samples.slice(0, Math.ceil(samples.length / 2)))
  const sum = (name: string) => relayed.reduce((total, one) => total + (one[name] ?? 0), 0)
  const worst = (name: string) => Math.max(...relayed.map((one) => one[name] ?? Number.NaN))
  const failed = sum('errors') + sum('incomplete')
  isFine &&= lines >= rows && failed === 0 && peak - firstHalf <= GROWTH_MB
  const memory = [before, at(0.25), at(0.5), at(0.75), at(1), peak].map((mb) => mb.toFixed(0))
  const relay = [sum('answers').toFixed(0), String(failed), worst('p50').toFixed(1), worst('p99').toFixed(1)]
  sections.push([format, String(lines), (bytes / 1e6).toFixed(0), seconds.toFixed(0), ...memory, ...relay])
}
const relayAlone = `relay alone: p50 ${alone.p50?.toFixed(1)}, p99 ${alone.p99?.toFixed(1)} ms`
process.stdout.write(`\n${table(sections)}\n\n${relayAlone}\n`)
await gateway.stop()
await upstream.stop()
process.exitCode = isFine ? 0 : 1

/** Sends requests at a steady rate; returns their figures. */
function load({ url, key }: BenchGateway, seconds: number): Promise<Figures> {
  const asks = [{ model: 'bench-json' }]
  return runLoad({ mode: 'open', asks, rate: Number(flags.rate), warmSeconds: 0, seconds, url, key })
}

/** Reads a file to its end without storing it, and measures the gateway's memory from the request on. */
function exported(format: 'csv' | 'json') {
  const state = { isOver: false }
  const read = async () => {
    const startedMs = monotonicMs()
    const samples: number[] = []
    const timer = setInterval(() => samples.push(rssMb()), SAMPLE_MS)
    let [bytes, lines] = [0, 0]
    try {
      const answer = await fetch(`${gateway.url}/api/log/export?format=${format}`, { headers })
      for await (const part of answer.body ?? []) {
        bytes += part.length
        for (const byte of part) if (byte === LINE_FEED) lines += 1
      }
    } finally {
      clearInterval(timer)
      state.isOver = true
    }
    // Without the header of the CSV table or the brackets of the JSON list.
    return { bytes, lines: lines - (format === 'csv' ? 1 : 2), seconds: (monotonicMs() - startedMs) / 1000, samples }
  }
  const done = read()
  return {
    done,
    get isOver() {
      return state.isOver
    },
  }
}

function rssMb(): number {
  return (rssKbOf(gateway.pid) ?? Number.NaN) / 1024
}

async function signedIn(url: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return { cookie: cookie.join('; '), 'New-Api-User': '1' }
}
