import { parseArgs } from 'node:util'
import { startGateway } from './gateway.ts'
import { fillLog } from './log-rows.ts'
import { cores, startListener } from './processes.ts'
import { measureReadings, say } from './readings.ts'
import type { AskedGateway } from './twin.ts'

/**
 * `npm run bench -- backup`: how long a verified backup of a large database takes, with and without relayed traffic,
 * and what it does to those requests (docs/reference/performance.md#backups). Exits 1 if a backup, or the delay it adds
 * to them, exceeds its floor.
 */
const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '3' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '30' },
  },
})

const upstream = await startListener('upstream.ts', 'load')
const gateway = await startGateway(upstream.url, { role: 'free' })
fillLog(gateway.data, Number(flags.rows), Math.floor(Date.now() / 1000))
say(`${flags.rows} rows; gateway on cores ${cores?.free ?? 'of its choice'}, load on ${cores?.load ?? 'the same'}`)

/** Makes a backup and deletes it, so that the disk does not fill up. */
async function backUp({ call }: AskedGateway): Promise<undefined> {
  const { data } = await call('POST', '/api/backup')
  const { name } = data as { name: string } // the type in the endpoint's contract
  await call('DELETE', `/api/backup/${name}`)
}

const isWithin = await measureReadings(gateway, [['a backup', backUp]], {
  goalMs: 15_000,
  floorMs: 60_000,
  times: Number(flags.times),
  rate: Number(flags.rate),
  seconds: Number(flags.seconds),
  meanwhile: 'backups are made',
})
await gateway.stop()
await upstream.stop()
process.exitCode = isWithin ? 0 : 1
