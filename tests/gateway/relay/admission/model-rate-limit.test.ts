import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer } from '../../../support/chat.ts'
import { aClock } from '../../../support/clock.ts'
import { aDrawingVendor, aMusicVendor } from '../../../support/task-vendors.ts'
import { aWorld, type Options, type Person, type World } from '../../../support/world.ts'
import { aCaller, refused } from '../websockets/caller.ts'
import { aSocketVendor, type SocketVendor, say } from '../websockets/socket-vendor.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({
    clock: aClock(1_750_000_000_000),
    options: {
      SelfUseModeEnabled: true,
      RetryTimes: 0,
      UserUsableGroups: { vip: 'VIP' },
      GroupRatio: { default: 1, vip: 1 },
      ModelRequestRateLimitEnabled: true,
    },
  })
  await world.channel({ models: 'm', group: 'default,vip' })
})
beforeEach(async () => {
  world.upstream.reset()
  await limited({
    ModelRequestRateLimitDurationMinutes: 1,
    ModelRequestRateLimitCount: 0,
    ModelRequestRateLimitSuccessCount: 1000,
    ModelRequestRateLimitGroup: {},
  })
  alice = await world.user({ quota: 1_000_000_000 })
})

async function limited(options: Options): Promise<void> {
  for (const [key, value] of Object.entries(options)) await world.option(key as keyof Options, value as never) // key and value have matching types
}

const broken = { status: 500, body: { error: { message: 'no', type: 'server_error' } } }
const good = { body: chatAnswer('hi') }
const asks = async (person: Person, times: number, asking = {}) => {
  const statuses: number[] = []
  for (let time = 0; time < times; time += 1) statuses.push((await person.asks('m', 'hi', asking)).status)
  return statuses
}

