import { existsSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createHttpClient, type HttpClient } from '../base/network/http-client.ts'
import { ownCommand } from '../base/own-command.ts'
import { createVault } from '../base/secrets/ciphers.ts'
import { readControlFile } from '../control/control-file.ts'
import { version } from '../installation.ts'
import { keyIdsOf, sealedValuesIn } from '../store/sealed-values.ts'
import { newestVerified } from '../store/sqlite/backup-files.ts'
import { DATABASE_FILE } from '../store/sqlite/database.ts'
import { loadSqlite } from '../store/sqlite/natives.ts'
import { decidedRestore, isRestoreStarted } from '../store/sqlite/restore-swap.ts'
import { type Command, type CommandDeps, ENDS, wrongUse } from './command.ts'
import { isInUse } from './in-folder.ts'

/** The result of one check, with advice if the user should do something. */
type Finding = Readonly<{ check: string; state: 'ok' | 'warning' | 'problem'; found: string; advice?: string }>

/** Checks the gateway's environment without changing it, and gives advice (docs/reference/command-line.md#doctor). */
export const healthCheck: Command = {
  about: 'checks everything the gateway depends on, and advises where something is wrong',
  flags: {
    '--upstream': { value: 'address', about: 'checks that this address responds, such as https://api.openai.com' },
  },
  async run(deps, { args, values }) {
    if (args.length > 0) throw wrongUse('usage: doctor [--upstream <address>]')
    const { '--upstream': upstream } = values
    const running = runningAt(deps)
    const findings: Finding[] = [
      node(),
      await natives(),
      folder(deps),
      lock(deps, running),
      space(deps),
      await (deps.config.DATABASE_URL === '' ? database(deps) : server(deps)),
      ...(deps.config.DATABASE_URL === '' || deps.config.REDIS_URL === '' ? [] : [await redis(deps.config)]),
      await key(deps),
      await port(deps, running),
      clock(deps),
      ...(deps.config.DATABASE_URL === '' ? [backups(deps)] : []),
      ...(upstream === undefined ? [] : [await upstreamFinding(upstream, deps.goOut)]),
    ]
    for (const { check, state, found, advice } of findings) {
      deps.print(`${marks[state]} ${check.padEnd(WIDTH)} ${found}`)
      if (advice) deps.print(`  ${' '.repeat(WIDTH)} -> ${advice}`)
    }
    const isWell = findings.every(({ state }) => state !== 'problem')
    return { result: { release: version, is_well: isWell, findings }, exitCode: isWell ? 0 : ENDS.failed }
  },
}

const marks = { ok: '+', warning: '!', problem: 'x' } as const
const WIDTH = 9
const MIN_NODE = 24
const MIN_FREE_BYTES = 256 * 1024 * 1024
/** A clock outside these years is wrong. */
const YEARS = [2025, 2100] as const

type Running = 'ours' | 'silent' | 'none'

function runningAt({ config }: CommandDeps): Running {
  try {
    if (!isInUse(config.DATA_DIR)) return 'none'
    return readControlFile(config.DATA_DIR) ? 'ours' : 'silent'
  } catch {
    // The folder itself is the problem, which another check reports.
    return 'none'
  }
}

function node(): Finding {
  const check = 'Node.js'
  const major = Number(process.versions.node.split('.')[0])
  if (major >= MIN_NODE) return { check, state: 'ok', found: process.versions.node }
  return { check, state: 'problem', found: process.versions.node, advice: `install Node.js ${MIN_NODE} or newer` }
}

async function natives(): Promise<Finding> {
  const check = 'natives'
  try {
    const { hashSync } = await import('@node-rs/argon2')
    loadSqlite()
    hashSync('a', { memoryCost: 8, timeCost: 1 })
    return { check, state: 'ok', found: 'SQLite and argon2 load' }
  } catch (cause) {
    return { check, state: 'problem', found: failureText(cause), advice: 'install the packages again: npm ci' }
  }
}

function folder({ config }: CommandDeps): Finding {
  const check = 'folder'
  const path = config.DATA_DIR
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return { check, state: 'warning', found: `${path} does not exist yet; the first start makes it` }
  if (!stats.isDirectory())
    return { check, state: 'problem', found: `${path} is not a folder`, advice: 'name a folder with --data-dir' }
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
    return { check, state: 'warning', found: `${path} can be entered by others`, advice: `chmod 700 ${path}` }
  return { check, state: 'ok', found: `${path}, for its owner only` }
}

function lock({ config }: CommandDeps, running: Running): Finding {
  const check = 'lock'
  if (running === 'ours') return { check, state: 'ok', found: 'a gateway has the folder, and takes commands' }
  if (running === 'none') return { check, state: 'ok', found: 'no gateway has the folder' }
  const found = `something has ${config.DATA_DIR} and takes no commands`
  return {
    check,
    state: 'warning',
    found,
    advice: 'it is an older release, or another command; stop it to run commands',
  }
}

