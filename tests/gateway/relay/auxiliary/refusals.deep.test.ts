import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { onTheWire, type WireAsk } from '../delivery/wire.ts'
import { dialects, type SpokenDialect } from './dialects.ts'

const noRoute = 'unserved'
const priceless = 'priceless'
/** The model of a dialect's native channel. */
const modelOf = ({ type }: SpokenDialect) => `model-${type}`

let world: World
let alice: Person
const keys: Record<string, string> = {}

beforeAll(async () => {
  const models = ['model-1', 'model-14', 'model-24', noRoute]
  world = await aWorld({
    options: { RetryTimes: 0, ModelRatio: Object.fromEntries(models.map((model) => [model, 1])) },
  })
  for (const type of [1, 14, 24])
    await world.channel({ type, models: `model-${type},${priceless}`, key: 'upstream-key' })
  alice = await world.user({ quota: 10_000_000 })
  const key = async (fields: object, owner: Person = alice) => (await world.token(owner, fields)).key
  const { db } = world.gateway.inner
  const withStatus = async (status: number) => {
    const { id, key: disabled } = await world.token(alice)
    await db.updateTable('tokens').set({ status }).where('id', '=', id).execute()
    return disabled
  }
  const banned = await world.user()
  keys.good = await alice.key()
  keys.bad = 'x'.repeat(48)
  keys.expired = await withStatus(3)
  keys.disabled = await withStatus(2)
  keys.exhausted = await withStatus(4)
  keys.elsewhere = await key({ allow_ips: '203.0.113.1' })
  keys.limited = await key({ model_limits_enabled: true, model_limits: 'other' })
  keys.banned = await key({}, banned)
  await db.updateTable('users').set({ status: 2 }).where('id', '=', banned.id).execute()
  keys.poor = await key({}, await world.user({ quota: 1 }))
})
beforeEach(() => {
  world.upstream.reset()
  // Ends the cooldown of failed channels.
  world.clock.advanceSeconds(3600)
})

type Refusal = Readonly<{
  name: string
  status: number
  /** The code in OpenAI's dialects. */
  code: string
  /** The part of the message that names a remedy. */
  says: RegExp
  key?: string
  model?: string
  /** Sent byte for byte, since an SDK would not send such a request. */
  raw?: (dialect: SpokenDialect) => WireAsk
}>

const refusals: readonly Refusal[] = [
  { name: 'no key', status: 401, code: 'no_api_key', says: /Send one/, raw: () => ({ headers: {} }) },
  { name: 'a bad key', status: 401, code: 'invalid_api_key', says: /copied completely/, key: 'bad' },
  { name: 'an expired key', status: 401, code: 'token_expired', says: /Extend its expiry/, key: 'expired' },
  { name: 'a disabled key', status: 401, code: 'token_disabled', says: /Enable it/, key: 'disabled' },
  { name: 'an exhausted key', status: 403, code: 'insufficient_quota', says: /Raise its quota/, key: 'exhausted' },
  { name: 'a banned account', status: 403, code: 'user_banned', says: /Contact the administrator/, key: 'banned' },
  {
    name: 'an empty account',
    status: 403,
    code: 'insufficient_user_quota',
    says: /Ask the administrator/,
    key: 'poor',
  },
  { name: 'a strange address', status: 403, code: 'ip_not_allowed', says: /allow list/, key: 'elsewhere' },
  {
    name: 'a denied model',
    status: 403,
    code: 'model_not_allowed',
    says: /Add it to the models of the token/,
    key: 'limited',
  },
  { name: 'no channel', status: 503, code: 'no_available_channel', says: /Ask the administrator/, model: noRoute },
  { name: 'no price', status: 400, code: 'model_price_error', says: /price/, model: priceless },
  { name: 'bad JSON', status: 400, code: '', says: /not valid JSON/, raw: () => ({ body: '{"model":' }) },
  {
    name: 'a missing field',
    status: 400,
    code: 'invalid',
    says: /messages|input|contents/,
    raw: (dialect) => {
      const { [dialect.needed]: _, ...body } = dialect.body({ model: modelOf(dialect), stream: false })
      return { body: JSON.stringify(body) }
    },
  },
  {
    name: 'a body too large',
    status: 413,
    code: 'read_request_body_failed',
    says: /Send a smaller one/,
    raw: () => ({ body: gzipSync('x'.repeat(2_000_000)), headers: { 'content-encoding': 'gzip' } }),
  },
]

/** Codes for an account or a key that is out of quota. */
const quotaCodes = ['insufficient_quota', 'insufficient_user_quota']

const cases = <T>(rows: readonly T[]) => dialects.flatMap((dialect) => rows.map((row) => ({ dialect, row })))
const titled = cases(refusals).map(({ dialect, row }) => [dialect.name, row.name, dialect, row] as const)

