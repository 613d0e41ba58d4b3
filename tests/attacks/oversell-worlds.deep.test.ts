import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balancesOf, receiptsOf } from '../gateway/relay/metering/receipts.ts'
import { type DialectName, dialectNames, dialects } from '../gateway/relay/parity/dialects.ts'
import { answered, wantsStream } from '../gateway/relay/parity/vendors.ts'
import { aCaller, eventually, refused } from '../gateway/relay/websockets/caller.ts'
import { aSocketVendor, type SocketVendor, say } from '../gateway/relay/websockets/socket-vendor.ts'
import { reconcile } from '../support/reconcile.ts'
import type { RelayAnswer } from '../support/relay-client.ts'
import type { Recorded } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/** A piece of a response, and its maximum cost: one unit per token, one token per three bytes. */
const PIECE = 'word '.repeat(100)
const CHUNK = Math.ceil(PIECE.length / 3)
const PIECES = 30
/** The cost of a response as the gateway estimates it, for the vendor to report. */
const ANSWER = 144 * PIECES
const PROMPT = 20

const options = {
  ModelRatio: { m: 1, talk: 1, 'by-anthropic': 1, 'by-gemini': 1, 'by-openai': 1 },
  CompletionRatio: { m: 1, talk: 1, 'by-anthropic': 1, 'by-gemini': 1, 'by-openai': 1 },
  RetryTimes: 0,
} as const

let world: World
let sockets: SocketVendor
beforeAll(async () => {
  sockets = await aSocketVendor()
  // The limit under test is the money, not the slots.
  const config = { MAX_REQUESTS_PER_USER: '0', MAX_REQUESTS_PER_KEY: '0', MAX_SOCKETS_PER_ADDRESS: '0' }
  world = await aWorld({ options, config })
  await world.channel({ models: 'm' })
  await world.channel({ models: 'by-openai', type: 43 })
  await world.channel({ models: 'by-anthropic', type: 14 })
  await world.channel({ models: 'by-gemini', type: 24 })
  await world.channel({ models: 'talk', base_url: sockets.url })
})
afterAll(() => sockets.stop())

/** The output limit in a request of any dialect. */
function limitIn({ json }: Recorded): number {
  const said = json.max_completion_tokens ?? json.max_tokens ?? json.max_output_tokens
  return said ?? json.generationConfig?.maxOutputTokens ?? Number.POSITIVE_INFINITY
}

/** Long responses that end at the requested limit; streams have the same number of pieces at any limit. */
function vendor(request: Recorded) {
  const texts = Array.from({ length: PIECES }, () => PIECE)
  if (wantsStream(request)) return answered(request, { texts }, { prompt: PROMPT, completion: ANSWER })
  return answered(request, { texts: ['word'] }, { prompt: PROMPT, completion: Math.min(limitIn(request), ANSWER) })
}

/** Sends `count` concurrent calls, rotating through the keys. */
async function crowd(person: Person, count: number, dialect: DialectName, how: How): Promise<readonly RelayAnswer[]> {
  world.upstream.reset()
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  world.upstream.answers(async (request) => {
    if (world.upstream.requests.length >= (how.together ?? 1)) open()
    await gate
    return vendor(request)
  })
  await world.option('DefaultMaxOutput', how.stream ? 500 : 8192)
  const keys = how.keys ?? [await person.key()]
  const { path, body } = dialects[dialect]
  const { model = 'm', stream } = how
  const limit = how.limit === undefined ? {} : limited[dialect](how.limit)
  const asked = { ...body(model, stream), ...(dialect === 'anthropic' ? { max_tokens: how.limit ?? 500 } : limit) }
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      person.calls(path(model, stream), asked, { key: keys[index % keys.length] ?? '' }),
    ),
  )
}
type How = Readonly<{
  stream: boolean
  limit?: number
  model?: string
  keys?: readonly string[]
  /** The vendor responds only after this many calls have been admitted. */
  together?: number
}>

const limited: Record<DialectName, (max: number) => object> = {
  openai: (max_tokens) => ({ max_tokens }),
  responses: (max_output_tokens) => ({ max_output_tokens }),
  anthropic: (max_tokens) => ({ max_tokens }),
  gemini: (maxOutputTokens) => ({ generationConfig: { maxOutputTokens } }),
}

/** The balance is overdrawn by at most one chunk, nothing is reserved, and the ledger matches (M1 to M4). */
async function isSound(person: Person, given: number): Promise<void> {
  const { ledger, db } = world.gateway.inner
  const holdAll = async () => {
    const quota = Math.max(await person.quota(), 0)
    const hold = await ledger.hold({ requestId: 'everything', userId: person.id, tokenId: 0, quota })
    return hold.release()
  }
  await expect.poll(holdAll).toBeUndefined()
  expect(await person.quota()).toBeGreaterThanOrEqual(-CHUNK)
  expect((await balancesOf(world, person.id, given)).balanced).toBe(true)
  expect(await reconcile(db)).toEqual([])
}

