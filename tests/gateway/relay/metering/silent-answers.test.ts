import { beforeAll, describe, expect, it } from 'vitest'
import { channelTypes } from '../../../../shared/channel-types.ts'
import type { Script } from '../../../support/upstream.ts'
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

/** A response with `said`, or a stream of `pieces` that is cut before its end. */
function answerOf(said: object, pieces: readonly object[], stream: boolean): Script {
  const choice = { index: 0, finish_reason: null }
  const [first, ...others] = pieces
  const deltas = [{ role: 'assistant', ...first }, ...others]
  if (stream) {
    const events = deltas.map((delta) => ({ id: 'c', choices: [{ ...choice, delta }] }))
    return { events: [...events, 'never'], cutAfter: events.length }
  }
  return { body: { id: 'c', choices: [{ ...choice, finish_reason: 'stop', message: { role: 'assistant', ...said } }] } }
}

/** The output tokens charged for a response without usage. */
async function charged(answer: Script, path: string, stream: boolean): Promise<number> {
  world.upstream.reset()
  world.upstream.answers(answer)
  asked += 1
  const messages = [{ role: 'user', content: 'hi' }]
  await alice.calls(path, { model: MODEL, stream, max_tokens: 100_000, messages })
  return (await lastReceipt(world, alice.id, asked)).completion_tokens
}

const named = { name: 'write', arguments: JSON.stringify({ text: TEXT }) }
const half = TEXT.slice(0, TEXT.length / 2)
const call = (id: string, json: string, index?: number) => ({
  ...(index === undefined ? {} : { index }),
  id,
  type: 'function',
  function: { name: 'write', arguments: json },
})
/** Each repetition below follows a form that some vendor uses, and must be counted once. */
const [first, second] = [JSON.stringify({ one: half }), JSON.stringify({ two: half })]
type Row = readonly [name: string, said: object, pieces?: readonly object[]]
const answers: readonly Row[] = [
  ['text', { content: TEXT }],
  ['thoughts under both of their names', { reasoning: TEXT, reasoning_content: TEXT }],
  ['thoughts as parts of the content', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: TEXT }] }] }],
  ['text as parts of the content', { content: [{ type: 'text', text: TEXT }] }],
  ['a call', { tool_calls: [{ index: 0, id: 'a', type: 'function', function: named }] }],
  ['a call with a number beyond all', { tool_calls: [{ index: 4e9, id: 'a', type: 'function', function: named }] }],
  ['a call of free text', { tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'w', input: TEXT } }] }],
  ['a call of the old kind', { function_call: named }],
  [
    'two calls that both have the index 0',
    { tool_calls: [call('a', first, 0), call('b', second, 0)] },
    [{ tool_calls: [call('a', first, 0)] }, { tool_calls: [call('b', second, 0)] }],
  ],
  [
    'two calls without an index',
    { tool_calls: [call('a', first), call('b', second)] },
    [{ tool_calls: [call('a', first)] }, { tool_calls: [call('b', second)] }],
  ],
  [
    'a call whose every piece repeats its id and its name',
    { tool_calls: [call('a', JSON.stringify({ text: TEXT }), 0)] },
    (JSON.stringify({ text: TEXT }).match(/.{1,40}/g) ?? []).map((piece) => ({ tool_calls: [call('a', piece, 0)] })),
  ],
  ['thoughts in details alone', { reasoning_details: [{ type: 'reasoning.text', text: TEXT }] }],
  ['thoughts summed up in details', { reasoning_details: [{ type: 'reasoning.summary', summary: TEXT }] }],
  [
    'thoughts in details, and the same as text',
    { reasoning: TEXT, reasoning_details: [{ type: 'reasoning.text', text: TEXT, signature: 'c2VhbA==' }] },
    [
      { reasoning: half },
      { reasoning: TEXT.slice(half.length) },
      { reasoning_details: [{ type: 'reasoning.text', text: TEXT, signature: 'c2VhbA==' }] },
    ],
  ],
  [
    'a picture without a word',
    { content: '', images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] },
  ],
  ['speech', { content: null, audio: { id: 'a', transcript: TEXT, data: Buffer.alloc(48_000).toString('base64') } }],
]

describe('an answer without a usage (docs/reference/billing.md#missing-usage)', () => {
  const rows = answers.map(([name, said, pieces = [said]]) => ({ name, said, pieces }))
  it.each(rows)('costs the same for every client, complete and truncated: $name', async ({ said, pieces }) => {
    const found = []
    for (const stream of [false, true])
      for (const path of ['/v1/chat/completions', '/v1/messages'])
        found.push(await charged(answerOf(said, pieces, stream), path, stream))
    const [first = 0] = found
    expect(found).toEqual([first, first, first, first])
    expect(first).toBeGreaterThan(40)
    expect(first).toBeLessThan(300)
  })
})