describe('the limit of successful requests (docs/reference/limits.md#model-requests)', () => {
  it('counts only successful requests, streams as well, and returns the time to retry', async () => {
    await limited({ ModelRequestRateLimitSuccessCount: 3 })
    expect(await asks(alice, 1)).toEqual([200])
    world.clock.advanceSeconds(10)
    world.upstream.answers(broken)
    expect(await asks(alice, 5)).toEqual([500, 500, 500, 500, 500])
    world.upstream.reset()
    expect(await asks(alice, 1, { stream: true })).toEqual([200])
    world.clock.advanceSeconds(5.5)
    expect(await asks(alice, 1)).toEqual([200])

    const told = await alice.asks('m', 'hi')
    expect(told.status).toBe(429)
    expect(told.headers.get('retry-after')).toBe('45')
    expect(told.json.error).toMatchObject({ type: 'switchyard_error', code: 'rate_limit_exceeded' })
    expect(told.json.error.message).toContain('at most 3 successful requests in 1 minutes')
    world.clock.advanceSeconds(44)
    expect(await asks(alice, 1)).toEqual([429])
    world.clock.advanceSeconds(1)
    expect(await asks(alice, 2)).toEqual([200, 429])
    expect((await alice.asks('m', 'hi')).headers.get('retry-after')).toBe('10')
  })

  it('reserves a slot for each running request, until it is known to have failed', async () => {
    await limited({ ModelRequestRateLimitSuccessCount: 5 })
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    let asked = 0
    world.upstream.answers(async () => {
      asked += 1
      await gate
      return broken
    })
    let limitedOnes = 0
    const answers = Array.from({ length: 100 }, async (_, index) => {
      const { status, headers } = await alice.asks('m', 'hi', { stream: index % 2 === 0 })
      if (status === 429) {
        expect(headers.get('retry-after')).toBe('1')
        limitedOnes += 1
        if (limitedOnes === 95) open()
      }
      return status
    })
    const statuses = await Promise.all(answers)
    expect([asked, statuses.filter((status) => status === 500).length]).toEqual([5, 5])
    world.upstream.answers(good)
    expect(await asks(alice, 6)).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('is each user’s own, over all of the user’s tokens', async () => {
    await limited({ ModelRequestRateLimitSuccessCount: 1 })
    const bob = await world.user({ quota: 1_000_000_000 })
    expect(await asks(alice, 1)).toEqual([200])
    expect(await asks(alice, 1, { key: (await world.token(alice)).key })).toEqual([429])
    expect(await asks(bob, 2)).toEqual([200, 429])
  })
})

describe('the limit of requests in all', () => {
  it('counts failures, also those that reach no channel, but not requests it refuses', async () => {
    await limited({ ModelRequestRateLimitCount: 4 })
    world.upstream.answers(broken, good)
    expect(await asks(alice, 2)).toEqual([500, 200])
    world.clock.advanceSeconds(20)
    expect((await alice.asks('nobody-has-it', 'hi')).status).toBe(503)
    expect((await alice.calls('/v1/chat/completions', '{')).status).toBe(400)
    const told = await alice.asks('m', 'hi')
    expect([told.status, told.headers.get('retry-after')]).toEqual([429, '40'])
    expect(told.json.error.message).toContain('at most 4 requests in 1 minutes, including failed ones')
    for (let second = 0; second < 40; second += 10) {
      expect(await asks(alice, 1)).toEqual([429])
      world.clock.advanceSeconds(10)
    }
    expect(await asks(alice, 3)).toEqual([200, 200, 429])
  })

  it('is reported in the dialect and the language of the caller', async () => {
    await limited({ ModelRequestRateLimitCount: 1 })
    await alice.asks('m', 'hi')
    const text = 'Rate limit reached: at most 1 requests in 1 minutes, including failed ones.'
    const said = async (path: string, headers = {}) => (await alice.calls(path, {}, { headers })).json
    expect((await said('/v1/chat/completions')).error).toMatchObject({ code: 'rate_limit_exceeded' })
    expect((await said('/v1/responses')).error).toMatchObject({ message: expect.stringContaining(text), param: '' })
    expect(await said('/v1/messages')).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error', message: expect.stringContaining(text) },
    })
    expect((await said('/v1beta/models/m:generateContent')).error).toMatchObject({
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
    })
    const chinese = await said('/v1/embeddings', { 'accept-language': 'zh-CN' })
    expect(chinese.error.message).toContain('1 分钟内最多请求 1 次')
  })

  it('counts every relayed call and no list of models', async () => {
    await limited({ ModelRequestRateLimitCount: 2 })
    const key = await alice.key()
    const list = () => fetch(`${world.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
    for (let time = 0; time < 3; time += 1) expect((await list()).status).toBe(200)
    await alice.calls('/v1/embeddings', {})
    await alice.calls('/v1/images/generations', {})
    expect((await alice.calls('/v1/rerank', {})).status).toBe(429)
    expect((await list()).status).toBe(200)
  })
})

describe('counting tokens', () => {
  it.each([
    ['/v1/messages/count_tokens', { max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }],
    ['/v1/responses/input_tokens', { input: 'hi' }],
    ['/v1beta/models/m:countTokens', { contents: [{ parts: [{ text: 'hi' }] }] }],
  ])('counts like any other request: %s', async (path, body) => {
    const count = async () => (await alice.calls(path, { model: 'm', ...body })).status
    await limited({ ModelRequestRateLimitCount: 2 })
    expect([await count(), await count(), await count()]).toEqual([200, 200, 429])
  })

  it('releases its slot where it fails', async () => {
    await limited({ ModelRequestRateLimitSuccessCount: 1 })
    const count = async (model: string) =>
      (await alice.calls('/v1/responses/input_tokens', { model, input: 'hi' })).status
    expect([await count('nobody-has-it'), await count('m'), await count('m')]).toEqual([503, 200, 429])
  })
})

describe('the limits of a group', () => {
  it('go before the ones for all: the token’s group, or else the user’s', async () => {
    await limited({
      ModelRequestRateLimitCount: 1,
      ModelRequestRateLimitGroup: { vip: [3, 2], default: [0, 1] },
    })
    expect(await asks(alice, 2)).toEqual([200, 429])
    const bob = await world.user({ quota: 1_000_000_000 })
    const { key } = await world.token(bob, { group: 'vip' })
    expect(await asks(bob, 3, { key })).toEqual([200, 200, 429])
    const carol = await world.user({ quota: 1_000_000_000, group: 'vip' })
    world.upstream.answers(broken)
    expect(await asks(carol, 4)).toEqual([500, 500, 500, 429])
  })
})

describe('a change of the options', () => {
  it('applies at once, to requests already counted as well', async () => {
    expect(await asks(alice, 3)).toEqual([200, 200, 200])
    await limited({ ModelRequestRateLimitCount: 3 })
    expect(await asks(alice, 1)).toEqual([429])
    await limited({ ModelRequestRateLimitCount: 4 })
    expect(await asks(alice, 2)).toEqual([200, 429])
    world.clock.advanceSeconds(90)
    await limited({ ModelRequestRateLimitDurationMinutes: 2 })
    expect(await asks(alice, 1)).toEqual([429])
    await limited({ ModelRequestRateLimitEnabled: false })
    expect(await asks(alice, 5)).toEqual([200, 200, 200, 200, 200])
    await limited({ ModelRequestRateLimitEnabled: true })
  })
})

describe('a realtime session', () => {
  let vendor: SocketVendor
  beforeAll(async () => {
    vendor = await aSocketVendor()
    await world.channel({ base_url: vendor.url, models: 'gpt-realtime', name: 'sockets' })
  })
  afterAll(() => vendor.stop())

  it('counts like any other request', async () => {
    vendor.behaves((session, frame) => {
      if (frame === undefined) say(session, { type: 'session.created', session: {} })
    })
    await limited({ ModelRequestRateLimitSuccessCount: 1 })
    const path = '/v1/realtime?model=gpt-realtime'
    const first = await aCaller(world, path, alice)
    await first.gets('session.created')
    const second = await refused(aCaller(world, path, alice))
    expect([second.status, second.headers['retry-after']]).toEqual([429, '60'])
    first.socket.close()
    await first.closed
    expect(await asks(alice, 1)).toEqual([429])
  })
})

describe('a drawing or a song that is submitted (docs/reference/tasks.md#submitting)', () => {
  beforeAll(async () => {
    await world.channel({ type: 5, models: 'mj_imagine', name: 'drawings' })
    await world.channel({ type: 36, models: 'suno_music', name: 'songs' })
  })
  const draws = () => alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
  const sings = () => alice.calls('/suno/submit/music', { gpt_description_prompt: 'a song' })

  it('counts like any other request, and is refused in the shape of its clients', async () => {
    aDrawingVendor(world.upstream)
    await limited({ ModelRequestRateLimitSuccessCount: 2 })
    expect([(await draws()).status, (await draws()).status]).toEqual([200, 200])
    const drawing = await draws()
    expect([drawing.status, drawing.headers.get('retry-after')]).toEqual([429, '60'])
    expect(drawing.json).toMatchObject({ code: 30, description: expect.stringContaining('rate_limit_exceeded') })
    const song = await sings()
    expect([song.status, song.headers.get('retry-after')]).toEqual([429, '60'])
    expect(song.json).toMatchObject({ code: 'rate_limit_exceeded', data: null })
    expect(await asks(alice, 1)).toEqual([429])
  })

  it('releases its slot where it fails', async () => {
    aMusicVendor(world.upstream)
    await limited({ ModelRequestRateLimitSuccessCount: 1 })
    expect((await alice.calls('/suno/submit/music', '{')).status).toBe(400)
    expect([(await sings()).status, (await sings()).status]).toEqual([200, 429])
  })
})
