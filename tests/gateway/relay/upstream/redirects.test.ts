import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anUpstream, type Upstream } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person
/** The upstream that redirects point to. */
let elsewhere: Upstream
/** Channels of OpenAI's, Anthropic's and Gemini's type. */
let channels: readonly number[]

beforeAll(async () => {
  elsewhere = await anUpstream()
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1, claude: 1, gemini: 1 }, RetryTimes: 2 } })
  channels = [
    await world.channel(),
    await world.channel({ type: 14, models: 'claude' }),
    await world.channel({ type: 24, models: 'gemini' }),
  ]
  await world.channel({ type: 2, models: 'mj_imagine' })
  await world.channel({ type: 36, models: 'suno_music' })
  alice = await world.user({ quota: 1_000_000 })
})
afterAll(() => elsewhere.stop())
beforeEach(() => {
  for (const each of [world.upstream, elsewhere]) each.reset()
})

/** Makes the vendor redirect every call to the same path at another origin. */
const leadsAway = (status: number) =>
  world.upstream.answers(({ path }) => ({ status, headers: { location: elsewhere.url + path } }))

const text = { messages: [{ role: 'user', content: 'hi' }] }

describe('a redirect of a vendor to another origin is not followed (docs/reference/security.md#outgoing-calls)', () => {
  it.each([301, 302, 303, 307, 308])('with %i: the call fails, costs nothing, and the key stays', async (status) => {
    for (const stream of [false, true]) {
      leadsAway(status)
      expect((await alice.asks('gpt-4o', 'hi', { stream })).status).toBe(502)
    }
    expect(world.upstream.requests.length).toBeGreaterThan(0)
    expect(elsewhere.requests).toEqual([])
    expect(await alice.quota()).toBe(1_000_000)
  })

  it.each([
    ['/v1/messages', { model: 'claude', max_tokens: 5, ...text }],
    ['/v1beta/models/gemini:generateContent', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }],
    ['/v1/responses', { model: 'gpt-4o', input: 'hi' }],
    ['/v1/embeddings', { model: 'gpt-4o', input: 'hi' }],
    ['/v1/images/generations', { model: 'gpt-4o', prompt: 'hi' }],
    ['/v1/audio/speech', { model: 'gpt-4o', input: 'hi', voice: 'alloy' }],
    ['/v1/rerank', { model: 'gpt-4o', query: 'hi', documents: ['a'] }],
  ])('of %s', async (path, body) => {
    leadsAway(307)
    expect((await alice.calls(path, body)).status).toBe(502)
    expect(world.upstream.requests.length).toBeGreaterThan(0)
    expect(elsewhere.requests).toEqual([])
  })

  it.each([
    ['/mj/submit/imagine', { prompt: 'a cat' }],
    ['/suno/submit/music', { prompt: 'a song' }],
  ])('of %s, which is refunded', async (path, body) => {
    leadsAway(307)
    expect((await alice.calls(path, body)).status).toBeGreaterThanOrEqual(400)
    expect(world.upstream.requests.length).toBeGreaterThan(0)
    expect(elsewhere.requests).toEqual([])
    expect(await alice.quota()).toBe(1_000_000)
  })

  it.each(['/api/channel/test/', '/api/channel/fetch_models/', '/api/channel/update_balance/'])(
    'of %s, for any channel',
    async (path) => {
      leadsAway(307)
      for (const id of channels) await world.admin.get(path + id)
      expect(world.upstream.requests.length).toBeGreaterThan(0)
      expect(elsewhere.requests).toEqual([])
    },
  )
})