describe('a refusal before any upstream request (docs/reference/errors.md#refusals)', () => {
  it.each(titled)('%s: %s', async (_, __, dialect, { status, code, says, key = 'good', model, raw }) => {
    const asked = { model: model ?? modelOf(dialect), stream: false }
    const sent = raw?.(dialect) ?? {}
    const json = { 'content-type': 'application/json' }
    const head = raw && sent.headers && !sent.body ? json : { ...json, ...dialect.keyHeader(`sk-${keys[key]}`) }
    const answer = await onTheWire(world, dialect.path(asked), {
      body: JSON.stringify(dialect.body(asked)),
      ...sent,
      headers: { ...head, ...sent.headers },
    })
    expect(answer.status).toBe(status)
    const body = JSON.parse(answer.text)
    dialect.expectShape(body, status, quotaCodes.includes(code))
    if (dialect.type === 1) expect(body.error.code).toContain(code)
    expect(body.error.message).toMatch(says)
    expect(body.error.message).toContain(`(request id: ${answer.headers['x-request-id']})`)
    if (dialect.type === 14) expect(answer.headers['request-id']).toBe(answer.headers['x-request-id'])
    expect(world.upstream.requests).toHaveLength(0)
    if (raw) return
    const failure = await dialect.sdk(world, keys[key] ?? '', { ...asked, stream: true }).catch((error) => error)
    expect(failure).toMatchObject({ status })
    if (typeof dialect.thrown(status) === 'function') expect(failure).toBeInstanceOf(dialect.thrown(status))
    else expect(failure).toEqual(dialect.thrown(status))
  })
})

/** Upstream statuses, which the caller receives too; 529 only in Anthropic's dialect, in others 503. */
const upstreams = [400, 401, 403, 404, 408, 413, 429, 500, 503, 529]
const upstreamCases = cases(upstreams).map(({ dialect, row }) => [dialect.name, row, dialect] as const)

describe('an upstream’s refusal', () => {
  it.each(upstreamCases)('%s: %i', async (_, said, dialect) => {
    const status = said === 529 && dialect.type !== 14 ? 503 : said
    const message = 'their words about upstream-key'
    world.upstream.answers({ status: said, body: dialect.vendorError(said, message), headers: { 'retry-after': '7' } })
    const asked = { model: modelOf(dialect), stream: false }
    const answer = await alice.calls(dialect.path(asked), dialect.body(asked))
    expect(answer.status).toBe(status)
    dialect.expectShape(answer.json, status)
    expect(answer.json.error.message).toMatch(said === 429 ? /saturated.*Try again later/ : /their words about \*\*\*/)
    expect(answer.json.error.message).toContain(`(request id: ${answer.headers.get('x-request-id')})`)
    expect(answer.headers.get('retry-after')).toBe('7')
    for (const stream of [true, false]) {
      const failure = await dialect.sdk(world, keys.good ?? '', { ...asked, stream }).catch((error) => error)
      expect(failure).toMatchObject({ status })
      if (typeof dialect.thrown(status) === 'function') expect(failure).toBeInstanceOf(dialect.thrown(status))
    }
  })

  const garbled: readonly (readonly [string, Script])[] = [
    ['a page instead of JSON', { status: 502, body: '<html>upstream-key</html>' }],
    ['an empty answer', { status: 200, body: '' }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['a connection cut before the first byte', { events: [], cutAfter: 0 }],
    ['a stream that ends before it begins', { events: [] }],
  ]
  it.each(cases(garbled).map(({ dialect, row }) => [dialect.name, row[0], dialect, row[1]] as const))(
    '%s: %s',
    async (_, __, dialect, script) => {
      world.upstream.answers(script)
      const asked = { model: modelOf(dialect), stream: true }
      const answer = await alice.calls(dialect.path(asked), dialect.body(asked))
      expect(answer.status).toBe(502)
      dialect.expectShape(answer.json, 502)
      expect(answer.text).not.toContain('upstream-key')
      const failure = await dialect.sdk(world, keys.good ?? '', asked).catch((error) => error)
      expect(failure).toMatchObject({ status: 502 })
    },
  )
})

describe('a stream that fails once it has begun', () => {
  const broken = ({ word, errorEvent }: SpokenDialect): readonly (readonly [string, Script, RegExp])[] => [
    ['by an error event', { events: [word, errorEvent] }, /their words/],
    ['by being cut', { events: [word, word], cutAfter: 1 }, /could not be reached|ended unexpectedly/],
    [
      'by being cut within an event',
      { events: [word, Buffer.from('data: {"a')], cutAfter: 2 },
      /could not be|ended unexpectedly/,
    ],
  ]
  /** Each dialect through a channel that uses it, and through one that requires conversion. */
  const rows = dialects.flatMap((dialect) =>
    [dialect, foreign(dialect)].flatMap((spoken) =>
      broken(spoken).map((row) => [dialect.name, spoken.name, row[0], { dialect, spoken, row }] as const),
    ),
  )

  it.each(rows)('%s over %s: %s', async (_, __, ___, { dialect, spoken, row: [, script, says] }) => {
    world.upstream.answers(script)
    const asked = { model: modelOf(spoken), stream: true }
    const answer = await alice.calls(dialect.path(asked), dialect.body(asked))
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('Word')
    expect(answer.text).not.toMatch(/\[DONE\]|message_stop|response\.completed/)
    const told = answer.events.at(-1)
    expect((told.error ?? told.response.error).message).toMatch(says)
    const failure = await dialect.sdk(world, keys.good ?? '', asked).catch((error) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(String(failure)).toMatch(says)
  })
})

/** A dialect of another family: Gemini's for Anthropic's callers, Anthropic's for all others. */
function foreign({ type }: SpokenDialect): SpokenDialect {
  const found = dialects.find((other) => other.type === (type === 14 ? 24 : 14))
  if (!found) throw new Error('no other dialect')
  return found
}
