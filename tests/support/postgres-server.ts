import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** A PostgreSQL server of this test process, on a free loopback port; databases are cheap, servers are not. */
export interface PostgresServer {
  /** The address of the database that every server has. */
  readonly address: string
  readonly port: number
  readonly pid: number
  /** The address of a new, empty database. */
  database(): Promise<string>
  /** Ends the server and its children at once, as a power cut would. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  /** Starts a server that replicates this one; commits wait for it if it is synchronous. */
  standby(how: Readonly<{ isSynchronous: boolean }>): Promise<PostgresServer>
  /** Makes a standby a primary server. */
  promote(): Promise<void>
  /** Stops the replication of a standby: from now on it lags behind. */
  pause(): Promise<void>
}

const ROOT = '/usr/lib/postgresql'

/** The newest installed server's programs; undefined if there is none. */
export const postgresPrograms = (): string | undefined =>
  existsSync(ROOT)
    ? readdirSync(ROOT)
        .toSorted((one, other) => Number(other) - Number(one))
        .map((version) => join(ROOT, version, 'bin'))
        .find((folder) => existsSync(join(folder, 'initdb')))
    : undefined

/** Without `fsync`, a server that is killed may lose acknowledged commits. */
export function startPostgres({ fsync = false } = {}): Promise<PostgresServer> {
  const home = aHome()
  home.run('initdb', ['-D', home.folder, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-locale'])
  return served(home, fsync)
}

/** An empty folder of the server's user, and the server's programs. */
function aHome() {
  const programs = postgresPrograms()
  if (!programs) throw new Error('there is no PostgreSQL server on this machine (Debian: postgresql)')
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-pg-'))
  // PostgreSQL does not run as root.
  const user = userInfo().uid === 0 ? postgresUser() : undefined
  if (user) {
    chownSync(folder, user.uid, user.gid)
    // `npm test` puts temporary files into a folder that only its owner may enter (scripts/test.mjs).
    const { mode } = statSync(tmpdir())
    if ((mode & 0o001) === 0) chmodSync(tmpdir(), (mode & 0o777) | 0o001)
  }
  const options = { ...user, cwd: folder, stdio: 'ignore' } as const
  return {
    folder,
    run: (program: string, args: readonly string[]) => void execFileSync(join(programs, program), args, options),
    spawn: (program: string, args: readonly string[]) => spawn(join(programs, program), args, options),
  }
}

async function served(home: ReturnType<typeof aHome>, fsync: boolean): Promise<PostgresServer> {
  const { folder } = home
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    fsync: fsync ? 'on' : 'off',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const addressOf = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`
  const run = (statement: string) => once(addressOf('postgres'), statement)
  let server: ChildProcess
  const start = () => {
    server = home.spawn('postgres', ['-D', folder, '-p', String(port), ...flags])
    return reachable(addressOf('postgres'))
  }
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('close', resolve))
    server.kill(signal)
    await ended
  }
  await start()
  return {
    address: addressOf('postgres'),
    port,
    get pid() {
      return server.pid ?? 0
    },
    start,
    // Its children notice the death of their parent and end.
    kill: () => end('SIGKILL'),
    database: () => createDatabase(addressOf('postgres'), 'template0'),
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
    async standby({ isSynchronous }) {
      const copy = aHome()
      copy.run('pg_basebackup', ['-D', copy.folder, '-d', addressOf('postgres'), '-R', '--checkpoint=fast'])
      const standby = await served(copy, fsync)
      if (isSynchronous) {
        await run("alter system set synchronous_standby_names = '*'")
        await run('select pg_reload_conf()')
      }
      return standby
    },
    promote: () => run('select pg_promote()'),
    async pause() {
      await run("alter system set primary_conninfo = ''")
      await run('select pg_reload_conf()')
      await run(
        'do $$ begin while exists (select 1 from pg_stat_wal_receiver) loop perform pg_sleep(0.05); end loop; end $$',
      )
    },
  }
}

export const databaseName = (): string => `t${randomBytes(6).toString('hex')}`

/** Creates a database as a copy of another one; returns its address. */
export async function createDatabase(server: string, template: string, name = databaseName()): Promise<string> {
  await once(server, `create database ${name} template ${template}`)
  return new URL(name, server).href
}

function postgresUser() {
  const [, , uid, gid] = execFileSync('getent', ['passwd', 'postgres'], { encoding: 'utf8' }).split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

async function reachable(address: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      return await once(address, 'select 1')
    } catch {
      await sleep(50)
    }
  }
  throw new Error('the PostgreSQL server did not start')
}

async function once(address: string, statement: string): Promise<void> {
  const client = new Client(address)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