function space({ config }: CommandDeps): Finding {
  const check = 'space'
  if (!existsSync(config.DATA_DIR)) return { check, state: 'ok', found: 'not looked at' }
  const { bavail, bsize } = statfsSync(config.DATA_DIR)
  const free = bavail * bsize
  const database = statSync(join(config.DATA_DIR, DATABASE_FILE), { throwIfNoEntry: false })?.size ?? 0
  const found = `${(free / 1e9).toFixed(1)} GB free, the database has ${(database / 1e6).toFixed(1)} MB`
  if (free < MIN_FREE_BYTES)
    return { check, state: 'problem', found, advice: 'make room: without it new calls are refused' }
  if (free < database + MIN_FREE_BYTES)
    return { check, state: 'warning', found, advice: 'make room: a backup does not fit' }
  return { check, state: 'ok', found }
}

/** Opens the database read-only, so that a gateway may be running. */
async function database({ config }: CommandDeps): Promise<Finding> {
  const check = 'database'
  const file = join(config.DATA_DIR, DATABASE_FILE)
  const waiting = decisionIn(config)
  if (typeof waiting === 'string')
    return { check, state: 'problem', found: waiting, advice: 'remove that file, or keep the database in the console' }
  if (waiting?.isBegun)
    return {
      check,
      state: 'warning',
      found: `a restore of ${waiting.from} was ended in its middle`,
      advice: 'the next start or command ends it',
    }
  if (!existsSync(file)) {
    const wasUsed = existsSync(join(config.DATA_DIR, 'ledger.journal'))
    if (wasUsed)
      return { check, state: 'problem', found: 'it is gone from a folder that was used', advice: restoreAdvice(config) }
    return { check, state: 'ok', found: 'none yet' }
  }
  try {
    const { checkDatabase } = await import('../store/sqlite/copy-thread.ts')
    const result = await checkDatabase(file)
    if (result !== 'ok') return { check, state: 'problem', found: result, advice: restoreAdvice(config) }
    const found = waiting ? `whole; ${waiting.from} takes its place at the next start` : 'whole'
    return { check, state: 'ok', found }
  } catch (cause) {
    return { check, state: 'problem', found: failureText(cause), advice: restoreAdvice(config) }
  }
}

/** Settings of the server with which an acknowledged charge survives a power cut. */
const DURABLE = { fsync: ['on'], synchronous_commit: ['on', 'remote_apply', 'remote_write'] } as const
const MAX_CLOCK_DIFFERENCE_S = 5

/** Looks at the PostgreSQL server without changing anything. */
async function server({ config, clock: time }: CommandDeps): Promise<Finding> {
  const check = 'database'
  try {
    const { version: release, roundTripMs, now, settings, freeConnections } = await serverReport(config.DATABASE_URL)
    const found = `PostgreSQL ${release}, ${roundTripMs.toFixed(1)} ms away`
    const unsafe = Object.entries(DURABLE).filter(([name, safe]) => !safe.some((value) => value === settings[name]))
    const advice = [
      ...unsafe.map(([name]) => `set ${name} = on: a power cut of the server may lose charges`),
      ...(Math.abs(now - time.now() / 1000) > MAX_CLOCK_DIFFERENCE_S ? ['set the clocks of both machines'] : []),
      ...(freeConnections < NODE_CONNECTIONS ? ['raise max_connections: a gateway needs 9'] : []),
    ]
    return advice.length === 0
      ? { check, state: 'ok', found }
      : { check, state: 'warning', found, advice: advice.join('; ') }
  } catch (cause) {
    return { check, state: 'problem', found: failureText(cause), advice: 'look at DATABASE_URL and at the server' }
  }
}

/** Max round trip: gateways do not wait longer for Redis (docs/growth.md#redis). */
const MAX_REDIS_MS = 20

async function redis({ REDIS_URL: url }: CommandDeps['config']): Promise<Finding> {
  const check = 'redis'
  const { readRedisReport } = await import('../composition/redis.ts')
  try {
    const { version: release, roundTripMs, isPrimary } = await readRedisReport(url)
    const found = `Redis ${release}, ${roundTripMs.toFixed(1)} ms away`
    if (!isPrimary) return { check, state: 'problem', found, advice: 'REDIS_URL must lead to the primary server' }
    if (roundTripMs > MAX_REDIS_MS)
      return { check, state: 'warning', found, advice: 'use a server within 20 ms: a slower one is not used' }
    return { check, state: 'ok', found }
  } catch (cause) {
    return { check, state: 'problem', found: failureText(cause), advice: 'look at REDIS_URL and at the server' }
  }
}

const NODE_CONNECTIONS = 9

/** The pending restore, or why it cannot be determined. */
function decisionIn({ DATA_DIR: folder }: CommandDeps['config']) {
  try {
    const decided = decidedRestore(folder)
    return decided && { from: decided.from, isBegun: isRestoreStarted(folder) }
  } catch (cause) {
    return failureText(cause)
  }
}

function restoreAdvice({ DATA_DIR }: CommandDeps['config']): string {
  const newest = newestVerified(DATA_DIR)
  return newest
    ? `${ownCommand()} restore ${newest.name}`
    : 'there is no verified backup; look for a *.bak in the folder'
}

