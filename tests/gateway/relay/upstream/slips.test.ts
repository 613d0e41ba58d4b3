import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { geminiAnswer, geminiStream } from '../../../support/gemini.ts'
import type { Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf } from '../metering/receipts.ts'
import { type DialectName, dialectNames, dialects } from '../parity/dialects.ts'

const GIVEN = 1_000_000_000
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gemini-2.5-flash': 1, alone: 1 }, RetryTimes: 1 } })
  await world.channel({ models: 'gemini-2.5-flash', type: 24, priority: 1, name: 'first' })
  await world.channel({ models: 'gemini-2.5-flash', type: 24, name: 'second' })
  await world.channel({ models: 'alone', type: 24 })
  alice = await world.user({ quota: GIVEN })
})
beforeEach(() => world.upstream.reset())

const ask = (name: DialectName, stream: boolean) =>
  alice.calls(dialects[name].path('gemini-2.5-flash', stream), dialects[name].body('gemini-2.5-flash', stream))

const ENDS = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'OTHER',
  'MISSING_THOUGHT_SIGNATURE',
  'TOO_MANY_TOOL_CALLS',
] as const

/** A response that ended with a model error after these parts. */
const slipped = (reason: string, parts: readonly object[] = []) => ({
  candidates: [
    {
      content: parts.length > 0 ? { role: 'model', parts } : {},
      finishReason: reason,
      index: 0,
      finishMessage: 'Bad call',
    },
  ],
  usageMetadata: { promptTokenCount: 1000, totalTokenCount: 1000 },
  modelVersion: 'gemini-2.5-flash',
})
const slip = (stream: boolean, reason: string = ENDS[0]): Script =>
  stream ? { events: [slipped(reason)] } : { body: slipped(reason) }
const said = { texts: ['Hello'] }
const good = (stream: boolean): Script =>
  stream
    ? { events: geminiStream(said, { prompt: 1000, completion: 20 }) }
    : { body: geminiAnswer(said, { prompt: 1000, completion: 20 }) }
const ways = dialectNames.flatMap((name) => [false, true].map((stream) => [name, stream] as const))

describe('an empty answer after a mistake of the model (docs/reference/selection.md#retries)', () => {
  it.each(ways)('is requested again and charged once: %s, streamed: %s', async (name, stream) => {
    world.upstream.answers(slip(stream), good(stream))
    const before = await balancesOf(world, alice.id, GIVEN)
    expect((await ask(name, stream)).text).toContain('Hello')
    expect(world.upstream.requests).toHaveLength(2)
    const { balanced, receipts } = await balancesOf(world, alice.id, GIVEN)
    expect(balanced).toBe(true)
    expect(receipts).toHaveLength(before.receipts.length + 1)
    expect(receipts.at(-1)).toMatchObject({ type: 2, prompt_tokens: 1000, completion_tokens: 20, quota: 1167 })
  })

  it.each(ENDS)('%s', async (reason) => {
    world.upstream.answers(slip(false, reason), good(false))
    expect((await alice.asks('gemini-2.5-flash', 'Hi')).content).toBe('Hello')
  })

  it('is requested again if it only has thoughts, before anything is sent', async () => {
    const thought = {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Let me see', thought: true }] }, index: 0 }],
    }
    const both = [thought, slipped('OTHER')].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    world.upstream.answers({ events: [Buffer.from(both)] }, good(true))
    expect((await ask('anthropic', true)).text).not.toContain('Let me see')
    expect(world.upstream.requests).toHaveLength(2)
  })

  it('is requested from another channel where it happens twice', async () => {
    world.upstream.answers(slip(true), slip(true), good(true))
    expect((await alice.asks('gemini-2.5-flash', 'Hi', { stream: true })).content).toBe('Hello')
    expect(world.upstream.requests).toHaveLength(3)
  })

  it.each([false, true])(
    'is an error in the end, which costs the figures of all attempts: streamed %s',
    async (stream) => {
      world.upstream.answers(slip(stream))
      const before = await balancesOf(world, alice.id, GIVEN)
      const { status, json } = await alice.asks('alone', 'Hi', { stream })
      expect(status).toBe(502)
      expect(json.error.message).toContain('MALFORMED_FUNCTION_CALL: Bad call')
      expect(world.upstream.requests).toHaveLength(2)
      expect((await balancesOf(world, alice.id, GIVEN)).spent).toBe(before.spent + 2 * 1000)
    },
  )

  it.each([false, true])('is a normal end after some content: streamed %s', async (stream) => {
    const parts = [{ text: 'Half' }]
    const cut = stream
      ? { events: [{ candidates: [{ content: { role: 'model', parts }, index: 0 }] }, slipped('OTHER')] }
      : { body: slipped('OTHER', parts) }
    world.upstream.answers(cut)
    const { text } = await ask('anthropic', stream)
    expect(world.upstream.requests).toHaveLength(1)
    expect(text).toContain('Half')
    expect(text).toContain('"end_turn"')
  })
})
