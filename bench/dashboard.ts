import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { startGateway } from './gateway.ts'
import { fillLog } from './log-rows.ts'
import { cores, startListener } from './processes.ts'
import { measureReadings, say } from './readings.ts'
import type { AskedGateway } from './twin.ts'

/**
 * `npm run bench -- dashboard`: how long the dashboard's requests take with a long log and many channels, with and
 * without relayed traffic, and how they affect that traffic (docs/reference/dashboard.md#cost). Exits 1 if a response,
 * or the delay of that traffic, exceeds its floor. Summaries are cached for seconds, by hours and midnight, and the
 * last minute by user. Each request therefore names another midnight or user, so that it is computed; cached responses
 * are listed separately.
 */
const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    channels: { type: 'string', default: '500' },
    times: { type: 'string', default: '40' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
  },
})
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** The log's users apart from the administrator (log-rows.ts). */
const PEOPLE = 50
const now = Math.floor(Date.now() / 1000)
const upstream = await startListener('upstream.ts', 'load')
const gateway = await startGateway(upstream.url, { role: 'free' })
fillLog(gateway.data, Number(flags.rows), now)
const hours = fillHours()
// The idle connection has been closed by now.
await gateway.call('GET', '/api/status').catch(() => undefined)
for (let place = 0; place < Number(flags.channels); place += 1) {
  const channel = { type: 1, name: `channel-${place}`, key: `key-${place}`, models: 'other', group: 'default' }
  await gateway.call('POST', '/api/channel', { ...channel, base_url: upstream.url })
}
say(`${flags.rows} rows, ${hours} of users by hour; gateway on cores ${cores?.free ?? 'of its choice'}`)

let turn = 0
const asked = (path: string, days: number, midnight: number, more = '') => {
  const range = `start_timestamp=${now - days * DAY_S}&end_timestamp=${now}`
  return `${path}?${range}&today=${midnight}&yesterday=${midnight - DAY_S}${more}`
}
/** Days not requested before: midnight is some seconds earlier each time. */
const again = (path: string, days: number, more = '') => {
  return ({ call }: AskedGateway) => {
    turn += 1
    return call('GET', asked(path, days, now - 9 * HOUR_S - (turn % HOUR_S), more))
  }
}
const liveOfAnother = ({ call }: AskedGateway) => {
  turn += 1
  return call('GET', `/api/data/live?username=person-${turn % PEOPLE}`)
}
const ids = Array.from({ length: 100 }, (_, place) => place + 1)
const isWithin = await measureReadings(
  gateway,
  [
    ['summary, a day', again('/api/data/summary', 1)],
    ['summary, 30 days', again('/api/data/summary', 30)],
    ['summary of one user, 30 days', again('/api/data/summary', 30, '&username=bench')],
    ['own summary, a day', again('/api/data/self/summary', 1)],
    ['rows, a day', again('/api/data/', 1)],
    ['rows, 30 days', again('/api/data/', 30)],
    ['rows of one user, 30 days', again('/api/data/', 30, '&username=bench')],
    ['live of one user', liveOfAnother],
    ['summary, 30 days, kept', ({ call }) => call('GET', asked('/api/data/summary', 30, now - 8 * HOUR_S))],
    ['live, kept', ({ call }) => call('GET', '/api/data/live')],
    ['hours of 100 tokens', ({ call }) => call('POST', '/api/data/self/tokens', { ids })],
  ],
  {
    goalMs: 150,
    floorMs: 225,
    times: Number(flags.times),
    rate: Number(flags.rate),
    seconds: Number(flags.seconds),
    meanwhile: 'dashboards are read',
  },
)
await gateway.stop()
await upstream.stop()
process.exitCode = isWithin ? 0 : 1

/** Aggregates the log into the hourly tables, and adds its users. Returns the number of rows of `quota_data`. */
function fillHours(): number {
  const database = new Database(join(gateway.data, 'switchyard.db'), { fileMustExist: true })
  database.pragma('busy_timeout = 10000')
  const hour = 'created_at - created_at % 3600'
  const sums = 'sum(type = 2), sum(type = 5), sum(quota), sum(prompt_tokens + completion_tokens)'
  const kinds = { all: "''", user: 'cast(user_id as text)', token: 'cast(token_id as text)', model: 'model_name' }
  database.exec(`insert into quota_data (user_id, username, model_name, created_at, count, quota, token_used)
    select user_id, iif(user_id = 1, 'bench', 'person-' || (user_id - 1000)),
      iif(user_id = 1, model_name, 'vendor/model-' || ((user_id + id % 4) % 30)), ${hour},
      count(*), sum(quota), sum(prompt_tokens + completion_tokens)
    from logs where type = 2 group by 1, 2, 3, 4`)
  for (const [kind, subject] of Object.entries(kinds))
    database.exec(`insert into usage_hours (kind, created_at, subject, count, errors, quota, token_used)
      select '${kind}', ${hour}, ${subject}, ${sums} from logs group by 2, 3 on conflict do nothing`)
  for (const measure of ['whole', 'first'])
    database.exec(`insert into latency_hours (measure, created_at, bucket, count)
      select '${measure}', ${hour}, 60 + id % 80, count(*) from logs where type = 2 group by 2, 3 on conflict do nothing`)
  database.exec(`insert into users (id, username, password, created_at)
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${PEOPLE - 1})
    select 1000 + i, 'person-' || i, '', ${now} from n`)
  const { n } = database.prepare('select count(*) as n from quota_data').get() as { n: number }
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
  return n
}
