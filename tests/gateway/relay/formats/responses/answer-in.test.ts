import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { responses } from '../../../../../gateway/relay/formats/responses/codec.ts'
import { joined, streamed } from './frames.ts'

const usage = {
  input_tokens: 36,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 87,
  output_tokens_details: { reasoning_tokens: 40 },
  total_tokens: 123,
}

const output = [
  {
    id: 'rs_1',
    type: 'reasoning',
    summary: [
      { type: 'summary_text', text: 'First.' },
      { type: 'summary_text', text: 'Second.' },
    ],
    encrypted_content: 'enc',
  },
  { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'news' } },
  { type: 'web_search_call', id: 'ws_2', status: 'completed', action: { type: 'open_page', url: 'https://a.example' } },
  {
    type: 'message',
    id: 'msg_1',
    status: 'completed',
    role: 'assistant',
    content: [
      {
        type: 'output_text',
        text: 'Once upon a time',
        annotations: [{ type: 'url_citation', start_index: 0, end_index: 4, url: 'https://a.example', title: 'A' }],
      },
    ],
  },
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}', status: 'completed' },
  { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'sql', input: 'SELECT 1', status: 'completed' },
  { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA', output_format: 'webp' },
]

const answer = { id: 'resp_1', object: 'response', status: 'completed', model: 'gpt-5', error: null, output, usage }

const searched = (search: object) => ({ type: 'search', choice: 0, by: 'responses', name: 'web_search_call', search })

const events = [
  { type: 'start', id: 'resp_1', model: 'gpt-5' },
  {
    type: 'reasoning',
    choice: 0,
    text: 'First.\n\nSecond.',
    signature: { by: 'responses', value: 'enc', id: 'rs_1' },
  },
  { type: 'extra', of: 'responses', choice: 0, name: 'web_search_call', value: output[1], isCovered: true },
  searched({ id: 'ws_1', action: 'search', queries: ['news'], pages: [] }),
  { type: 'extra', of: 'responses', choice: 0, name: 'web_search_call', value: output[2], isCovered: true },
  searched({ id: 'ws_2', action: 'open', queries: [], pages: [], url: 'https://a.example' }),
  { type: 'text', choice: 0, text: 'Once upon a time' },
  { type: 'citation', choice: 0, url: 'https://a.example', title: 'A' },
  { type: 'tool', choice: 0, call: 0, id: 'call_1', name: 'f', json: '{"a":1}' },
  { type: 'tool', choice: 0, call: 1, id: 'call_2', name: 'sql', custom: true, json: 'SELECT 1' },
  { type: 'media', choice: 0, mime: 'image/webp', data: 'AAAA', id: 'ig_1' },
  { type: 'usage', usage: usageOf({ prompt: 36, completion: 87, cacheRead: 10, reasoning: 40, webSearches: 1 }) },
  { type: 'finish', choice: 0, reason: 'tool-calls' },
]

/** The response above as OpenAI streams it, its texts in pieces of `size` characters. */
function stream(size: number): unknown[] {
  const pieces = (text: string) => text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
  const begun = { ...answer, status: 'in_progress', output: [], usage: null }
  const [thought, search, opened, message, call, custom, picture] = output
  const added = (output_index: number, item: unknown) => ({ type: 'response.output_item.added', output_index, item })
  const done = (output_index: number, item: unknown) => ({ type: 'response.output_item.done', output_index, item })
  const summary = (summary_index: number, text: string) => [
    {
      type: 'response.reasoning_summary_part.added',
      output_index: 0,
      summary_index,
      part: { type: 'summary_text', text: '' },
    },
    ...pieces(text).map((delta) => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index,
      delta,
    })),
    { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index, text },
  ]
  const text = { output_index: 3, content_index: 0 }
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    added(0, { id: 'rs_1', type: 'reasoning', summary: [] }),
    ...summary(0, 'First.'),
    ...summary(1, 'Second.'),
    done(0, thought),
    added(1, { ...search, status: 'in_progress' }),
    { type: 'response.web_search_call.searching', output_index: 1, item_id: 'ws_1' },
    done(1, search),
    done(2, opened),
    added(3, { ...message, content: [] }),
    { type: 'response.content_part.added', ...text, part: { type: 'output_text', text: '', annotations: [] } },
    ...pieces('Once upon a time').map((delta) => ({ type: 'response.output_text.delta', ...text, delta })),
    {
      type: 'response.output_text.annotation.added',
      ...text,
      annotation: { type: 'url_citation', start_index: 0, end_index: 4, url: 'https://a.example', title: 'A' },
    },
    { type: 'response.output_text.done', ...text, text: 'Once upon a time' },
    done(3, message),
    added(4, { ...call, arguments: '', status: 'in_progress' }),
    ...pieces('{"a":1}').map((delta) => ({ type: 'response.function_call_arguments.delta', output_index: 4, delta })),
    { type: 'response.function_call_arguments.done', output_index: 4, arguments: '{"a":1}' },
    done(4, call),
    added(5, { ...custom, input: '', status: 'in_progress' }),
    ...pieces('SELECT 1').map((delta) => ({ type: 'response.custom_tool_call_input.delta', output_index: 5, delta })),
    done(5, custom),
    { type: 'response.image_generation_call.partial_image', output_index: 6, partial_image_b64: 'AA' },
    done(6, picture),
    { type: 'response.completed', response: answer },
  ]
}

/** The events, without the counts of tools so far, which follow the items of tools. */
const untooled = (read: readonly AnswerEvent[]) =>
  joined(read.filter(({ type }) => type !== 'tools' && type !== 'reasoning-begun'))

