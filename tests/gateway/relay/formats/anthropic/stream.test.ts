import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import { anthropic } from '../../../../../gateway/relay/formats/anthropic/codec.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { frame, payloadsOf } from './conversation.ts'

const usage = usageOf({ prompt: 30, completion: 8, cacheRead: 10 })

function read(payloads: readonly (object | string)[]): AnswerEvent[] {
  const decoder = anthropic.decodeStream()
  return payloads.flatMap((one) => decoder.payload(typeof one === 'string' ? one : JSON.stringify(one)))
}

function streamed(events: readonly AnswerEvent[]): string {
  const encoder = anthropic.encodeStream(frame)
  return events.map((event) => encoder.add(event)).join('') + encoder.end(usage)
}

const start = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block })
const delta = (index: number, piece: object) => ({ type: 'content_block_delta', index, delta: piece })
const stop = (index: number) => ({ type: 'content_block_stop', index })
const json = (index: number, partial: string) => delta(index, { type: 'input_json_delta', partial_json: partial })
const text = (said: string): AnswerEvent => ({ type: 'text', choice: 0, text: said })
const tool = (call: number, rest: object): AnswerEvent => ({ type: 'tool', choice: 0, call, ...rest })

describe('a stream of Anthropic’s, read', () => {
  it('is the documented one with thinking, text and a tool', () => {
    const events = read([
      {
        type: 'message_start',
        message: {
          id: 'msg_01',
          type: 'message',
          role: 'assistant',
          content: [],
          model: 'claude-sonnet-4-5',
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 472, cache_read_input_tokens: 7, output_tokens: 2 },
        },
      },
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      { type: 'ping' },
      delta(0, { type: 'thinking_delta', thinking: 'Let me think' }),
      delta(0, { type: 'signature_delta', signature: 'EqQB' }),
      stop(0),
      start(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'Okay' }),
      delta(1, { type: 'citations_delta', citation: { url: 'https://a.example', title: 'A' } }),
      delta(1, { type: 'text_delta', text: ', let' }),
      stop(1),
      start(2, { type: 'tool_use', id: 'toolu_01T', name: 'get_weather', input: {} }),
      json(2, ''),
      json(2, '{"location":'),
      json(2, ' "Paris"}'),
      stop(2),
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 89 } },
      { type: 'message_stop' },
    ])
    const figures = { prompt: 472, cacheRead: 7, semantics: 'anthropic' } as const
    expect(events).toEqual([
      { type: 'start', id: 'msg_01', model: 'claude-sonnet-4-5' },
      { type: 'usage', usage: usageOf({ ...figures, completion: 2 }), isBegun: true },
      { type: 'reasoning', choice: 0, text: 'Let me think' },
      { type: 'reasoning', choice: 0, text: '', signature: { by: 'anthropic', value: 'EqQB' } },
      text('Okay'),
      text(', let'),
      { type: 'citation', choice: 0, url: 'https://a.example', title: 'A' },
      tool(0, { id: 'toolu_01T', name: 'get_weather' }),
      tool(0, { json: '{"location":' }),
      tool(0, { json: ' "Paris"}' }),
      { type: 'usage', usage: usageOf({ ...figures, completion: 89 }) },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
      { type: 'done' },
    ])
  })

  it('puts the input of the vendor’s own tools together', () => {
    const block = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
    const events = read([start(0, block), json(0, '{"query":'), json(0, '"q"}'), stop(0)])
    expect(events).toEqual([
      { type: 'vendor-call', text: '{"query":' },
      { type: 'vendor-call', text: '"q"}' },
      {
        type: 'extra',
        of: 'anthropic',
        choice: 0,
        name: 'server_tool_use',
        value: { ...block, input: { query: 'q' } },
        isCovered: true,
      },
    ])
  })

  it('reads calls that imitators send whole, without pieces or without an end', () => {
    const whole = start(0, { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } })
    const end = { type: 'message_delta', delta: { stop_reason: 'tool_use' } }
    const args = (events: AnswerEvent[]) =>
      events.map((event) => (event.type === 'tool' ? (event.json ?? '') : '')).join('')
    expect(args(read([whole, stop(0)]))).toBe('{"x":1}')
    expect(args(read([whole, end]))).toBe('{"x":1}')
    expect(args(read([whole, json(0, '{"x":1}'), stop(0)]))).toBe('{"x":1}')
    expect(args(read([start(0, { type: 'tool_use', id: 'a', name: 'f', input: {} }), stop(0)]))).toBe('{}')
  })

  it('uses the last usage that is not empty', () => {
    const last = (first: object, second: object) =>
      read([
        { type: 'message_start', message: { usage: first } },
        { type: 'message_delta', delta: {}, usage: second },
      ]).findLast((event) => event.type === 'usage')
    const figures = usageOf({ prompt: 9, completion: 4, cacheWrite: 3, cacheWriteHour: 3, semantics: 'anthropic' })
    const cached = { cache_creation_input_tokens: 3, cache_creation: { ephemeral_1h_input_tokens: 3 } }
    const first = { input_tokens: 9, output_tokens: 1, ...cached }
    expect(last(first, { output_tokens: 4 })).toEqual({ type: 'usage', usage: figures })
    expect(last(first, { input_tokens: 0, output_tokens: 4, cache_creation: null })).toEqual({
      type: 'usage',
      usage: figures,
    })
    expect(last({ input_tokens: 0, output_tokens: 0 }, { input_tokens: 9, output_tokens: 4, ...cached })).toEqual({
      type: 'usage',
      usage: figures,
    })
    expect(last({}, { output_tokens: 4 })).toBeUndefined()
  })

  it('reports errors and ends, and ignores unknown events', () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' }
    expect(read([{ type: 'error', error }])).toEqual([{ type: 'error', error }])
    expect(read(['[DONE]'])).toEqual([{ type: 'done' }])
    expect(read(['null', '7', '{}', { type: 'new' }, stop(9), json(9, '{'), delta(0, {})])).toEqual([])
    expect(read([{ type: 'message_start' }])).toEqual([{ type: 'start' }])
    expect(read(['{'])).toMatchObject([{ type: 'error', isUnreadable: true }])
    expect(read([{ type: 'error', error: 'overloaded' }])).toEqual([
      { type: 'error', error: { message: 'overloaded' } },
    ])
  })
})

