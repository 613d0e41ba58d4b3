import { beforeAll, describe, expect, it } from 'vitest'
import { namedEvent } from '../../../support/said.ts'
import type { Script, StreamEvent } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { dialectNames, dialects } from '../parity/dialects.ts'
import { lastReceipt, recomputed } from './receipts.ts'

const PIECE = 'The quick brown fox jumps over the lazy dog, and the dog lets it. '
const PIECES = [PIECE, PIECE, PIECE, PIECE]
/** The channel types of the models. */
const types = { 'mystery-chat': 43, 'mystery-claude': 14, 'mystery-gemini': 24 } as const

let world: World
let alice: Person
let asked = 0

beforeAll(async () => {
  const ratios = Object.fromEntries(Object.keys(types).map((model) => [model, 1]))
  world = await aWorld({ options: { ModelRatio: ratios, RetryTimes: 0 } })
  for (const [models, type] of Object.entries(types)) await world.channel({ models, type })
  alice = await world.user({ quota: 1_000_000_000 })
})

/** The receipts of the same response, one for a client of each dialect. */
async function receipts(model: keyof typeof types, stream: boolean, answer: Script) {
  const found = []
  for (const dialect of dialectNames) {
    world.upstream.reset()
    world.upstream.answers(answer)
    asked += 1
    await alice.calls(dialects[dialect].path(model, stream), dialects[dialect].body(model, stream))
    found.push(await lastReceipt(world, alice.id, asked))
  }
  return found
}

const chatEvent = (delta: object, more: object = {}, finish: string | null = null): StreamEvent => ({
  id: 'c',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
})

const chatStream = (first: object, last: object = {}): Script => ({
  events: [
    chatEvent({ role: 'assistant', content: '' }, first),
    ...PIECES.map((content) => chatEvent({ content })),
    chatEvent({}, last, 'stop'),
    '[DONE]',
  ],
})

const claudeStream = (begun: object, ended: object): Script => ({
  events: [
    namedEvent('message_start', {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: begun },
    }),
    namedEvent('content_block_start', {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    }),
    ...PIECES.map((text) =>
      namedEvent('content_block_delta', {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      }),
    ),
    namedEvent('content_block_stop', { type: 'content_block_stop', index: 0 }),
    namedEvent('message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn' }, ...ended }),
    namedEvent('message_stop', { type: 'message_stop' }),
  ],
})

const geminiStream = (first: object, last: object = {}): Script => ({
  events: [
    { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: PIECE }] } }], usageMetadata: first },
    ...PIECES.slice(1).map((text) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] })),
    { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }], ...last },
  ],
})

type Row = readonly [string, keyof typeof types, boolean, Script]
/** Responses that report 100 prompt tokens, and too little output. */
const rows: readonly Row[] = [
  ['Claude, at the beginning alone', 'mystery-claude', true, claudeStream({ input_tokens: 100, output_tokens: 1 }, {})],
  [
    'Claude, at the end of the prompt alone',
    'mystery-claude',
    true,
    claudeStream({ input_tokens: 0, output_tokens: 1 }, { usage: { input_tokens: 100 } }),
  ],
  [
    'Claude, at the end of nothing',
    'mystery-claude',
    true,
    claudeStream({ input_tokens: 100, output_tokens: 2 }, { usage: { output_tokens: 0 } }),
  ],
  [
    'Claude, at the end what nobody believes',
    'mystery-claude',
    true,
    claudeStream({ input_tokens: 100, output_tokens: 1 }, { usage: { output_tokens: -4 } }),
  ],
  [
    'Chat, in the first chunk alone',
    'mystery-chat',
    true,
    chatStream({ usage: { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 } }),
  ],
  [
    'Gemini, in the first chunk alone',
    'mystery-gemini',
    true,
    geminiStream({ promptTokenCount: 100, candidatesTokenCount: 3, totalTokenCount: 103 }),
  ],
]

describe('an upstream that counts only the beginning of its output (docs/reference/billing.md#missing-usage)', () => {
  it.each(rows)('is believed of its prompt, and its output is estimated: %s', async (_, model, stream, answer) => {
    const found = await receipts(model, stream, answer)
    const [first] = found
    expect(first?.completion_tokens).toBeGreaterThan(60)
    expect(first?.completion_tokens).toBeLessThan(100)
    for (const receipt of found) {
      const { prompt_tokens, completion_tokens, other } = receipt
      expect({ prompt_tokens, completion_tokens }).toEqual({
        prompt_tokens: 100,
        completion_tokens: first?.completion_tokens,
      })
      expect(other.usage_source).toBe('estimated')
      expect(receipt.quota).toBe(recomputed(receipt))
    }
  })

  it('is trusted for all where its last usage comes with the end, regardless of earlier ones', async () => {
    const said = [
      ...(await receipts(
        'mystery-claude',
        true,
        claudeStream({ input_tokens: 100, output_tokens: 1 }, { usage: { output_tokens: 7 } }),
      )),
      ...(await receipts(
        'mystery-chat',
        true,
        chatStream(
          { usage: { prompt_tokens: 9, completion_tokens: 1 } },
          { usage: { prompt_tokens: 100, completion_tokens: 7 } },
        ),
      )),
      ...(await receipts(
        'mystery-chat',
        true,
        chatStream({}, { x_groq: { usage: { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 } } }),
      )),
      ...(await receipts(
        'mystery-gemini',
        true,
        geminiStream(
          { promptTokenCount: 100, totalTokenCount: 100 },
          { usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 7, totalTokenCount: 107 } },
        ),
      )),
    ]
    const figures = said.map(({ prompt_tokens, completion_tokens }) => [prompt_tokens, completion_tokens])
    expect(figures).toEqual(figures.map(() => [100, 7]))
  })
})

describe('the tokens written to a cache (docs/reference/conversion.md#usage)', () => {
  const split = { ephemeral_5m_input_tokens: 150, ephemeral_1h_input_tokens: 50 }
  const used = { input_tokens: 100, cache_read_input_tokens: 10, cache_creation_input_tokens: 0, cache_creation: split }
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Good.' }],
    stop_reason: 'end_turn',
    usage: { ...used, output_tokens: 7 },
  }
  const answers: readonly (readonly [string, boolean, Script])[] = [
    ['plain', false, { body: message }],
    ['streamed', true, claudeStream({ ...used, output_tokens: 1 }, { usage: { output_tokens: 7 } })],
  ]
  it.each(answers)('are charged where the sum is 0 and its parts are not: %s', async (_, stream, answer) => {
    for (const receipt of await receipts('mystery-claude', stream, answer)) {
      expect(receipt).toMatchObject({
        prompt_tokens: 100,
        completion_tokens: 7,
        other: { cache_tokens: 10, cache_creation_tokens: 200, cache_creation_tokens_1h: 50 },
      })
      expect(receipt.quota).toBe(recomputed(receipt))
    }
  })

  const read = {
    prompt_tokens: 100,
    completion_tokens: 7,
    prompt_cache_hit_tokens: 40,
    prompt_tokens_details: { cached_tokens: 0 },
  }
  it('count as read where one of the names indicates that', async () => {
    for (const receipt of await receipts('mystery-chat', true, chatStream({}, { usage: read })))
      expect(receipt.other.cache_tokens).toBe(40)
  })
})