describe('reading a Responses answer', () => {
  it('reads its items, usage and end', () => {
    expect(untooled(responses.decodeAnswer(answer))).toEqual(events)
  })

  it('counts the tools of the vendor as their items come, in case that no usage follows', () => {
    const counts = streamed(stream(100)).filter((event) => event.type === 'tools')
    expect(counts.at(-1)).toMatchObject({ used: { webSearches: 1, secondModel: { calls: 1 } } })
  })

  it.each([1, 2, 3, 5, 100])('reads the same from its stream in pieces of %i', (size) => {
    expect(untooled(streamed(stream(size)))).toEqual([...events, { type: 'done' }])
  })

  it('reads the same from a stream that has items only when they are done, or everything only at the end', () => {
    const expected = [...events, { type: 'done' }]
    const types = stream(100).filter((event) => /created|item\.done|completed/.test(JSON.stringify(event).slice(0, 60)))
    expect(untooled(streamed(types))).toEqual(expected)
    expect(untooled(streamed([{ type: 'response.completed', response: answer }, '[DONE]']))).toEqual(expected)
  })

  it('separates calls whose arguments come interleaved', () => {
    const delta = (output_index: number, text: string) => ({
      type: 'response.function_call_arguments.delta',
      output_index,
      delta: text,
    })
    const added = (output_index: number, call_id: string) => ({
      type: 'response.output_item.added',
      output_index,
      item: { type: 'function_call', call_id, name: 'f', arguments: '' },
    })
    const told = streamed([
      added(0, 'a'),
      added(1, 'b'),
      delta(0, '{"x":'),
      delta(1, '{'),
      delta(0, '1}'),
      delta(1, '}'),
    ])
    const argumentsOf = (call: number) =>
      told.map((event) => (event.type === 'tool' && event.call === call ? (event.json ?? '') : '')).join('')
    expect([argumentsOf(0), argumentsOf(1)]).toEqual(['{"x":1}', '{}'])
  })

  it('reads hidden thoughts as redacted, and raw thoughts as thoughts', () => {
    const told = responses.decodeAnswer({
      status: 'completed',
      output: [
        { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'enc' },
        { id: 'rs_2', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
        { id: 'rs_3', type: 'reasoning', summary: [] },
      ],
    })
    expect(told).toEqual([
      { type: 'start' },
      {
        type: 'reasoning',
        choice: 0,
        text: '',
        signature: { by: 'responses', value: 'enc', id: 'rs_1' },
        redacted: true,
      },
      { type: 'reasoning', choice: 0, text: 'Hm.' },
      { type: 'finish', choice: 0, reason: 'stop' },
    ])
  })

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'filter'],
    ['something_new', 'something_new'],
  ])('ends incomplete answers: %s', (reason, finish) => {
    const response = { status: 'incomplete', incomplete_details: { reason }, output: [] }
    expect(responses.decodeAnswer(response)).toContainEqual({ type: 'finish', choice: 0, reason: finish })
    expect(streamed([{ type: 'response.incomplete', response }])).toContainEqual({
      type: 'finish',
      choice: 0,
      reason: finish,
    })
  })

  it('reads errors, complete and in streams', () => {
    const error = { code: 'server_error', message: 'Broken.' }
    const failed = { status: 'failed', error, output: [] }
    expect(responses.decodeAnswer(failed)).toEqual([{ type: 'start' }, { type: 'error', error }])
    expect(responses.decodeAnswer({ error })).toEqual([{ type: 'error', error }])
    expect(streamed([{ type: 'response.failed', response: failed }]).slice(1)).toEqual([
      { type: 'error', error },
      { type: 'done' },
    ])
    expect(streamed([{ type: 'error', ...error, param: null, sequence_number: 1 }])).toEqual([
      { type: 'error', error: { ...error, param: null } },
    ])
  })

  it('includes reasoning that only the total has, or that the output excludes', () => {
    const read = (more: object) =>
      responses.decodeAnswer({ status: 'completed', output: [], usage: { input_tokens: 9, output_tokens: 1, ...more } })
    const expected = { type: 'usage', usage: usageOf({ prompt: 9, completion: 6, reasoning: 5 }) }
    expect(read({ total_tokens: 15 })).toContainEqual(expected)
    expect(read({ output_tokens_details: { reasoning_tokens: 5 } })).toContainEqual(expected)
  })

  it.each([
    { input_tokens: -1, output_tokens: 5 },
    { input_tokens: 1.5, output_tokens: 5 },
    { input_tokens: '7', output_tokens: 5 },
    { input_tokens: 1e12, output_tokens: 5 },
    { input_tokens: 0, output_tokens: 0 },
    'none',
  ])('does not believe the usage %j', (lie) => {
    const told = responses.decodeAnswer({ status: 'completed', output: [], usage: lie })
    expect(told.some(({ type }) => type === 'usage')).toBe(false)
  })

  it('never throws, for any upstream response', () => {
    const odd = [
      null,
      7,
      'x',
      [],
      {},
      { output: 7 },
      { output: [null, 7, {}, { type: 'message', content: [7, null] }] },
    ]
    for (const wire of odd) expect(() => responses.decodeAnswer(wire)).not.toThrow()
    const payloads = [
      ...['', '{', 'null', '7', '[]', '{}'],
      ...[{ type: 'response.output_item.done' }, { type: 'response.output_text.delta', delta: 7 }],
      ...[{ type: 'response.function_call_arguments.delta', delta: '{' }, { type: 'response.completed' }],
      { type: 'response.output_item.added', item: { type: 'function_call' } },
      { type: 'response.output_text.annotation.added', annotation: null },
    ]
    expect(() => streamed(payloads)).not.toThrow()
  })
})
