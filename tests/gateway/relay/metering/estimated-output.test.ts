import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { namedEvent } from '../../../support/said.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from './receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  await world.channel({ type: 14, models: 'claude-sonnet-4-5' })
  await world.channel({ type: 1, models: 'gpt-4o,davinci-002' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 1_000_000_000 })
})

const PIECE = 'word '.repeat(100)
const messages = [{ role: 'user', content: 'hi' }]

/** A stream of reasoning without usage that is cut off. */
const thought = (pieces: number) => [
  namedEvent('message_start', {
    type: 'message_start',
    message: { id: 'm', type: 'message', role: 'assistant', content: [] },
  }),
  namedEvent('content_block_start', {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'thinking', thinking: '' },
  }),
  ...Array.from({ length: pieces }, () =>
    namedEvent('content_block_delta', {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'thinking_delta', thinking: PIECE },
    }),
  ),
  namedEvent('message_stop', { type: 'message_stop' }),
]

describe('an answer whose vendor reports no usage (docs/reference/billing.md#missing-usage)', () => {
  it('costs the thinking that the gateway allowed in addition to the caller’s limit', async () => {
    world.upstream.answers({ events: thought(20) })
    await alice.calls('/v1/chat/completions', {
      model: 'claude-sonnet-4-5',
      messages,
      reasoning_effort: 'high',
      max_tokens: 16,
      stream: true,
    })
    expect((await lastReceipt(world, alice.id)).completion_tokens).toBeGreaterThan(1000)
  })

  it('costs no more than the limit that its vendor received', async () => {
    world.upstream.answers({
      events: [...Array.from({ length: 20 }, () => ({ choices: [{ index: 0, delta: { content: PIECE } }] })), '[DONE]'],
    })
    await alice.calls('/v1/chat/completions', { model: 'gpt-4o', messages, max_tokens: 16, stream: true })
    expect((await lastReceipt(world, alice.id)).completion_tokens).toBe(16)
  })

  it('costs every answer to a list of prompts', async () => {
    const prompt = Array.from({ length: 10 }, (_, index) => `p${index}`)
    const choices = prompt.map((_, index) => ({ index, text: PIECE, finish_reason: 'length' }))
    world.upstream.answers({ body: { id: 'c', object: 'text_completion', choices } })
    await alice.calls('/v1/completions', { model: 'davinci-002', prompt, max_tokens: 110 })
    expect((await lastReceipt(world, alice.id)).completion_tokens).toBeGreaterThan(900)
  })
})
