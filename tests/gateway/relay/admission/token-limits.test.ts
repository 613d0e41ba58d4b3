import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { dataOf, signedIn } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { callRelay, chatBody } from '../../../support/relay-client.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../../support/world.ts'
import { aCaller, refused } from '../websockets/caller.ts'
import { aSocketVendor, type SocketVendor, say } from '../websockets/socket-vendor.ts'

/** The cost of a short prompt: one unit per token. */
const COST = 40
/** A budget too small for any prompt. */
const SHORT = 25
/** The output limit of a request; `HELD` is its reservation. */
const OUTPUT = 100
const HELD = 500 + OUTPUT
const answer = { body: chatAnswer('ab', { prompt: 30, completion: COST - 30 }) }
const options = { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 }, RetryTimes: 0 } as const

let world: World
let alice: Person

const seconds = (text: string) => Date.parse(text) / 1000
/** Moves the world's clock to a time. */
const goTo = (text: string) => world.clock.advance(Date.parse(text) - world.clock.now())

async function aWorldAt(text: string): Promise<void> {
  world = await aWorld({ clock: aClock(Date.parse(text)), options })
  await world.channel({ models: 'm' })
  vendor(answer)
  alice = await world.user({ quota: 1_000_000 })
}
const vendor = (script: Parameters<World['upstream']['answers']>[0]) => {
  world.upstream.reset()
  world.upstream.answers(script)
}
const streamed = { events: chatStream(['a', 'b'], { prompt: 30, completion: COST - 30 }) }
const asks = (key: string, asking = {}) => alice.asks('m', 'hi', { key, ...asking })
const statuses = async (key: string, times: number) => {
  const all: number[] = []
  for (let time = 0; time < times; time += 1) all.push((await asks(key)).status)
  return all
}
const useOf = async (id: number) => dataOf(await alice.get(`/api/token/${id}`)).budget_use

describe('requests and tokens a minute', () => {
  beforeAll(() => aWorldAt('2026-11-21T10:00:00Z'))
  beforeEach(() => vendor(answer))

  it('counts the requests that were admitted in the last minute', async () => {
    const { key } = await world.token(alice, { requests_per_minute: 2 })
    expect((await alice.asks('nobody-has-it', 'hi', { key })).status).toBe(503)
    expect(await statuses(key, 1)).toEqual([200])
    world.clock.advanceSeconds(15)
    vendor({ status: 500, body: { error: { message: 'no' } } })
    expect(await statuses(key, 1)).toEqual([500])
    const told = await asks(key)
    expect([told.status, told.headers.get('retry-after')]).toEqual([429, '45'])
    expect(told.json.error).toMatchObject({ code: 'rate_limit_exceeded', type: 'switchyard_error' })
    expect(told.json.error.message).toContain('limit of 2 requests per minute')
    vendor(answer)
    world.clock.advanceSeconds(45)
    expect(await statuses(key, 2)).toEqual([200, 429])
    expect(await statuses((await world.token(alice)).key, 3)).toEqual([200, 200, 200])
  })

  it('counts the tokens of the answers of the last minute, streamed or not, logged or not', async () => {
    const { key } = await world.token(alice, { tokens_per_minute: 2 * COST + 1 })
    await world.option('LogConsumeEnabled', false)
    expect(await statuses(key, 1)).toEqual([200])
    await world.option('LogConsumeEnabled', true)
    world.clock.advanceSeconds(20)
    vendor(streamed)
    expect((await asks(key, { stream: true })).status).toBe(200)
    vendor(answer)
    expect(await statuses(key, 2)).toEqual([200, 429])
    const told = await asks(key)
    expect(told.headers.get('retry-after')).toBe('40')
    expect(told.json.error.message).toContain('limit of 81 tokens per minute')
    world.clock.advanceSeconds(40)
    expect(await statuses(key, 2)).toEqual([200, 429])
  })

  it('continues from its count when a limit is changed', async () => {
    const { id, key } = await world.token(alice, { requests_per_minute: 2 })
    expect(await statuses(key, 2)).toEqual([200, 200])
    dataOf(await alice.put('/api/token', { id, requests_per_minute: 3 }))
    expect(await statuses(key, 2)).toEqual([200, 429])
    dataOf(await alice.put('/api/token', { id, requests_per_minute: 0 }))
    expect(await statuses(key, 2)).toEqual([200, 200])
  })
})