const vendors = ['by-openai', 'by-anthropic', 'by-gemini'] as const
const cells = dialectNames.flatMap((dialect) => vendors.map((model) => [dialect, model] as const))

const isCut = ({ text }: RelayAnswer): boolean =>
  text.includes('insufficient_quota') || text.includes('billing_error') || text.includes('RESOURCE_EXHAUSTED')

describe('four hundred calls at once with a dollar (docs/reference/security.md#money)', () => {
  it('that are streams without a limit end with the quota, not after it', async () => {
    const alice = await world.user({ quota: 500_000 })
    const answers = await crowd(alice, 400, 'openai', { stream: true, together: 400 })
    expect(answers.filter(isCut).length).toBeGreaterThan(100)
    await isSound(alice, 500_000)
    expect(await alice.quota()).toBeLessThan(100_000)
  })

  it('that are plain and without a limit are sent with a limit that can be paid', async () => {
    const alice = await world.user({ quota: 500_000 })
    const answers = await crowd(alice, 400, 'openai', { stream: false })
    expect(answers.filter(({ status }) => status !== 200 && status !== 403).map(({ text }) => text)).toEqual([])
    await isSound(alice, 500_000)
  })
})

const COUNT = 60
const GIVEN = 40_000

describe.each(dialectNames)('calls at once in the dialect %s', (dialect) => {
  it.each([
    ['streams without a limit', { stream: true }],
    ['streams with one', { stream: true, limit: 3000 }],
    ['plain calls with one', { stream: false, limit: 3000 }],
    ['plain calls without', { stream: false }],
  ] satisfies [string, How][])('never spend more than there is: %s', async (_, how) => {
    const alice = await world.user({ quota: GIVEN })
    const answers = await crowd(alice, COUNT, dialect, how)
    if (how.stream) expect(answers.some((answer) => answer.status === 200 && isCut(answer))).toBe(true)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(1)
    await isSound(alice, GIVEN)
  })

  it.each([true, false])(
    'allow one call at a time to a caller with little quota left, streamed: %s',
    async (stream) => {
      const poor = await world.user({ quota: 300 })
      const limit = stream ? {} : { limit: 100_000 }
      const [answer] = await crowd(poor, 1, dialect, { stream, ...limit })
      expect(answer?.status).toBe(200)
      if (stream) expect(answer && isCut(answer)).toBe(true)
      else expect(limitIn(world.upstream.last())).toBeLessThan(300)
      await isSound(poor, 300)
      const [receipt] = await receiptsOf(world, poor.id)
      expect(receipt?.other.ended).toBe(stream ? 'quota' : 'complete')
      if (!stream) expect(receipt?.other.output_limit).toBe(limitIn(world.upstream.last()))
    },
  )
})

describe.each(cells)(
  'a stream for a caller with little quota left, requested as %s of a vendor %s',
  (dialect, model) => {
    it('ends with the quota error of its caller’s dialect, after the part that could be paid', async () => {
      const poor = await world.user({ quota: 1500 })
      const answer = await crowd(poor, 1, dialect, { stream: true, model })
      expect(answer[0]?.text).toContain('word word')
      expect(answer[0] && isCut(answer[0])).toBe(true)
      const [receipt] = await receiptsOf(world, poor.id)
      expect(receipt?.other.ended).toBe('quota')
      expect(receipt?.completion_tokens).toBeGreaterThan(500)
      await isSound(poor, 1500)
    })
  },
)

it('a stream that is one JSON array is whole where it is cut', async () => {
  const poor = await world.user({ quota: 1500 })
  world.upstream.reset()
  world.upstream.answers(vendor)
  const asked = dialects.gemini.body()
  const { text } = await poor.calls('/v1beta/models/by-gemini:streamGenerateContent', asked)
  expect(JSON.parse(text).at(-1)).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } })
  await isSound(poor, 1500)
})

