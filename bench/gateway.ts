import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from './monotonic.ts'
import { models } from './plan.ts'
import { rssKbOf } from './process-cost.ts'
import { atExit, freePort, type Role, type Running, root, startNode, stop } from './processes.ts'
import type { Figures } from './tally.ts'

/** A gateway for one round: fresh data folder, one channel to the fake upstream, one unlimited key. */
export interface BenchGateway extends Running {
  key: string
  data: string
  /** Calls the console's API as the first administrator, whose id is 1. */
  call: Call
  /** Headers that identify the first administrator. */
  session: Record<string, string>
  /** Compares the billed calls with the responses received (docs/reference/performance.md#targets). */
  integrity(answers: number): Promise<Figures>
  /** Restarts the gateway on the same data and measures the time to the first response and the idle memory. */
  restart(): Promise<Figures>
}

export const account = { username: 'bench', password: 'bench-password' }

/** The tree whose gateway to start, the core it runs on, and further settings. */
type GatewayOptions = Readonly<{ folder?: string | undefined; role?: Role; env?: Readonly<Record<string, string>> }>

/** Starts a gateway and sets it up over HTTP as an operator would. */
export async function startGateway(
  upstream: string,
  { folder = root, role = 'test', env = {} }: GatewayOptions = {},
): Promise<BenchGateway> {
  const data = mkdtempSync(join(tmpdir(), 'bench-data-'))
  const removeData = atExit(() => rmSync(data, { recursive: true, force: true }))
  const url = `http://127.0.0.1:${await freePort()}`
  const start = () => launch(folder, data, url, role, env)
  let running = await start()
  const { call, key, session } = await setUp(url, upstream, data)
  return {
    url,
    key,
    data,
    call,
    session,
    get pid() {
      return running.pid
    },
    integrity: (answers) => readIntegrity(call, answers),
    async restart() {
      await running.stop()
      const startedMs = monotonicMs()
      running = await start()
      const startSeconds = (monotonicMs() - startedMs) / 1000
      await pause(2_000)
      const rssKb = rssKbOf(running.pid)
      return { startSeconds, ...(rssKb === undefined ? {} : { idleRssMb: rssKb / 1024 }) }
    },
    async stop() {
      await running.stop()
      removeData()
    },
  }
}

/** Starts a gateway; resolves at its first successful response, which is the moment an operator waits for. */
export async function launch(folder: string, data: string, url: string, role: Role, more: NodeJS.ProcessEnv = {}) {
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: new URL(url).port,
    DATA_DIR: data,
    GLOBAL_API_RATE_LIMIT: '0',
    CRITICAL_RATE_LIMIT: '0',
    // The load generator uses one key for everything.
    MAX_REQUESTS_PER_USER: '0',
    MAX_REQUESTS_PER_KEY: '0',
    MAX_SOCKETS_PER_ADDRESS: '0',
    ...more,
  }
  // BENCH_FLAGS are more flags for the gateway's Node, such as --cpu-prof; discard the figures of such a run.
  const flags = process.env.BENCH_FLAGS?.split(' ').filter(Boolean) ?? []
  const child = startNode([...flags, ...startOf(folder)], role, { cwd: folder, env })
  let said = ''
  child.stdout?.on('data', (part) => {
    said = (said + part).slice(-4_000)
  })
  const deadlineMs = monotonicMs() + 30_000
  while (!(await answers(url))) {
    if (child.exitCode !== null || monotonicMs() > deadlineMs) throw new Error(`the gateway did not start:\n${said}`)
    await pause(5)
  }
  return { pid: child.pid ?? 0, stop: () => stop(child) }
}

/** The arguments that start the built gateway of this tree: the flags of its script `headless`, and the file. */
const startOf = (folder: string): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return String(scripts.headless).split(' ').slice(1, -1).concat('out/main/gateway.js')
}

const answers = (url: string) =>
  fetch(`${url}/api/status`).then(
    (answer) => answer.ok,
    () => false,
  )

/** One call of the console API; throws the gateway's error message. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Envelope>

export interface Envelope {
  /** Milliseconds until the response was complete, without the time for parsing it. */
  tookMs: number
  success?: boolean
  message?: string
  data?: unknown
}

/**
 * The query with the one-time code of the setup link in the data folder; earlier revisions have no such file and need
 * no code.
 */
const queryOf = (file: string): string => (existsSync(file) ? new URL(readFileSync(file, 'utf8').trim()).search : '')