async function key({ config, secrets }: CommandDeps): Promise<Finding> {
  const check = 'data key'
  const isHere = existsSync(join(config.DATA_DIR, 'master.key'))
  if (!config.SWITCHYARD_MASTER_KEY && !isHere) {
    if (!existsSync(join(config.DATA_DIR, DATABASE_FILE)))
      return { check, state: 'ok', found: 'made by the first start' }
    if (existsSync(join(config.DATA_DIR, 'installation-id')))
      return { check, state: 'ok', found: "in the desktop's keychain" }
    return {
      check,
      state: 'problem',
      found: 'there is none',
      advice: 'put master.key back, or set SWITCHYARD_MASTER_KEY',
    }
  }
  try {
    const { keyId } = createVault(await secrets.dataKey())
    const found = `${keyId}, from ${config.SWITCHYARD_MASTER_KEY ? 'the environment' : 'master.key'}`
    const sealing = await sealingKeys(config)
    const otherKeys = sealing.filter((one) => one !== keyId)
    if (otherKeys.length === 0) return { check, state: 'ok', found }
    return {
      check,
      state: sealing.includes(keyId) ? 'warning' : 'problem',
      found: `${found}, but data is sealed with another data key: ${otherKeys.join(', ')}`,
      advice: 'bring that key back (key import), or enter again what it has sealed',
    }
  } catch (cause) {
    return { check, state: 'problem', found: failureText(cause), advice: 'see the line above' }
  }
}

const serverReport = async (url: string) => (await import('../composition/postgres.ts')).readServerReport(url)

async function sealingKeys({ DATA_DIR, DATABASE_URL }: CommandDeps['config']): Promise<readonly string[]> {
  if (DATABASE_URL !== '') {
    // Another check reports that the server does not respond.
    return serverReport(DATABASE_URL).then(
      ({ sealingKeys }) => sealingKeys,
      () => [],
    )
  }
  const file = join(DATA_DIR, DATABASE_FILE)
  return existsSync(file) ? keyIdsOf(sealedValuesIn(file)) : []
}

async function port({ config }: CommandDeps, running: Running): Promise<Finding> {
  const check = 'port'
  const { HOST, PORT } = config
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(PORT, HOST, () => server.close(() => resolve(undefined)))
  })
  if (code === undefined) return { check, state: 'ok', found: `${HOST}:${PORT} is free` }
  if (code === 'EADDRINUSE' && running === 'ours')
    return { check, state: 'ok', found: `${HOST}:${PORT} is taken, by the gateway` }
  return {
    check,
    state: 'problem',
    found: `${HOST}:${PORT}: ${code}`,
    advice: 'choose another with --port, or stop the other program',
  }
}

function clock({ clock: time }: CommandDeps): Finding {
  const check = 'clock'
  const now = new Date(time.now())
  const [min, max] = YEARS
  const isLikely = now.getFullYear() >= min && now.getFullYear() <= max
  const found = now.toISOString()
  if (isLikely) return { check, state: 'ok', found }
  return { check, state: 'problem', found, advice: 'set the clock of this machine: tokens and certificates go by it' }
}

function backups({ config, clock: time }: CommandDeps): Finding {
  const check = 'backups'
  if (!existsSync(join(config.DATA_DIR, DATABASE_FILE))) return { check, state: 'ok', found: 'nothing to back up yet' }
  const newest = newestVerified(config.DATA_DIR)
  if (!newest) return { check, state: 'warning', found: 'there is no verified one', advice: 'switchyard backup' }
  const days = Math.floor((time.now() / 1000 - newest.madeAt) / 86_400)
  const date = new Date(newest.madeAt * 1000).toISOString()
  if (days < 0)
    return {
      check,
      state: 'warning',
      found: `the newest is dated in the future: ${date}`,
      advice: 'check the clock of this machine, then switchyard backup',
    }
  if (days > 2) return { check, state: 'warning', found: `the newest is ${days} days old`, advice: 'switchyard backup' }
  return { check, state: 'ok', found: `the newest is of ${date}` }
}

const failureText = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const WAIT_MS = 10_000
const MAX_BYTES = 1024 * 1024

/** Whether an address responds at all, with any status. */
async function upstreamFinding(address: string, goOut: CommandDeps['goOut']): Promise<Finding> {
  const check = 'upstream'
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return {
      check,
      state: 'problem',
      found: `${address} is not an address`,
      advice: 'name one such as https://api.openai.com',
    }
  let http: HttpClient | undefined
  try {
    http = createHttpClient(WAIT_MS, goOut())
    const { status } = await http.fetchTrusted(address, { timeoutMs: WAIT_MS, maxBytes: MAX_BYTES })
    return { check, state: 'ok', found: `${new URL(address).host} answers (${status})` }
  } catch (cause) {
    const found = `${new URL(address).host} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`
    return {
      check,
      state: 'problem',
      found,
      advice: 'look at the network, the name server and the proxy of this machine',
    }
  } finally {
    await http?.close()
  }
}
