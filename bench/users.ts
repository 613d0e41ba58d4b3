import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { account, callerOf, startGateway } from './gateway.ts'
import { cores, startListener } from './processes.ts'
import { measureReadings, say } from './readings.ts'
import type { AskedGateway } from './twin.ts'

/**
 * `npm run bench -- users`: how long lists, searches and logins take with many accounts, with and without relayed
 * traffic, and how they affect that traffic (docs/reference/performance.md#many-accounts). Exits 1 if a response, or
 * the delay of that traffic, exceeds its floor.
 */
const { values: flags } = parseArgs({
  options: {
    users: { type: 'string', default: '10000' },
    times: { type: 'string', default: '40' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
  },
})
const count = Number(flags.users)
const upstream = await startListener('upstream.ts', 'load')
const gateway = await startGateway(upstream.url, { role: 'free' })
fillUsers()
say(`${count} accounts; gateway on cores ${cores?.free ?? 'of its choice'}, load on ${cores?.load ?? 'the same'}`)

const read = (path: string) => (asked: AskedGateway) => asked.call('GET', path)
const last = Math.floor(count / 100)
let next = 0
/** Rotates through all accounts: each may log in only a few times per minute. */
const logIn = ({ url }: AskedGateway) => {
  next = (next % count) + 1
  return callerOf(url, {}).call('POST', '/api/user/login', { ...account, username: `person-${next}` })
}
const isWithin = await measureReadings(
  gateway,
  [
    ['first page', read('/api/user/?p=1&page_size=100')],
    ['last page', read(`/api/user/?p=${last}&page_size=100`)],
    ['search, one hit', read(`/api/user/search?keyword=person-${count - 1}&p=1&page_size=100`)],
    ['search, all hit', read('/api/user/search?keyword=person&p=1&page_size=100')],
    ['search, no hit', read('/api/user/search?keyword=nobody-of-this&p=1&page_size=100')],
    ['search, a group', read('/api/user/search?keyword=9&group=vip&p=1&page_size=100')],
    ['one account', read('/api/user/7')],
    ['login, with its hash', logIn],
  ],
  {
    goalMs: 50,
    floorMs: 75,
    times: Number(flags.times),
    rate: Number(flags.rate),
    seconds: Number(flags.seconds),
    meanwhile: 'accounts are read',
  },
)
await gateway.stop()
await upstream.stop()
process.exitCode = isWithin ? 0 : 1

/** Creates accounts with the first account's password in one transaction, while the gateway runs. */
function fillUsers(): void {
  const database = new Database(join(gateway.data, 'switchyard.db'), { fileMustExist: true })
  database.pragma('busy_timeout = 10000')
  database
    .prepare(
      `insert into users (username, password, display_name, email, "group", quota, created_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < @count)
       select 'person-' || i, (select password from users where id = 1), 'Person ' || i, 'person-' || i || '@example.com',
         iif(i % 7, 'default', 'vip'), 500000, unixepoch() - i
       from n`,
    )
    .run({ count })
  database.close()
}
