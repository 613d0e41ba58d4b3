import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { messageAnswer } from '../support/anthropic.ts'
import { geminiAnswer } from '../support/gemini.ts'
import type { Recorded } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/**
 * A request that is larger than a vendor's whole rate is refused with a retry time and costs nothing. It must not keep
 * others from the vendor, which would serve them, however the refusal is worded.
 */
let world: World
let mallory: Person
let bob: Person
beforeAll(async () => {
  world = await aWorld()
  for (const key of ['one', 'two', 'three']) {
    await world.channel({ type: channelTypes.gemini.id, models: 'gemini-2.5-flash', key })
    await world.channel({ type: channelTypes.anthropic.id, models: 'claude-sonnet-4-5', key })
  }
})
beforeEach(async () => {
  world.upstream.reset()
  world.clock.advanceSeconds(3600)
  mallory = await world.user({ quota: 1_000_000_000 })
  bob = await world.user({ quota: 1_000_000_000 })
})

const google = {
  status: 429,
  body: {
    error: {
      code: 429,
      message: 'You exceeded your current quota.\n* Quota exceeded for metric: input_token_count, limit: 250000\n',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '45s' }],
    },
  },
}
const anthropic = {
  status: 429,
  headers: { 'retry-after': '60' },
  body: {
    type: 'error',
    error: {
      type: 'rate_limit_error',
      message: 'This request would exceed the rate limit for your organization of 30,000 input tokens per minute.',
    },
  },
}
const geminiBody = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] })
const claudeBody = (content: unknown) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 50,
  messages: [{ role: 'user', content }],
})
const pdf = [{ type: 'document', source: { type: 'url', url: 'https://pdf.example/1.pdf' } }]
const text = 'word '.repeat(250_000)
const gemini = { path: '/v1beta/models/gemini-2.5-flash:generateContent', small: geminiBody('hi') }
const claude = { path: '/v1/messages', small: claudeBody('hi') }
const isLarge = ({ bytes }: Recorded) => bytes.length > 500_000 || bytes.includes('pdf.example')
const geminiVendor = (asked: Recorded) => (isLarge(asked) ? google : { body: geminiAnswer({ texts: ['hello'] }) })
const claudeVendor = (asked: Recorded) => (isLarge(asked) ? anthropic : { body: messageAnswer({ texts: ['hello'] }) })

const cases = [
  ['Gemini, much text', { ...gemini, large: geminiBody(text), vendor: geminiVendor }],
  ['Claude, much text', { ...claude, large: claudeBody(text), vendor: claudeVendor }],
  ['Claude, a file by its address', { ...claude, large: claudeBody(pdf), vendor: claudeVendor }],
] as const

describe('requests that are larger than the rate of a vendor (docs/reference/selection.md#cooldowns)', () => {
  it.each(cases)('do not keep others from it: %s', async (_, { path, large, small, vendor }) => {
    world.upstream.answers(vendor)
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await mallory.calls(path, large)).status).toBe(429)
      expect((await bob.calls(path, small)).status).toBe(200)
      expect((await mallory.calls(path, small)).status).toBe(200)
    }
  })

  it.each([
    ['much text', claudeBody(text)],
    ['a large output limit', { ...claude.small, max_tokens: 60_000 }],
  ])('not even if two accounts send them: %s', async (_, large) => {
    const { path, small } = claude
    world.upstream.answers((asked) => (asked.json.max_tokens === 60_000 ? anthropic : claudeVendor(asked)))
    const other = await world.user({ quota: 1_000_000_000 })
    for (const person of [mallory, other, mallory, other]) expect((await person.calls(path, large)).status).toBe(429)
    expect((await bob.calls(path, small)).status).toBe(200)
  })
})

it('a rate that is used up is respected once two accounts have met it', async () => {
  world.upstream.answers(anthropic)
  expect((await mallory.calls(claude.path, claude.small)).status).toBe(429)
  expect((await bob.calls(claude.path, claude.small)).status).toBe(429)
  const before = world.upstream.requests.length
  const third = await world.user({ quota: 1_000_000_000 })
  for (const person of [mallory, bob, third]) {
    const { status, headers } = await person.calls(claude.path, claude.small)
    expect([status, headers.get('retry-after')]).toEqual([429, '60'])
  }
  expect(world.upstream.requests.length).toBe(before)
})
