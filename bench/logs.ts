import { parseArgs } from 'node:util'
import { startGateway } from './gateway.ts'
import { logQuestions } from './log-questions.ts'
import { fillLog } from './log-rows.ts'
import { cores, startListener } from './processes.ts'
import { measureReadings, say } from './readings.ts'
import type { AskedGateway } from './twin.ts'

/**
 * `npm run bench -- logs`: how long each query of a long log takes, with and without relayed traffic, and how the
 * queries affect that traffic (docs/reference/performance.md#long-queries). Exits 1 if a query, or the delay it
 * adds to that traffic, exceeds its floor.
 */
const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '15' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
  },
})

const upstream = await startListener('upstream.ts', 'load')
const gateway = await startGateway(upstream.url, { role: 'free' })
const now = Math.floor(Date.now() / 1000)
fillLog(gateway.data, Number(flags.rows), now)
say(`${flags.rows} rows; gateway on cores ${cores?.free ?? 'of its choice'}, load on ${cores?.load ?? 'the same'}`)
const questions = Object.entries(logQuestions(now)).map(
  ([name, path]) => [name, ({ call }: AskedGateway) => call('GET', path)] as const,
)
const isWithin = await measureReadings(gateway, questions, {
  goalMs: 100,
  floorMs: 150,
  times: Number(flags.times),
  rate: Number(flags.rate),
  seconds: Number(flags.seconds),
  meanwhile: 'logs are read',
})
await gateway.stop()
await upstream.stop()
process.exitCode = isWithin ? 0 : 1
