import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { requestBounds } from '../../gateway/base/json/json-scan.ts'
import { channelTypes } from '../../shared/channel-types.ts'
import { messageAnswer } from '../support/anthropic.ts'
import { saidAnswer } from '../support/chat-said.ts'
import { geminiAnswer } from '../support/gemini.ts'
import { readingMs, watchTurns } from '../support/turns.ts'
import type { Recorded } from '../support/upstream.ts'
import { aWorld, type World } from '../support/world.ts'

/** Nearly the maximum number of fields in a body. */
const FIELDS = requestBounds.fields * 0.97
/**
 * The longest turn of the event loop (docs/reference/security.md#input), as a multiple of the CPU time that parsing
 * JSON with as many fields took just before; a quarter of a second on an idle machine. It includes the test's own client
 * and vendor, which read and write the body in one piece.
 */
const MAX_READINGS = 20
/** The same for an answer, which may have 36 MiB of vectors; half a second on an idle machine. */
const MAX_ANSWER_READINGS = 50

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: Math.floor(count) }, (_, at) => one(at))
const hello = { role: 'user', content: 'hi' }
const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }

const bodies: readonly (readonly [name: string, path: string, fields: number, body: (count: number) => object])[] = [
  [
    'messages',
    '/v1/chat/completions',
    2,
    (count) => ({ messages: many(count, (at) => ({ role: at % 2 ? 'assistant' : 'user', content: 'x' })) }),
  ],
  [
    'calls and results',
    '/v1/responses',
    7,
    (count) => ({
      input: [
        hello,
        ...many(count, (at) => [
          { type: 'function_call', call_id: `c${at}`, name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: `c${at}`, output: 'x' },
        ]).flat(),
      ],
    }),
  ],
  [
    'calls and results',
    '/v1/messages',
    11,
    (count) => ({
      max_tokens: 9,
      messages: [
        hello,
        ...many(count, (at) => [
          { role: 'assistant', content: [{ type: 'tool_use', id: `c${at}`, name: 'f', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${at}`, content: 'x' }] },
        ]).flat(),
      ],
    }),
  ],
  [
    'results that are pictures',
    '/v1/messages',
    10,
    (count) => ({
      max_tokens: 9,
      messages: [
        hello,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
        ...many(count, () => ({
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'image', source: png }] }],
        })),
      ],
    }),
  ],
  [
    'parts of one message',
    '/v1/chat/completions',
    2,
    (count) => ({ messages: [hello, { role: 'user', content: many(count, () => ({ type: 'text', text: 'x' })) }] }),
  ],
  [
    'tools',
    '/v1beta/models/MODEL:generateContent',
    1,
    (count) => ({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      // The maximum of a request.
      tools: [{ functionDeclarations: many(Math.min(count, 1999), (at) => ({ name: `f${at}` })) }],
    }),
  ],
  [
    'tools whose names nobody takes',
    '/v1/chat/completions',
    4,
    (count) => ({
      messages: [hello],
      tools: many(Math.min(count, 2000), (at) => ({ type: 'function', function: { name: `f.${at}` } })),
    }),
  ],
]
const plainText = JSON.stringify(bodies[0]?.[3](FIELDS / 2))
const vendors = { 'by-chat': 'deepseek', 'by-messages': 'anthropic', 'by-gemini': 'gemini' } as const
const models = Object.keys(vendors) as (keyof typeof vendors)[] // the keys of a constant

let world: World
let key = ''

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  await world.channel({ models: 'plain', type: channelTypes.openai.id })
  for (const model of models) await world.channel({ models: model, type: channelTypes[vendors[model]].id })
  key = await (await world.user({ quota: 1_000_000_000 })).key()
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers(({ path }: Recorded) => {
    const said = { texts: ['Good.'] }
    if (path.includes('/messages')) return { body: messageAnswer(said) }
    return { body: path.includes('generateContent') ? geminiAnswer(said) : saidAnswer(said, {}) }
  })
})

describe('a request of the maximum size', () => {
  const rows = bodies.flatMap((body) => models.map((model) => [...body, model] as const))
  it.each(rows)('delays no other request: %s at %s', async (_, path, fields, body, model) => {
    const bytes = Buffer.from(
      JSON.stringify({ ...(path.startsWith('/v1/') ? { model } : {}), ...body(FIELDS / fields) }),
    )
    const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
    const reading = readingMs(plainText)
    const longest = watchTurns()
    const answer = await fetch(world.url + path.replace('MODEL', model), { method: 'POST', headers, body: bytes })
    const text = await answer.text()
    expect(answer.status, text.slice(0, 300)).toBe(200)
    expect(longest() / reading).toBeLessThan(MAX_READINGS)
  })
})

describe('a conversation in a format of one vendor', () => {
  const own = [
    'baidu',
    'tencent',
    'cohere',
    'dify',
    'coze',
    'palm',
    'zhipu',
    'ali',
    'mistral',
    'minimax',
    'gemini',
  ] as const
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
  const shapes = {
    'messages of one role': many(FIELDS / 2, () => ({ role: 'user', content: 'hello' })),
    'results in messages of their own': [
      hello,
      { role: 'assistant', content: '', tool_calls: [call] },
      ...many(FIELDS / 3 - 10, () => ({ role: 'tool', tool_call_id: 'c', content: '{x' })),
    ],
  }
  beforeAll(async () => {
    for (const name of own)
      await world.channel({ models: `own-${name}`, type: channelTypes[name].id, key: 'a.b|c|d', other: 'x' })
  })
  it.each(own.flatMap((name) => Object.entries(shapes).map(([shape, messages]) => [shape, name, messages] as const)))(
    'delays no other request: %s at %s',
    async (_, name, messages) => {
      world.upstream.reset()
      world.upstream.answers({ status: 400, body: { error: { message: 'no' } } })
      const body = Buffer.from(JSON.stringify({ model: `own-${name}`, messages }))
      const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
      const reading = readingMs(plainText)
      const longest = watchTurns()
      const response = await fetch(`${world.url}/v1/chat/completions`, { method: 'POST', headers, body })
      await response.text()
      expect(response.status).toBe(400)
      expect(longest() / reading).toBeLessThan(MAX_READINGS)
    },
  )
})

describe('a request of a key without money', () => {
  const rows: readonly (readonly [what: string, status: number, more: string])[] = [
    ['names in capitals', 403, many(19_900, (at) => `"A${String(at).padStart(5, '0')}":0`).join()],
    ['a list of numbers that a double changes', 403, `"a":[${'12345678901234567890,'.repeat(390_000)}1]`],
    ['one such number in a list of others', 403, `"a":[1e400,${'0,'.repeat(390_000)}1]`],
    ['as many lists of such numbers', 413, `"a":[${'[1e400],'.repeat(100_000)}[]]`],
    ['a text of arguments with such numbers', 403, `"a":${JSON.stringify(`[1e400,${'0,'.repeat(390_000)}1]`)}`],
  ]
  it.each(rows)('delays no other request: %s', async (_, status, more) => {
    const headers = {
      authorization: `Bearer sk-${await (await world.user()).key()}`,
      'content-type': 'application/json',
    }
    const body = Buffer.from(`{"model":"plain","messages":[${JSON.stringify(hello)}],${more}}`)
    const reading = readingMs(plainText)
    const longest = watchTurns()
    const response = await fetch(`${world.url}/v1/chat/completions`, { method: 'POST', headers, body })
    const text = await response.text()
    expect(response.status, text).toBe(status)
    expect(longest() / reading).toBeLessThan(MAX_READINGS / 2)
  })
})

describe('an answer of a vendor’s maximum size', () => {
  const PACKED = Buffer.alloc(36 * 1024 * 1024, 1).toString('base64')
  const VECTOR = `{"embedding":[${'0.12345678901234567,'.repeat(125_000)}0]}`
  const LARGE = `{"embedding":[${'1e400,'.repeat(125_000)}0]}`
  const COUNT = 20_000
  const ALMOST = 'forbidde'.repeat(2_500_000)

  beforeAll(() => world.option('SensitiveWords', 'forbidden'))

  it.each([
    [
      'packed vectors for a caller of Gemini',
      '/v1beta/models/plain:embedContent',
      { content: { parts: [{ text: 'hi' }] } },
      `{"data":[{"embedding":"${PACKED}"}]}`,
    ],
    [
      'vectors to be packed',
      '/v1/embeddings',
      { input: 'hi', encoding_format: 'base64' },
      `{"data":[${many(20, () => VECTOR).join()}]}`,
    ],
    [
      'vectors of numbers that a double changes',
      '/v1/embeddings',
      { input: 'hi' },
      `{"data":[${many(20, () => LARGE).join()}]}`,
    ],
    [
      'choices read for blocked words',
      '/v1/completions',
      { prompt: 'hi' },
      JSON.stringify({ choices: many(COUNT, () => ({ text: 'forbidden', finish_reason: 'stop' })) }),
    ],
    [
      'a text that is nearly a blocked word throughout',
      '/v1/chat/completions',
      { messages: [hello] },
      JSON.stringify({ choices: [{ message: { role: 'assistant', content: ALMOST }, finish_reason: 'stop' }] }),
    ],
  ])('delays no other request: %s', async (_, path, body, answer) => {
    world.upstream.reset()
    world.upstream.answers({ body: Buffer.from(answer), headers: { 'content-type': 'application/json' } })
    const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
    const text = JSON.stringify({ model: 'plain', ...body })
    const readings = async () => {
      const reading = readingMs(plainText)
      const longest = watchTurns()
      const response = await fetch(world.url + path, { method: 'POST', headers, body: text })
      const { byteLength } = await response.arrayBuffer()
      expect([response.status, byteLength > 1_000_000]).toEqual([200, true])
      return longest() / reading
    }
    // Repeated: a collection of garbage may fall into one measurement.
    await expect.poll(readings).toBeLessThan(MAX_ANSWER_READINGS)
  })
})
