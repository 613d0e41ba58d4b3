import { describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { aWorld } from '../../../support/world.ts'

const options = {
  ModelRatio: { 'gpt-4o': 1.25 },
  CompletionRatio: { 'gpt-4o': 4 },
  CacheRatio: { 'gpt-4o': 0.5 },
  GroupRatio: { default: 1, vip: 0.5 },
} as const

describe('charging a request (docs/reference/billing.md#charge)', () => {
  it('is group ratio × model ratio × (prompt + completion × completion ratio), plain and streamed', async () => {
    const world = await aWorld({ options })
    await world.channel({ group: 'default,vip' })
    const alice = await world.user({ group: 'vip', quota: 1_000_000 })
    world.upstream.answers({ body: chatAnswer('hello', { prompt: 100, completion: 20 }) })
    world.upstream.streams(chatStream(['hel', 'lo'], { prompt: 100, completion: 20 }))

    expect((await alice.asks('gpt-4o', 'hi')).content).toBe('hello')
    expect(await alice.quota()).toBe(1_000_000 - 113) // 0.5 × 1.25 × (100 + 20 × 4) = 112.5
    expect((await alice.asks('gpt-4o', 'hi', { stream: true })).content).toBe('hello')
    expect(await alice.quota()).toBe(1_000_000 - 226)
  })

  it('charges cache reads at their own ratio', async () => {
    const world = await aWorld({ options })
    await world.channel()
    const alice = await world.user({ quota: 1_000_000 })
    world.upstream.answers({ body: chatAnswer('hello', { prompt: 1000, completion: 200, cached: 400 }) })
    await alice.asks('gpt-4o', 'hi')
    expect(await alice.quota()).toBe(1_000_000 - 2000) // (600 + 200 + 800) × 1.25
  })
})
