import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { sha256 } from '../../gateway/base/ids.ts'
import { silentLogger } from '../../gateway/base/log/logger.ts'
import { openPostgresStore } from '../../gateway/store/postgres/postgres-store.ts'
import { type Db, openDatabase } from '../../gateway/store/sqlite/database.ts'
import { chatStream } from '../support/chat.ts'
import { type Difference, reconcile } from '../support/reconcile.ts'
import type { Upstream } from '../support/upstream.ts'
import { aWorld } from '../support/world.ts'
import { aChild, type Listening } from './child.ts'

/** An installation that is set up but stopped, ready to be started as a process. */
export interface House {
  readonly folder: string
  /** The process settings by environment variable that its data needs. */
  readonly config: Readonly<Record<string, string>>
  readonly upstream: Upstream
  /** The data key for the environment. */
  readonly masterKey: string
  /** Keys of three spenders; the last one belongs to a limited token. */
  readonly keys: readonly string[]
  start(config?: Record<string, string>): Promise<Listening>
  /** Reads the ledger of a gateway that has ended. */
  books(): Promise<Books>
}

export type Books = Readonly<{
  wrong: Difference[]
  /** Charges by request id; a request charged twice is listed twice. */
  charges: readonly (readonly [requestId: string, quota: number])[]
  /** The charges as the log rows record them. */
  logged: readonly (readonly [requestId: string, quota: number])[]
  /** The spendable quota of each spender's token and account. */
  left: readonly number[]
}>

/** Initial quota of every spender and of the limited token. */
export const FUNDS = 1_000_000

/** One quota unit per token; the fake vendor streams as many pieces as the prompt requests. */
export async function aHouse(more: Readonly<Record<string, string>> = {}): Promise<House> {
  const key = randomBytes(32).toString('base64')
  const options = { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 } }
  const world = await aWorld({ options, config: { SWITCHYARD_MASTER_KEY: key, ...more } })
  await world.channel({ models: 'm' })
  const people = [
    await world.user({ quota: FUNDS }),
    await world.user({ quota: FUNDS }),
    await world.user({ quota: FUNDS }),
  ]
  const [one, two, three] = people
  if (!one || !two || !three) throw new Error('three people were made')
  const limited = await world.token(three, { unlimited_quota: false, remain_quota: FUNDS })
  const keys = [await one.key(), await two.key(), limited.key]
  await world.gateway.stop()
  world.upstream.answers(({ json }) => storyFor(String(json.messages[0].content)))
  const config = { SWITCHYARD_MASTER_KEY: key, DATABASE_URL: world.databaseUrl }
  return {
    folder: world.folder,
    config,
    upstream: world.upstream,
    masterKey: key,
    keys,
    start: (more = {}) => aChild({ folder: world.folder, config: { ...config, ...more } }),
    books: () => balancesIn(world.folder, world.databaseUrl, keys),
  }
}

/** Prompt tokens that the fake vendor reports. */
export const PROMPT = 10

/** A prompt for `pieces` pieces, one every `gapMs`; with `endless` the stream never ends after them. */
export const question = (pieces: number, gapMs: number, endless = false) =>
  `${pieces} ${gapMs} ${endless ? 'endless' : ''}`

function storyFor(text: string) {
  const [pieces = 1, gapMs = 0] = text.split(' ').map(Number)
  const parts = Array.from({ length: pieces }, (_, index) => `word${index} `)
  const events = chatStream(parts, { prompt: PROMPT, completion: pieces })
  return text.includes('endless') ? { events: events.slice(0, pieces), gapMs, hang: true } : { events, gapMs }
}

/** A stream as its caller received it. */
export type Seen = Readonly<{ status: number; requestId: string; pieces: number; done: boolean; text: string }>
export type Asked = Readonly<{ key: string | undefined; content: string; body?: object; onPiece?: () => void }>

const NOTHING: Seen = { status: 0, requestId: '', pieces: 0, done: false, text: '' }

/** Requests a stream and reads it until it ends or breaks; empty when the connection broke earlier. */
export async function seenBy(url: string, { key, content, body = {}, onPiece }: Asked): Promise<Seen> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }], ...body }),
  }).catch(() => undefined)
  if (!response) return NOTHING
  let text = ''
  try {
    const decoder = new TextDecoder()
    for await (const part of response.body ?? []) {
      text += decoder.decode(part, { stream: true })
      onPiece?.()
    }
  } catch {
    // The connection broke: data received until then counts.
  }
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? '',
    pieces: text.split('"content":"word').length - 1,
    done: text.includes('data: [DONE]'),
    text,
  }
}

/** The mode of a file or folder, as chmod takes it. */
export const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/** A folder that is removed with the test. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function balancesIn(folder: string, databaseUrl: string, keys: readonly string[]): Promise<Books> {
  const { db, close } =
    databaseUrl === '' ? await openDatabase(folder, 0) : (await openPostgresStore(databaseUrl, 0, silentLogger)).store
  try {
    const ledger = await db.selectFrom('ledger').selectAll().where('kind', '=', 'consume').orderBy('id').execute()
    const logs = await db.selectFrom('logs').selectAll().where('type', '=', 2).orderBy('id').execute()
    return {
      wrong: await reconcile(db),
      charges: ledger.map(({ ref_id, amount }) => [ref_id, -amount] as const),
      logged: logs.map(({ request_id, quota }) => [request_id, quota] as const),
      left: await Promise.all(keys.map((key) => leftFor(db, key))),
    }
  } finally {
    await close()
  }
}

async function leftFor(db: Db, key: string): Promise<number> {
  const { quota, remain_quota, unlimited_quota } = await db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['users.quota', 'tokens.remain_quota', 'tokens.unlimited_quota'])
    .where('key_hash', '=', sha256(key))
    .executeTakeFirstOrThrow()
  return unlimited_quota === 1 ? quota : Math.min(quota, remain_quota)
}
