import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { aSocketVendor } from '../gateway/relay/websockets/socket-vendor.ts'
import { aClient, dataOf, signedIn } from '../support/client.ts'
import { startHeadless } from '../support/headless.ts'
import { anUpstream } from '../support/upstream.ts'
import type { Crowd } from './fuzz-requests.ts'
import { fuzz } from './fuzz-run.ts'

/**
 * Random requests over every route, handshakes and frames, to a gateway in its own process. `--requests`, `--seed`,
 * `--from` (the first act, to repeat a reported one), `--at-once` and `--minutes`; exits 1 when a response is faulty or
 * late, when the log has an error, or when the process has ended.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    'at-once': { type: 'string', default: '4' },
    minutes: { type: 'string', default: '60' },
    slowest: { type: 'string', default: '500' },
  },
})
const PASSWORD = 'a-long-password'
/** Acts between two checks of the process, each with a line on the terminal. */
const TURN = 1000
const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
const print = (line: string) => void process.stdout.write(`${line}\n`)
const upstream = await anUpstream()
const vendor = await aSocketVendor()
const gateway = await start()
const crowd = await gather(gateway.url)
const seed = Number(values.seed)
const goal = Number(values.from) + Number(values.requests)
const endMs = performance.now() + Number(values.minutes) * 60_000
const tally = { acts: 0, slowestMs: 0, problems: 0, statuses: new Map<number, number>() }

for (let from = Number(values.from); from < goal && performance.now() < endMs && !gateway.isGone(); from += TURN) {
  const count = Math.min(TURN, goal - from)
  const maxMs = endMs - performance.now()
  const atOnce = Number(values['at-once'])
  const report = await fuzz({
    url: gateway.url,
    crowd,
    seed,
    from,
    count,
    atOnce,
    maxMs,
    slowestMs: Number(values.slowest),
    waitedMs: gateway.waitedMs,
  })
  tally.acts += report.acts
  tally.slowestMs = Math.max(tally.slowestMs, report.slowestMs)
  for (const [status, times] of report.statuses) tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + times)
  tell(report.problems)
  upstream.reset()
  vendor.reset()
  if (tally.acts % 10_000 === 0)
    print(`${tally.acts} requests, ${tally.problems} problems, slowest ${Math.round(tally.slowestMs)} ms`)
}
if (gateway.isGone()) tell(['the gateway has ended'])
tell(gateway.errors())
const counts = [...tally.statuses].sort(([one], [other]) => one - other).map(([status, times]) => `${status}: ${times}`)
print(`answers: ${counts.join(', ')}`)
print(
  `fuzz of seed ${seed}: ${tally.acts} requests, ${tally.problems} problems, slowest ${Math.round(tally.slowestMs)} ms`,
)
await gateway.stop()
await Promise.all([upstream.stop(), vendor.stop()])
rmSync(folder, { recursive: true, force: true })
process.exit(tally.problems === 0 ? 0 : 1)

function tell(problems: readonly string[]): void {
  tally.problems += problems.length
  for (const problem of problems.slice(0, 50)) print(problem)
}

async function start() {
  const child = startHeadless(folder, { UPSTREAM_CONNECT_TIMEOUT: '2' })
  let said = ''
  const errors: string[] = []
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const lines = (said + part).split('\n')
    said = lines.pop() ?? ''
    for (const line of lines) {
      if (line.includes('"level":"error"')) errors.push(line.slice(0, 1500))
      const url = /^Switchyard is listening on (\S+)$/.exec(line)?.[1]
      if (url) child.emit('listening', url)
    }
  })
  const ended = once(child, 'exit')
  const [url] = await Promise.race([once(child, 'listening'), ended])
  return {
    url: String(url),
    errors: (): readonly string[] => errors,
    waitedMs: () => waitedMsOf(child.pid),
    isGone: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** How long a process's first thread was ready to run but had to wait; undefined if the system does not report it. */
function waitedMsOf(pid: number | undefined): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1_000_000
  } catch {
    return undefined
  }
}

/** The administrator, the key of a token, and channels for all requested models. */
async function gather(url: string): Promise<Crowd> {
  const { search } = new URL(readFileSync(join(folder, 'setup-link'), 'utf8').trim())
  dataOf(
    await aClient(url).post(`/api/setup${search}`, {
      username: 'root',
      password: PASSWORD,
      confirmPassword: PASSWORD,
      SelfUseModeEnabled: true,
    }),
  )
  const root = await signedIn(url, 'root', PASSWORD)
  const { key } = dataOf(await root.post('/api/token', { name: 'fuzz', unlimited_quota: true }))
  const channel = { type: 1, name: 'upstream', key: 'upstream-key', group: 'default', base_url: upstream.url }
  dataOf(
    await root.post('/api/channel', {
      ...channel,
      models: 'gpt-4o,claude,text-moderation-latest,omni-moderation-latest',
    }),
  )
  dataOf(await root.post('/api/channel', { ...channel, base_url: vendor.url, models: 'gpt-realtime' }))
  const { cookie = '', 'new-api-user': id = '' } = root.identity()
  return { host: new URL(url).host, key, session: { Cookie: cookie, 'New-Api-User': id } }
}
