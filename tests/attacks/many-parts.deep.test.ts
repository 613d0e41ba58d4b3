import { describe, expect, it } from 'vitest'
import { usageOf } from '../../gateway/billing/usage.ts'
import { type AnswerFrame, NO_CLIENT_TOOLS } from '../../gateway/relay/formats/codec.ts'
import { createCodecs } from '../../gateway/relay/formats/codecs.ts'
import type { Part } from '../../gateway/relay/formats/conversation.ts'
import { type Format, formats } from '../../gateway/relay/formats/format.ts'
import { portable } from '../../gateway/relay/formats/portable.ts'
import { toolsOut } from '../../gateway/relay/providers/cohere/tools.ts'
import { mediaApart } from '../../gateway/relay/providers/plain-turns.ts'

/** Fewer values than a body may have (requestBounds), but enough to show quadratic time. */
const VALUES = 120_000
/** In CPU time; searching for the parts one by one took over ten seconds. */
const MAX_MS = 7000

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index))
const named = (index: number) => `a_tool_with_a_name_that_is_long_${String(index).padStart(8, '0')}`
const hello = { role: 'user', content: 'hi' }
const declared = (parameters: object) => [{ type: 'function', function: { name: 'f', parameters } }]

const requests: readonly (readonly [string, Format, object])[] = [
  [
    'results that name a function nobody called',
    'openai',
    {
      messages: [
        hello,
        ...many(VALUES / 10, () => ({ role: 'assistant', function_call: { name: 'f', arguments: '{}' } })),
        ...many(VALUES / 10, () => ({ role: 'function', name: 'other', content: 'x' })),
      ],
    },
  ],
  [
    'a choice among tools that are not there',
    'openai',
    {
      messages: [hello],
      tools: many(VALUES / 5, (index) => ({ type: 'custom', custom: { name: named(index) } })),
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'auto',
          tools: many(VALUES / 5, (index) => ({ type: 'custom', custom: { name: named(-index - 1) } })),
        },
      },
    },
  ],
  [
    'names of functions that are not there',
    'gemini',
    {
      contents: [{ parts: [{ text: 'hi' }] }],
      tools: [{ functionDeclarations: many(VALUES / 4, (index) => ({ name: named(index) })) }],
      toolConfig: {
        functionCallingConfig: { mode: 'ANY', allowedFunctionNames: many(VALUES / 2, (index) => named(-index - 1)) },
      },
    },
  ],
  [
    'properties of which none is required that are',
    'openai',
    {
      messages: [hello],
      tools: declared({
        type: 'object',
        properties: Object.fromEntries(many(18_000, (index) => [named(index), {}])),
        required: many(VALUES, (index) => named(-index - 1)),
      }),
    },
  ],
  [
    'results without the ids of their calls',
    'gemini',
    {
      contents: [
        { role: 'model', parts: many(VALUES / 4, () => ({ functionCall: { name: 'f', id: 'a' } })) },
        { role: 'user', parts: many(VALUES / 4, () => ({ functionResponse: { name: 'f', response: {} } })) },
      ],
    },
  ],
  ['items that are only named', 'responses', { input: many(VALUES / 3, () => ({ type: 'item_reference', id: 'x' })) }],
  [
    'thoughts',
    'responses',
    { input: [hello, ...many(VALUES / 4, (index) => ({ type: 'reasoning', id: `rs_${index}`, summary: [] }))] },
  ],
  [
    'results',
    'responses',
    {
      input: [
        hello,
        ...many(VALUES / 2, (index) => ({ type: 'function_call_output', call_id: `c${index}`, output: 'x' })),
      ],
    },
  ],
]

describe('a request of very many small parts', () => {
  const codecs = createCodecs(() => 'call_1')
  const target = {
    model: 'gemini-2.5-pro',
    streamOptions: false,
    cacheMarks: false,
    settings: { claudeMaxTokens: { default: 100 }, geminiSafety: {}, geminiImageModels: [] },
    drop() {},
  }
  it.each(requests)(
    'is read and written for every vendor in no time: %s',
    (_, from, wire) => {
      const json: unknown = JSON.parse(JSON.stringify(wire))
      for (const format of formats.filter((each) => each !== from)) {
        const begun = process.cpuUsage()
        const read = codecs[from].decodeRequest(json as Readonly<Record<string, unknown>>, 'm', false)
        for (const strictOpenai of [true, false]) {
          const { conversation } = portable(read, { format, strictOpenai, drop: target.drop })
          codecs[format].encodeRequest(conversation, { ...target, strictOpenai })
        }
        const { user, system } = process.cpuUsage(begun)
        expect((user + system) / 1000, format).toBeLessThan(MAX_MS)
      }
    },
    120_000,
  )
})