describe('a stream for Anthropic’s clients, written (docs/reference/conversion.md#streams-for-anthropics-clients)', () => {
  it('is the documented sequence', () => {
    const stream = streamed([
      { type: 'start' },
      { type: 'reasoning', choice: 0, text: 'Hm' },
      { type: 'reasoning', choice: 0, text: '', signature: { by: 'anthropic', value: 'sig' } },
      text('Hel'),
      text('lo'),
      tool(0, { id: 'call_1', name: 'f', json: '' }),
      tool(0, { json: '{"x":' }),
      tool(0, { json: '1}' }),
      { type: 'usage', usage },
      { type: 'finish', choice: 0, reason: 'stop' },
      { type: 'done' },
    ])
    expect(payloadsOf(stream)).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_abc',
          type: 'message',
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 12, output_tokens: 0 },
        },
      },
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      stop(0),
      start(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'Hel' }),
      delta(1, { type: 'text_delta', text: 'lo' }),
      stop(1),
      start(2, { type: 'tool_use', id: 'call_1', name: 'f', input: {} }),
      json(2, '{"x":'),
      json(2, '1}'),
      stop(2),
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: {
          input_tokens: 20,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 10,
          output_tokens: 8,
        },
      },
      { type: 'message_stop' },
    ])
  })

  it('separates blocks when calls interleave: later ones wait until the open one is complete', () => {
    const payloads = payloadsOf(
      streamed([
        tool(0, { id: 'a', name: 'f', json: '' }),
        tool(1, { id: 'b', name: 'g', json: '' }),
        tool(0, { json: '{"x":' }),
        tool(1, { json: '{"y":' }),
        text('between'),
        tool(0, { json: '1}' }),
        tool(1, { json: '2}' }),
        { type: 'finish', choice: 0, reason: 'tool-calls' },
      ]),
    )
    expect(payloads.slice(1, -2)).toEqual([
      start(0, { type: 'tool_use', id: 'a', name: 'f', input: {} }),
      json(0, '{"x":'),
      json(0, '1}'),
      stop(0),
      start(1, { type: 'tool_use', id: 'b', name: 'g', input: {} }),
      json(1, '{"y":'),
      json(1, '2}'),
      stop(1),
      start(2, { type: 'text', text: '' }),
      delta(2, { type: 'text_delta', text: 'between' }),
      stop(2),
    ])
  })

  it('sends everything at the end if the arguments never become complete', () => {
    const payloads = payloadsOf(
      streamed([
        tool(0, { id: 'a', name: 'f', json: '{"x":' }),
        tool(1, { id: 'b', name: 'g', json: '{' }),
        tool(2, { name: 'h' }),
        text('end'),
      ]),
    )
    expect(payloads.slice(1, -2)).toEqual([
      start(0, { type: 'tool_use', id: 'a', name: 'f', input: {} }),
      json(0, '{"x":'),
      stop(0),
      start(1, { type: 'tool_use', id: 'b', name: 'g', input: {} }),
      json(1, '{'),
      stop(1),
      start(2, { type: 'tool_use', id: 'toolu_abc_2', name: 'h', input: {} }),
      stop(2),
      start(3, { type: 'text', text: '' }),
      delta(3, { type: 'text_delta', text: 'end' }),
      stop(3),
    ])
  })

  it('gives each sealed thought a separate block', () => {
    const seal = (value: string) => ({ signature: { by: 'anthropic', value } as const })
    const stream = streamed([
      { type: 'reasoning', choice: 0, text: 'a', ...seal('1') },
      { type: 'reasoning', choice: 0, text: 'b', ...seal('2') },
      { type: 'reasoning', choice: 0, text: '', ...seal('3'), redacted: true },
    ])
    const blocks = payloadsOf(stream).filter((one) => one.type === 'content_block_start')
    expect(blocks).toEqual([
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      start(1, { type: 'thinking', thinking: '', signature: '' }),
      start(2, { type: 'redacted_thinking', data: '3' }),
    ])
  })

  it('opens and closes properly though nothing came, and leaves errors to the relay', () => {
    const encoder = anthropic.encodeStream(frame)
    expect(encoder.add({ type: 'error', error: { message: 'no' } })).toBe('')
    expect(payloadsOf(encoder.end(usage)).map((one) => one.type)).toEqual([
      'message_start',
      'message_delta',
      'message_stop',
    ])
  })

  it('sends the vendor’s own members in their original position', () => {
    const details = { type: 'refusal', category: 'cyber', explanation: null }
    const payloads = payloadsOf(
      streamed([
        { type: 'extra', of: 'anthropic', choice: 0, name: 'stop_details', value: details },
        { type: 'extra', of: 'gemini', choice: 0, name: 'x', value: {} },
        { type: 'finish', choice: 0, reason: 'filter' },
      ]),
    )
    expect(payloads.at(-2)).toMatchObject({
      delta: { stop_reason: 'refusal', stop_sequence: null, stop_details: details },
    })
  })
})
