import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, usageOf } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, receiptsOf, recomputed } from '../metering/receipts.ts'
import { type DialectName, dialects } from '../parity/dialects.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  // A vendor that supports only Chat, so that requests in Responses are converted too.
  await world.channel({ models: 'by-chat', type: 43 })
  await world.channel({ models: 'by-gemini', type: 24 })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const logprobs = { content: [{ token: 'Hi', logprob: -0.1, bytes: null, top_logprobs: [] }] }
const choice = (index: number, content: string) => ({
  index,
  message: { role: 'assistant', content },
  finish_reason: 'stop',
  logprobs,
})
const two = { ...chatAnswer(''), choices: [choice(0, 'Hi'), choice(1, 'Hello')] }
const chunk = (index: number, delta: object, finish_reason: string | null = null) => ({
  ...chatAnswer(''),
  object: 'chat.completion.chunk',
  usage: null,
  choices: [{ index, delta, finish_reason, logprobs: finish_reason ? null : logprobs }],
})
const twoStreamed = [
  chunk(0, { role: 'assistant', content: 'Hi' }),
  chunk(1, { role: 'assistant', content: 'Hello' }),
  chunk(0, {}, 'stop'),
  chunk(1, {}, 'stop'),
  { ...chunk(0, {}), choices: [], usage: usageOf({}) },
  '[DONE]',
]
const spoken = {
  candidates: [
    {
      content: { role: 'model', parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }] },
      finishReason: 'STOP',
    },
  ],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
}

const rows: readonly (readonly [DialectName, string, readonly string[]])[] = [
  ['anthropic', 'by-chat', ['logprobs', 'choices']],
  ['responses', 'by-chat', ['choices']],
  ['gemini', 'by-chat', []],
  ['openai', 'by-chat', []],
  ['anthropic', 'by-gemini', ['audio']],
  ['responses', 'by-gemini', ['audio']],
  ['openai', 'by-gemini', []],
]

const asks = (dialect: DialectName, model: string, stream: boolean) =>
  alice.calls(dialects[dialect].path(model, stream), dialects[dialect].body(model, stream))

describe('parts of an answer without an equivalent in a dialect (docs/reference/conversion.md#losses-in-responses)', () => {
  it.each(rows)(
    '%s before %s: a whole answer names it in its header, and the log row does',
    async (dialect, model, lost) => {
      world.upstream.answers({ body: model === 'by-chat' ? two : spoken })
      const before = (await receiptsOf(world, alice.id)).length
      const { status, headers, text } = await asks(dialect, model, false)
      expect(status, text).toBe(200)
      expect(headers.get('x-switchyard-dropped')).toBe(lost.length === 0 ? null : lost.join(', '))
      const row = await lastReceipt(world, alice.id, before + 1)
      expect(row.other.answer_dropped).toEqual(lost.length === 0 ? undefined : lost)
      expect(row.quota).toBe(recomputed(row))
    },
  )

  it.each(rows)('%s before %s: of a stream the log row names it', async (dialect, model, lost) => {
    world.upstream.streams(model === 'by-chat' ? twoStreamed : [spoken])
    const before = (await receiptsOf(world, alice.id)).length
    const { status, headers } = await asks(dialect, model, true)
    expect([status, headers.get('x-switchyard-dropped')]).toEqual([200, null])
    const row = await lastReceipt(world, alice.id, before + 1)
    expect(row.other.answer_dropped).toEqual(lost.length === 0 ? undefined : lost)
    expect([row.quota, row.completion_tokens]).toEqual([recomputed(row), 5])
  })
})
