import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inject, onTestFinished } from 'vitest'
import type { ProviderAddresses } from '../../gateway/accounts/providers/redirecting.ts'
import { type Logger, silentLogger } from '../../gateway/base/log/logger.ts'
import { type Argon2, createPasswords } from '../../gateway/base/secrets/passwords.ts'
import { createGateway } from '../../gateway/composition/create-gateway.ts'
import { readConfig } from '../../gateway/config.ts'
import { headlessSecrets } from '../../gateway/secrets.ts'
import type { LookForAddresses } from '../../gateway/share/interfaces.ts'
import type { TokenView } from '../../shared/api/token.ts'
import { encodeOption, isOptionKey, type OptionKey, type OptionValue } from '../../shared/options/index.ts'
import { atFileEnd } from './file-end.ts'
import './loopback.ts'
import { aClient, type Client, dataOf, setupPath, signedIn } from './client.ts'
import { aClock, type MovableClock } from './clock.ts'
import { quickArgon2 } from './quick-argon2.ts'
import { type Asking, callRelay, chatBody, type RelayAnswer } from './relay-client.ts'
import { aPostgresDatabase, layTables } from './tables.ts'
import { anUpstream, type Upstream } from './upstream.ts'

export type Gateway = Awaited<ReturnType<typeof createGateway>>
export type Options = Partial<{ [K in OptionKey]: OptionValue<K> }>
export type Wanted = Readonly<{
  /** Options set through the API before the world is returned. */
  options?: Options
  /** Process settings by environment variable; limits per address are off by default. */
  config?: Record<string, string>
  clock?: MovableClock
  log?: Logger
  consoleFolder?: string
  /** Called for each notice to an account. */
  onNotice?: NonNullable<Parameters<typeof createGateway>[0]['onNotice']>
  /** Wrappers around the gateway's storage or shared state. */
  between?: Pick<Parameters<typeof createGateway>[0], 'before' | 'shared'>
  /** The network addresses of the gateway's machine, in place of its real ones. */
  machine?: LookForAddresses
  /** The rate limit of calls from shared addresses, if not the default. */
  sharedApiLimit?: number
  /** The password hasher, in place of the quick one. */
  argon2?: Argon2
  /** The address of a fake human verification service. */
  verifyUrl?: string
  /** Addresses of login providers. */
  providers?: ProviderAddresses
  /** The places to search for programs of this machine. */
  local?: NonNullable<Parameters<typeof createGateway>[0]['local']>
}>

/** A user with a session and, from the first relayed request on, an API token. */
export type Person = Client &
  Readonly<{
    id: number
    username: string
    /** The key of the user's own unlimited token, without `sk-`. */
    key(): Promise<string>
    asks(model: string, text: string, asking?: Asking): Promise<RelayAnswer>
    /** Posts any body to any relay route. */
    calls(path: string, body: unknown, asking?: Asking): Promise<RelayAnswer>
    quota(): Promise<number>
  }>

/** A running gateway with an administrator and a vendor; everything stops with the test. */
export interface World {
  readonly gateway: Gateway
  readonly url: string
  readonly folder: string
  /** Its PostgreSQL database; empty if it is on SQLite. */
  readonly databaseUrl: string
  readonly clock: MovableClock
  readonly upstream: Upstream
  readonly admin: Person
  /** A client that is not logged in. */
  readonly visitor: Client
  user(fields?: NewPerson): Promise<Person>
  token(owner: Client, fields?: object): Promise<TokenView>
  /** Creates an OpenAI channel to the fake upstream; returns its id. */
  channel(fields?: object): Promise<number>
  option<K extends OptionKey>(key: K, value: OptionValue<K>): Promise<void>
  /** Lets time pass for the gateway, and for logins in its PostgreSQL database, which has its own clock. */
  later(milliseconds: number): Promise<void>
  /** Starts another gateway on the same PostgreSQL database and the same upstream, with further settings. */
  node(more?: Pick<Wanted, 'config' | 'log'>): Promise<World>
  /** Logs a user of another node in to this one; the key is the same on all nodes. */
  same(person: Person): Promise<Person>
  /** Restarts the gateway on the same folder; addresses and sessions of this object become invalid. */
  restart(): Promise<World>
}

export type NewPerson = Readonly<{ username?: string; group?: string; quota?: number; role?: number }>

/** The password of every user in a world. */
export const PASSWORD = 'a-long-password'
const hashed = createPasswords(quickArgon2).hash(PASSWORD)

/** A real gateway with its own folder on a free loopback port, set up, with the given options. */
export async function aWorld(wanted: Wanted = {}): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-'))
  atTheEnd(() => rm(folder, { recursive: true, force: true }))
  const upstream = await anUpstream()
  atTheEnd(upstream.stop)
  const masterKey = randomBytes(32).toString('base64')
  const server = inject('postgres')
  const database =
    server === undefined || wanted.config?.DATABASE_URL !== undefined ? '' : await aPostgresDatabase(server)
  const config = { SWITCHYARD_MASTER_KEY: masterKey, DATABASE_URL: database, ...wanted.config }
  if (config.DATABASE_URL === '') await layTables(folder)
  const world = await start({ ...wanted, config }, folder, upstream, setUp)
  for (const [key, value] of Object.entries(wanted.options ?? {})) await setOption(world.admin, key, value)
  return world
}

type Prepare = (gateway: Gateway) => Promise<void>