describe('tools for a vendor with a separate wire format', () => {
  const { openai } = createCodecs(() => 'call_1')
  const written = (wire: object) =>
    within(1500, () => toolsOut(openai.decodeRequest({ messages: [hello], ...wire }, 'm', false), () => undefined))

  it('are those that a long choice names', () => {
    const tools = many(VALUES / 4, (index) => ({ type: 'function', function: { name: named(index) } }))
    const allowed = { mode: 'auto', tools: tools.toReversed() }
    const { tools: offered } = written({ tools, tool_choice: { type: 'allowed_tools', allowed_tools: allowed } })
    expect(offered).toHaveLength(tools.length)
  })

  it('have no required parameters where the required ones do not exist', () => {
    const properties = Object.fromEntries(many(18_000, (index) => [named(index), {}]))
    const required = many(VALUES, (index) => named(-index - 1))
    const { tools } = written({ tools: declared({ type: 'object', properties, required }) })
    expect(JSON.stringify(tools)).not.toContain('"required":true')
  })
})

describe('a stream of very many small pieces of calls', () => {
  const count = 30_000
  const chunk = (index: number, called: object) =>
    JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { tool_calls: [{ index, function: called }] } }] })
  it.each([
    [
      'of calls that take turns',
      [
        ...many(count, (index) => chunk(index, { name: 'f', arguments: '{"a":' })),
        ...many(count, (index) => chunk(index, { arguments: '1}' })),
      ],
    ],
    [
      'that repeat the name',
      [
        chunk(0, { name: 'f', arguments: '{"a":"' }),
        ...many(count, () => chunk(0, { name: 'f', arguments: 'x'.repeat(16) })),
      ],
    ],
    [
      'that repeat the name and end as an object does',
      [
        chunk(0, { name: 'f', arguments: '{"a":"' }),
        ...many(count, () => chunk(0, { name: 'f', arguments: `${'x'.repeat(15)}}` })),
      ],
    ],
    [
      'of calls that take turns and end as an object does',
      [
        ...many(2, (index) => chunk(index, { name: 'f', arguments: '{"a":"' })),
        ...many(count, (index) => chunk(index % 2, { arguments: `${'x'.repeat(15)}}` })),
      ],
    ],
    [
      'of calls that take turns and are objects with white space behind them',
      [
        ...many(2, (index) => chunk(index, { name: 'f', arguments: `{"a":"${'x'.repeat(100_000)}"}` })),
        ...many(count, (index) => chunk(index % 2, { arguments: ' ' })),
      ],
    ],
  ])(
    'is read and written for every client in no time: %s',
    (_, payloads) => {
      const codecs = createCodecs(() => 'call_1')
      const decoder = codecs.openai.decodeStream()
      const events = within(3500, () => payloads.flatMap((payload) => decoder.payload(payload)))
      for (const format of formats) {
        const encoder = codecs[format].encodeStream(frame)
        within(3500, () => {
          for (const event of events) encoder.add(event)
          encoder.end(usageOf({}))
        })
      }
    },
    60_000,
  )
})

describe('an answer with the maximum number of parts', () => {
  const codecs = createCodecs(() => 'call_1')
  const count = 130_000
  const answers: readonly (readonly [string, Format, object])[] = [
    [
      'parts of a text',
      'openai',
      { choices: [{ index: 0, message: { content: many(count, () => ({ type: 'text', text: 'x' })) } }] },
    ],
    ['blocks', 'anthropic', { content: many(count, () => ({ type: 'text', text: 'x' })) }],
    ['parts', 'gemini', { candidates: [{ content: { parts: many(count, () => ({ text: 'x' })) } }] }],
    [
      'pieces of a message',
      'responses',
      { output: [{ type: 'message', content: many(count, () => ({ type: 'output_text', text: 'x' })) }] },
    ],
  ]
  it.each(answers)('is read and written for every client: %s of %s', (_, from, wire) => {
    const events = within(3500, () => codecs[from].decodeAnswer(wire))
    for (const format of formats) within(3500, () => codecs[format].encodeAnswer(events, frame, usageOf({})))
  })

  it('is sent to Anthropic’s clients where all of it waits for a call that never ends', () => {
    const encoder = codecs.anthropic.encodeStream(frame)
    within(3500, () => {
      encoder.add({ type: 'tool', choice: 0, call: 0, id: 'a', name: 'f', json: '{' })
      for (let index = 0; index < count; index += 1) encoder.add({ type: 'text', choice: 0, text: 'x' })
      expect(encoder.end(usageOf({})).length).toBeGreaterThan(count)
    })
  })
})

describe('files of very many', () => {
  it('are extracted from their turns one by one', () => {
    const file: Part = { type: 'media', kind: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
    const turns = [{ role: 'user' as const, parts: many(100_000, () => ({ ...file })) }]
    const asked = {
      model: 'm',
      stream: false,
      turns,
      tools: [],
      shared: {},
      extras: { from: 'openai', fields: {} },
    } as const
    within(1000, () => expect(mediaApart(asked).media).toHaveLength(100_000))
  })
})

const frame: AnswerFrame = {
  id: 'a',
  model: 'm',
  created: 0,
  wantsUsage: true,
  promptTokens: () => 1,
  request: {},
  clientTools: NO_CLIENT_TOOLS,
}

/** Returns the result of the work; fails if it takes more CPU time. */
function within<T>(ms: number, work: () => T): T {
  const begun = process.cpuUsage()
  const answer = work()
  const { user, system } = process.cpuUsage(begun)
  expect((user + system) / 1000).toBeLessThan(ms)
  return answer
}