describe('a budget', () => {
  beforeEach(() => aWorldAt('2026-11-21T10:00:10Z'))

  it('is used up by charges, refuses requests it does not cover, and starts again automatically', async () => {
    const { id, key } = await world.token(alice, { budgets: { minute: 2 * COST + SHORT } })
    expect(await statuses(key, 2)).toEqual([200, 200])
    expect(await useOf(id)).toEqual([
      {
        window: 'minute',
        limit: 2 * COST + SHORT,
        used: 2 * COST,
        percent: 76,
        resets_at: seconds('2026-11-21T10:01:00Z'),
        is_warning: false,
      },
    ])
    const told = await asks(key)
    expect([told.status, told.headers.get('retry-after')]).toEqual([429, '50'])
    expect(told.json.error).toMatchObject({ code: 'token_budget_exceeded', param: 'minute' })
    expect(told.json.error.message).toContain('The per-minute budget of this token does not cover this request')
    expect(told.json.error.message).toContain('at 2026-11-21 10:01:00 UTC')
    world.clock.advanceSeconds(49)
    expect((await asks(key)).headers.get('retry-after')).toBe('1')
    world.clock.advanceSeconds(1)
    expect(await statuses(key, 1)).toEqual([200])
    expect((await useOf(id))[0]).toMatchObject({ used: COST, resets_at: seconds('2026-11-21T10:02:00Z') })
  })

  it('is reported in each dialect, with the one that starts again last', async () => {
    const { key } = await world.token(alice, { budgets: { minute: COST + SHORT, day: COST + SHORT, week: 1_000_000 } })
    expect(await statuses(key, 1)).toEqual([200])
    const said = async (path: string, headers = {}) => alice.calls(path, question, { key, headers })
    const wait = String(14 * 3600 - 10)
    const anthropic = await said('/v1/messages')
    expect([anthropic.status, anthropic.headers.get('retry-after')]).toEqual([429, wait])
    expect(anthropic.json).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    const gemini = await said('/v1beta/models/m:generateContent')
    expect(gemini.json.error).toMatchObject({ code: 429, status: 'RESOURCE_EXHAUSTED' })
    expect(gemini.headers.get('retry-after')).toBe(wait)
    const responses = await said('/v1/responses', { 'accept-language': 'zh' })
    expect(responses.json.error).toMatchObject({ code: 'token_budget_exceeded', param: 'day' })
    expect(responses.json.error.message).toContain('该令牌每天的预算不足')
    expect((await asks(key)).json.error.message).toContain('daily budget')
  })

  it('never covers a request whose prompt needs more than all of it: waiting is of no use then', async () => {
    const { key } = await world.token(alice, { budgets: { month: SHORT } })
    const told = await asks(key)
    expect([told.status, told.headers.get('retry-after')]).toEqual([403, null])
    expect(told.json.error.code).toBe('token_budget_too_small')
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('is not exceeded by many calls at once, which reserve what they may need', async () => {
    const { id, key } = await world.token(alice, { budgets: { day: 5 * HELD + 3 } })
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    vendor(async ({ json }) => {
      await gate
      return json.stream ? streamed : answer
    })
    let left = 95
    const all = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const { status, json, headers } = await asks(key, { stream: index % 2 === 0, body: { max_tokens: OUTPUT } })
        if (status !== 200) {
          expect([status, json.error.code, headers.get('retry-after')]).toEqual([429, 'token_budget_exceeded', '5'])
          left -= 1
          if (left === 0) open()
        }
        return status
      }),
    )
    expect(all.filter((status) => status === 200)).toHaveLength(5)
    expect((await useOf(id))[0]).toMatchObject({ used: 5 * COST })
    vendor({ status: 500, body: { error: { message: 'no' } } })
    await Promise.all(Array.from({ length: 5 }, () => asks(key)))
    vendor(answer)
    expect(await statuses(key, 1)).toEqual([200])
    expect((await useOf(id))[0]).toMatchObject({ used: 6 * COST })
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('gets back everything that was reserved for a stream whose account ran dry', async () => {
    const poor = await world.user({ quota: HELD + 20 })
    const { key } = await world.token(poor, { budgets: { day: HELD + 280 } })
    const long = Array.from({ length: 2 * HELD }, () => ' word')
    vendor({ events: chatStream(long, null) })
    const cut = await asks(key, { stream: true, body: { max_tokens: OUTPUT } })
    expect(cut.events.at(-1)).toMatchObject({ error: { code: 'insufficient_quota' } })
    dataOf(await world.admin.put('/api/user', { id: poor.id, quota: 1_000_000 }))
    vendor(answer)
    expect((await asks(key, { body: { max_tokens: 2 * OUTPUT } })).status).toBe(200)
    // The remaining budget pays for exactly this output; with less refunded the limit would be lower.
    expect(world.upstream.last().json.max_tokens).toBe(2 * OUTPUT)
  })

  it('warns in a header of answers, and in the list, from the share on that its owner has chosen', async () => {
    const { id, key } = await world.token(alice, { budgets: { day: 1000, month: 2000 }, budget_warn_percent: 8 })
    const warning = async (asking = {}) => (await asks(key, asking)).headers.get('x-switchyard-budget')
    expect([await warning(), await warning(), await warning()]).toEqual([null, null, 'day;used=8'])
    vendor(streamed)
    expect(await warning({ stream: true })).toBe('day;used=12')
    vendor(answer)
    expect(await warning()).toBe('day;used=16, month;used=8')
    const shown = (await useOf(id)).map((use: { percent: number; is_warning: boolean }) => [
      use.percent,
      use.is_warning,
    ])
    expect(shown).toEqual([
      [20, true],
      [10, true],
    ])
    dataOf(await alice.put('/api/token', { id, budget_warn_percent: 0 }))
    expect(await warning()).toBeNull()
  })

  it('includes usage from before it was set, and while it is set', async () => {
    const { id, key } = await world.token(alice)
    expect(await statuses(key, 2)).toEqual([200, 200])
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    let asked = () => {}
    const reached = new Promise<void>((resolve) => {
      asked = resolve
    })
    vendor(async () => {
      asked()
      await gate
      return answer
    })
    const running = asks(key)
    await reached
    dataOf(await alice.put('/api/token', { id, budgets: { day: 10_000 } }))
    expect((await useOf(id))[0].used).toBe(2 * COST)
    open()
    expect((await running).status).toBe(200)
    expect((await useOf(id))[0].used).toBe(3 * COST)
  })

  it('survives a restart', async () => {
    const { id, key } = await world.token(alice, { budgets: { five_hours: 10_000, day: 10_000, month: 10_000 } })
    expect(await statuses(key, 3)).toEqual([200, 200, 200])
    const before = await useOf(id)
    expect(before.map(({ used }: { used: number }) => used)).toEqual([120, 120, 120])
    world.clock.advanceSeconds(3600)
    const after = await world.restart()
    const again = await signedIn(after.url, alice.username, PASSWORD)
    expect(dataOf(await again.get(`/api/token/${id}`)).budget_use).toEqual(before)
    expect((await callRelay(`${after.url}/v1/chat/completions`, chatBody('m', 'hi', {}), { key })).status).toBe(200)
    const [first, ...others] = dataOf(await again.get(`/api/token/${id}`)).budget_use
    expect(first).toMatchObject({ used: 160, resets_at: seconds('2026-11-21T15:00:10Z') })
    expect(others.map(({ used }: { used: number }) => used)).toEqual([160, 160])
  })

  it('is enforced after a restart even for the first call', async () => {
    const { key } = await world.token(alice, { budgets: { week: COST + SHORT } })
    expect(await statuses(key, 1)).toEqual([200])
    const after = await world.restart()
    const told = await callRelay(`${after.url}/v1/chat/completions`, chatBody('m', 'hi', {}), { key })
    expect([told.status, told.json.error.code]).toEqual([429, 'token_budget_exceeded'])
  })
})

const question = {
  model: 'm',
  max_tokens: 10,
  messages: [{ role: 'user', content: 'hi' }],
  input: 'hi',
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
}

describe('the day of a budget', () => {
  it('begins at midnight in the token’s time zone', async () => {
    await aWorldAt('2026-11-21T15:30:00Z')
    const { id, key } = await world.token(alice, {
      budgets: { day: COST + SHORT },
      budget_time_zone: 'Asia/Shanghai',
    })
    expect(await statuses(key, 2)).toEqual([200, 429])
    const told = await asks(key)
    expect(told.headers.get('retry-after')).toBe('1800')
    expect(told.json.error.message).toContain('at 2026-11-22 00:00:00 Asia/Shanghai')
    goTo('2026-11-21T15:59:59Z')
    expect(await statuses(key, 1)).toEqual([429])
    goTo('2026-11-21T16:00:00Z')
    expect(await statuses(key, 2)).toEqual([200, 429])
    expect((await useOf(id))[0].resets_at).toBe(seconds('2026-11-22T16:00:00Z'))
  })

  it('has 25 hours where clocks go back', async () => {
    await aWorldAt('2026-10-24T22:00:00Z')
    const { key } = await world.token(alice, { budgets: { day: COST + SHORT }, budget_time_zone: 'Europe/Berlin' })
    expect(await statuses(key, 2)).toEqual([200, 429])
    expect((await asks(key)).headers.get('retry-after')).toBe(String(25 * 3600))
    goTo('2026-10-25T22:30:00Z')
    expect(await statuses(key, 1)).toEqual([429])
    goTo('2026-10-25T23:00:00Z')
    expect(await statuses(key, 1)).toEqual([200])
  })
})

describe('five hours', () => {
  it('begin with the first use, and the next ones with the first use after them', async () => {
    await aWorldAt('2026-11-21T07:20:00Z')
    const { id, key } = await world.token(alice, { budgets: { five_hours: COST + SHORT } })
    expect(await useOf(id)).toMatchObject([{ used: 0, resets_at: null }])
    goTo('2026-11-21T08:00:00Z')
    expect(await statuses(key, 2)).toEqual([200, 429])
    expect((await useOf(id))[0].resets_at).toBe(seconds('2026-11-21T13:00:00Z'))
    goTo('2026-11-21T13:00:00Z')
    expect(await useOf(id)).toMatchObject([{ used: 0, resets_at: null }])
    goTo('2026-11-21T14:30:00Z')
    expect(await statuses(key, 2)).toEqual([200, 429])
    expect((await asks(key)).headers.get('retry-after')).toBe(String(5 * 3600))
  })
})

describe('a realtime session', () => {
  let sockets: SocketVendor
  beforeAll(async () => {
    sockets = await aSocketVendor()
  })
  afterAll(() => sockets.stop())

  it('counts as one request, and for the budgets with all it costs', async () => {
    await aWorldAt('2026-11-21T10:00:00Z')
    await world.option('ModelRatio', { m: 1, 'gpt-realtime': 1 })
    await world.channel({ base_url: sockets.url, models: 'gpt-realtime' })
    const usage = { total_tokens: COST, input_tokens: 30, output_tokens: COST - 30 }
    sockets.behaves((session, frame) => {
      if (frame === undefined) say(session, { type: 'session.created', session: {} })
      else say(session, { type: 'response.done', response: { id: 'resp_1', status: 'completed', usage } })
    })
    const { id, key } = await world.token(alice, { budgets: { day: 1_000_000 }, requests_per_minute: 1 })
    const path = '/v1/realtime?model=gpt-realtime'
    const caller = await aCaller(world, path, alice, { key })
    caller.send({ type: 'response.create' })
    await caller.gets('response.done')
    const second = await refused(aCaller(world, path, alice, { key }))
    expect([second.status, second.headers['retry-after'], second.error.code]).toEqual([
      429,
      '60',
      'rate_limit_exceeded',
    ])
    caller.socket.close()
    await caller.closed
    await expect.poll(async () => (await useOf(id))[0].used).toBeGreaterThan(0)
    const [row] = await world.gateway.inner.db
      .selectFrom('ledger')
      .select('amount')
      .where('token_id', '=', id)
      .execute()
    expect((await useOf(id))[0].used).toBe(-(row?.amount ?? 0))
  })
})

describe('a clock that was ahead and is set back (docs/reference/reliability.md#clocks)', () => {
  beforeAll(() => aWorldAt('2026-11-18T10:00:00Z'))
  beforeEach(() => vendor(answer))

  const DAY = 86_400
  const windows = [
    ['day', '2026-11-19T00:00:00Z'],
    ['week', '2026-11-23T00:00:00Z'],
    ['month', '2026-12-01T00:00:00Z'],
    ['five_hours', '2026-11-18T15:00:00Z'],
  ] as const

  it.each(windows)('preserves the budget of a %s, and reports when it begins next', async (window, end) => {
    const { id, key } = await world.token(alice, { budgets: { [window]: 2 * COST + SHORT } })
    expect(await statuses(key, 1)).toEqual([200])
    world.clock.setSeconds(40 * DAY)
    expect(await statuses(key, 1)).toEqual([200])
    world.clock.setSeconds(-40 * DAY)
    expect(await statuses(key, 3)).toEqual([200, 429, 429])
    expect(await useOf(id)).toMatchObject([{ window, used: 2 * COST, resets_at: seconds(end) }])
  })
})