async function start(wanted: Wanted, folder: string, upstream: Upstream, prepare?: Prepare): Promise<World> {
  const clock = wanted.clock ?? aClock()
  const config = readConfig({ ...unlimited, ...wanted.config, DATA_DIR: folder }, [])
  const gateway = await createGateway({
    config,
    secrets: headlessSecrets(config),
    clock,
    log: wanted.log ?? silentLogger,
    checkAnswers: true,
    ...wanted.between,
    argon2: wanted.argon2 ?? quickArgon2,
    // Few tests need the console's files, and each gateway would read three hundred.
    consoleFolder: wanted.consoleFolder ?? join(folder, 'console'),
    ...(wanted.sharedApiLimit ? { sharedApiLimit: wanted.sharedApiLimit } : {}),
    ...(wanted.machine ? { machine: wanted.machine } : {}),
    ...(wanted.onNotice ? { onNotice: wanted.onNotice } : {}),
    ...(wanted.providers ? { providers: wanted.providers } : {}),
    ...(wanted.local ? { local: wanted.local } : {}),
    ...(wanted.verifyUrl ? { verifyUrl: wanted.verifyUrl } : {}),
  })
  const stop = once(() => gateway.stop())
  atTheEnd(stop)
  await prepare?.(gateway)
  const admin = person(gateway, 'root', await signedIn(gateway.url, 'root', PASSWORD))
  return {
    gateway,
    url: gateway.url,
    folder,
    databaseUrl: config.DATABASE_URL,
    clock,
    upstream,
    admin,
    visitor: aClient(gateway.url),
    user: (fields = {}) => newPerson(gateway, fields),
    token: newToken,
    channel: (fields = {}) => newChannel(admin, { base_url: upstream.url, ...fields }),
    option: (key, value) => setOption(admin, key, value),
    async later(milliseconds) {
      clock.advance(milliseconds)
      if (config.DATABASE_URL === '') return
      await sql`update ephemeral set until = until - ${milliseconds} * interval '1 ms'`.execute(gateway.inner.db)
    },
    async node(more = {}) {
      const other = await mkdtemp(join(tmpdir(), 'switchyard-'))
      atTheEnd(() => rm(other, { recursive: true, force: true }))
      return start({ ...wanted, ...more, config: { ...wanted.config, ...more.config } }, other, upstream)
    },
    same: async ({ username, key }) => person(gateway, username, await signedIn(gateway.url, username, PASSWORD), key),
    async restart() {
      await stop()
      return start({ ...wanted, clock }, folder, upstream)
    },
  }
}

const unlimited = {
  PORT: '0',
  DRAIN_S: '1',
  GLOBAL_API_RATE_LIMIT: '0',
  GLOBAL_WEB_RATE_LIMIT: '0',
  CRITICAL_RATE_LIMIT: '0',
}

async function setUp({ url, setupLink }: Gateway): Promise<void> {
  dataOf(
    await aClient(url).post(setupPath(setupLink), { username: 'root', password: PASSWORD, confirmPassword: PASSWORD }),
  )
}

async function setOption(admin: Client, key: string, value: unknown): Promise<void> {
  if (!isOptionKey(key)) throw new Error(`no option ${key}`)
  const text = encodeOption(key, value as OptionValue<typeof key>) // the caller's type is that of the key
  dataOf(await admin.put('/api/option', { key, value: text }))
}

let born = 0

async function newPerson(gateway: Gateway, fields: NewPerson): Promise<Person> {
  born += 1
  const { username = `person${born}`, group = 'default', quota = 0, role = 1 } = fields
  const { db, ledger } = gateway.inner
  const row = { username, group, role, display_name: username, password: await hashed, created_at: 1_700_000_000 }
  const { id } = await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
  if (quota !== 0) await ledger.move({ kind: 'grant', userId: id, amount: quota, refType: 'test', refId: `born-${id}` })
  return person(gateway, username, await signedIn(gateway.url, username, PASSWORD))
}

function person(
  gateway: Gateway,
  username: string,
  client: Client & { id: number },
  key = once(async () => (await newToken(client)).key),
): Person {
  const { db, ledger } = gateway.inner
  const calls = async (path: string, body: unknown, asking: Asking = {}) =>
    callRelay(gateway.url + path, body, { ...asking, key: asking.key ?? (await key()) })
  return {
    ...client,
    username,
    key,
    calls,
    asks: (model, text, asking = {}) => calls('/v1/chat/completions', chatBody(model, text, asking), asking),
    async quota() {
      await ledger.flush()
      const row = await db.selectFrom('users').select('quota').where('id', '=', client.id).executeTakeFirstOrThrow()
      return row.quota
    },
  }
}

/** Creates a token through the API; by default unlimited and never expiring. */
async function newToken(owner: Client, fields: object = {}): Promise<TokenView> {
  return dataOf(await owner.post('/api/token', { name: 'a token', unlimited_quota: true, ...fields }))
}

async function newChannel(admin: Client, fields: object): Promise<number> {
  const channel = { type: 1, name: 'upstream', key: 'upstream-key', models: 'gpt-4o', group: 'default', ...fields }
  dataOf(await admin.post('/api/channel', channel))
  return dataOf(await admin.get('/api/channel?id_sort=true&page_size=1'))[0].id
}

/** Registers a cleanup for the end of the running test or, when called in `beforeAll`, of the file; newest first. */
function atTheEnd(stop: () => Promise<unknown>): void {
  try {
    onTestFinished(async () => void (await stop()))
  } catch {
    atFileEnd(stop)
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= work()
    return running
  }
}