/**
 * Sets the gateway up: root account, prices, channel, key. Returns a caller that is logged in, the headers of its
 * session, and the key.
 */
export async function setUp(url: string, upstream: string, data: string) {
  const visitor = callerOf(url, {})
  const form = { ...account, confirmPassword: account.password, SelfUseModeEnabled: true, DemoSiteEnabled: false }
  await visitor.call('POST', `/api/setup${queryOf(join(data, 'setup-link'))}`, form)
  const { id } = recordOf((await visitor.call('POST', '/api/user/login', account)).data)
  const session = { cookie: visitor.cookie(), 'New-Api-User': String(id) }
  const { call } = callerOf(url, session)

  const prices = JSON.stringify(Object.fromEntries(models.map((model) => [model, 0.05])))
  await call('PUT', '/api/option/', { key: 'ModelRatio', value: prices })
  const channel = {
    type: 1,
    name: 'bench',
    key: 'bench',
    base_url: upstream,
    models: models.join(','),
    group: 'default',
  }
  await call('POST', '/api/channel/', channel)
  await call('POST', '/api/token/', { name: 'bench', remain_quota: 0, unlimited_quota: true, expired_time: -1 })
  const { key } = firstOf((await call('GET', '/api/token/?p=0&size=10')).data)
  return { call, session, key: `sk-${key}` }
}

/** A caller that stores the session cookie it receives. */
export function callerOf(url: string, headers: Record<string, string>) {
  let cookie = ''
  const call: Call = async (method, path, body) => {
    const startedMs = monotonicMs()
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const set = answer.headers.getSetCookie().map((line) => line.split(';')[0])
    if (set.length > 0) cookie = set.join('; ')
    const text = await answer.text()
    const tookMs = monotonicMs() - startedMs
    const envelope: Envelope = { ...recordOf(JSON.parse(text)), tookMs }
    if (!envelope.success) throw new Error(`${method} ${path} was refused (${answer.status}): ${envelope.message}`)
    return envelope
  }
  return { call, cookie: () => cookie }
}

/** Rows and sums must match exactly once the last group commit has finished; waits up to ten seconds for it. */
async function readIntegrity(call: Call, answers: number): Promise<Figures> {
  let figures: Figures = {}
  for (const deadlineMs = monotonicMs() + 10_000; monotonicMs() < deadlineMs; await pause(250)) {
    const [rows, stat, user, tokens, channels] = await Promise.all([
      countRows(call),
      call('GET', '/api/log/stat?type=2'),
      call('GET', '/api/user/self'),
      call('GET', '/api/token/?p=0&size=10'),
      call('GET', '/api/channel/?p=0&page_size=10'),
    ])
    const logged = Number(recordOf(stat.data).quota)
    const sums = [recordOf(user.data), firstOf(tokens.data), firstOf(channels.data)].map((row) =>
      Number(row.used_quota),
    )
    const quotaOff = Math.max(...sums.map((sum) => Math.abs(sum - logged)))
    figures = { answers, rows, rowsOff: Math.abs(rows - answers), logged, quotaOff }
    if (figures.rowsOff === 0 && quotaOff === 0) return figures
  }
  return figures
}

const WINDOW_SECONDS = 1

/**
 * The number of consume rows, summed over short windows: totals stop at 10,000, but the last page has the exact total.
 */
async function countRows(call: Call): Promise<number> {
  const { start_time } = recordOf((await call('GET', '/api/status')).data)
  const until = Math.floor(Date.now() / 1000) + 1
  let rows = 0
  for (let from = Number(start_time) - 1; from <= until; from += WINDOW_SECONDS) {
    const range = `start_timestamp=${from}&end_timestamp=${from + WINDOW_SECONDS - 1}`
    const page = async (number: number) =>
      recordOf((await call('GET', `/api/log/?p=${number}&page_size=100&type=2&${range}`)).data)
    let number = 1
    let read = await page(number)
    for (; read.has_more === true; read = await page(number)) number = Math.max(number + 1, 101)
    rows += Number(read.total)
  }
  return rows
}

/** Responses are parsed leniently: an older revision may use another shape. */
const recordOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>

/** The first row of a list, plain or in a page. */
function firstOf(data: unknown): Record<string, unknown> {
  const list = Array.isArray(data) ? data : recordOf(data).items
  return recordOf(Array.isArray(list) ? list[0] : undefined)
}