describe('tokens', () => {
  it.each([true, false])('that are limited never go below nothing, streamed: %s', async (stream) => {
    const alice = await world.user({ quota: 1_000_000 })
    const { id, key } = await world.token(alice, { unlimited_quota: false, remain_quota: 20_000 })
    const answers = await crowd(alice, COUNT, 'openai', { stream, keys: [key] })
    if (stream) expect(answers.some((answer) => answer.status === 200 && isCut(answer))).toBe(true)
    await isSound(alice, 1_000_000)
    const { data } = await alice.get(`/api/token/${id}`)
    expect(data.remain_quota).toBeGreaterThanOrEqual(-CHUNK)
    expect(data.used_quota).toBe(20_000 - data.remain_quota)
  })

  it.each([true, false])('never spend more than their budgets, streamed: %s', async (stream) => {
    const alice = await world.user({ quota: 1_000_000 })
    const { id, key } = await world.token(alice, { budgets: { day: 20_000, month: 50_000 } })
    const answers = await crowd(alice, COUNT, 'openai', { stream, keys: [key] })
    if (stream) expect(answers.some((answer) => answer.status === 200 && isCut(answer))).toBe(true)
    await isSound(alice, 1_000_000)
    const { data } = await alice.get(`/api/token/${id}`)
    const [day] = data.budget_use
    expect(day.used).toBeLessThanOrEqual(20_000 + CHUNK)
    expect(day.used).toBe(1_000_000 - (await alice.quota()))
  })
})

describe('realtime sessions at once', () => {
  /** Responds to each request with four pieces, and reports their usage. */
  const answering = () =>
    sockets.behaves((session, frame) => {
      if (frame === undefined) return say(session, { type: 'session.created', session: {} })
      say(session, { type: 'response.created', response: { id: 'resp_1' } })
      for (let piece = 0; piece < 4; piece += 1) say(session, { type: 'response.output_text.delta', delta: PIECE })
      const usage = { input_tokens: PROMPT, output_tokens: 4 * 144, total_tokens: PROMPT + 4 * 144 }
      say(session, { type: 'response.done', response: { id: 'resp_1', status: 'completed', usage } })
    })

  /** Opens sessions that request responses until one is refused for lack of quota; resolves once all are charged. */
  async function converse(person: Person, count: number, opening: { key?: string } = {}): Promise<void> {
    answering()
    const opened = await Promise.allSettled(
      Array.from({ length: count }, () => aCaller(world, '/v1/realtime?model=talk', person, opening)),
    )
    const callers = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    for (let turn = 0; turn < 6; turn += 1)
      for (const caller of callers) if (caller.socket.readyState === 1) caller.send({ type: 'response.create' })
    await eventually(() => callers.some(({ frames }) => frames.some((frame) => frame.error))).toBe(true)
    for (const caller of callers) caller.socket.close()
    await Promise.all(callers.map(({ closed }) => closed))
    // Openings that were refused have a row too, without an end.
    const charged = async () => (await receiptsOf(world, person.id)).filter(({ other }) => other.ended !== undefined)
    await expect.poll(async () => (await charged()).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(callers.length)
  }

  it.each([500, 0])('end with the quota, PreConsumedQuota %i', async (min) => {
    await world.option('DefaultMaxOutput', 500)
    await world.option('PreConsumedQuota', min)
    const alice = await world.user({ quota: 30_000 })
    await converse(alice, 40)
    await world.option('PreConsumedQuota', 500)
    await isSound(alice, 30_000)
  })

  it.each([
    ['quota of a limited token', { unlimited_quota: false, remain_quota: 10_000 }],
    ['budget of a token', { budgets: { day: 10_000 } }],
  ])('end with the %s', async (_, fields) => {
    await world.option('DefaultMaxOutput', 500)
    const alice = await world.user({ quota: 1_000_000 })
    const { key } = await world.token(alice, fields)
    await converse(alice, 15, { key })
    await isSound(alice, 1_000_000)
    expect(1_000_000 - (await alice.quota())).toBeLessThanOrEqual(10_000 + CHUNK)
  })

  it('are not given one free answer each where nothing is set aside for a prompt', async () => {
    answering()
    await world.option('PreConsumedQuota', 0)
    const nobody = await world.user({ quota: 0 })
    const refusal = await refused(aCaller(world, '/v1/realtime?model=talk', nobody))
    expect(refusal).toMatchObject({ status: 403, error: { code: 'insufficient_user_quota' } })
    const poor = await world.user({ quota: 100 })
    const caller = await aCaller(world, '/v1/realtime?model=talk', poor)
    caller.send({ type: 'response.create' })
    expect(await caller.gets('error')).toMatchObject({ error: { code: 'insufficient_quota' } })
    expect(await caller.closed).toMatchObject({ reason: 'insufficient_quota' })
    await world.option('PreConsumedQuota', 500)
    await expect.poll(async () => (await receiptsOf(world, poor.id)).length).toBe(1)
    expect((await receiptsOf(world, poor.id))[0]?.other.ended).toBe('quota')
    expect(await poor.quota()).toBeGreaterThanOrEqual(-CHUNK)
  })
})
