import { beforeAll, describe, expect, it } from 'vitest'
import { channelTypes } from '../../../../shared/channel-types.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from './receipts.ts'

const MODEL = 'of-nobody-known'
const TEXT = 'The quick brown fox jumps over the lazy dog, and the dog lets it. '.repeat(4)

let world: World
let alice: Person
let asked = 0

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { [MODEL]: 1 }, CompletionRatio: { [MODEL]: 1 }, RetryTimes: 0 } })
  await world.channel({ models: MODEL, type: channelTypes.deepseek.id })
  alice = await world.user({ quota: 1_000_000_000 })
})

/** What an answer is charged that says so much and no usage; cut before its end, where it is a stream. */
async function charged(said: object, path: string, stream: boolean): Promise<number> {
  world.upstream.reset()
  const choice = { index: 0, finish_reason: null }
  world.upstream.answers(
    stream
      ? { events: [{ id: 'c', choices: [{ ...choice, delta: { role: 'assistant', ...said } }] }, 'never'], cutAfter: 1 }
      : { body: { id: 'c', choices: [{ ...choice, finish_reason: 'stop', message: { role: 'assistant', ...said } }] } },
  )
  asked += 1
  const messages = [{ role: 'user', content: 'hi' }]
  await alice.calls(path, { model: MODEL, stream, max_tokens: 100_000, messages })
  return (await lastReceipt(world, alice.id, asked)).completion_tokens
}

const named = { name: 'write', arguments: JSON.stringify({ text: TEXT }) }
const answers: readonly (readonly [string, object])[] = [
  ['text', { content: TEXT }],
  ['thoughts under both of their names', { reasoning: TEXT, reasoning_content: TEXT }],
  ['thoughts as parts of the content', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: TEXT }] }] }],
  ['text as parts of the content', { content: [{ type: 'text', text: TEXT }] }],
  ['a call', { tool_calls: [{ index: 0, id: 'a', type: 'function', function: named }] }],
  ['a call with a number beyond all', { tool_calls: [{ index: 4e9, id: 'a', type: 'function', function: named }] }],
  ['a call of free text', { tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'w', input: TEXT } }] }],
  ['a call of the old kind', { function_call: named }],
  ['speech', { content: null, audio: { id: 'a', transcript: TEXT, data: Buffer.alloc(48_000).toString('base64') } }],
]

describe('an answer without a usage (docs/reference/billing.md#missing-usage)', () => {
  it.each(answers)('costs the same whoever asks, whole and cut: %s', async (_, said) => {
    const found = []
    for (const stream of [false, true])
      for (const path of ['/v1/chat/completions', '/v1/messages']) found.push(await charged(said, path, stream))
    const [first = 0] = found
    expect(found).toEqual([first, first, first, first])
    expect(first).toBeGreaterThan(40)
    expect(first).toBeLessThan(200)
  })
})
