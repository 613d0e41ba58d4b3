import { describe, expect, it } from 'vitest'
import { type Usage, usageOf } from '../../../../../gateway/billing/usage.ts'
import { anthropic } from '../../../../../gateway/relay/formats/anthropic/codec.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { frame } from './conversation.ts'

const usage = usageOf({ prompt: 10, completion: 5, semantics: 'anthropic' })
const written = (events: readonly AnswerEvent[], used: Usage = usage) => anthropic.encodeAnswer(events, frame, used)
const text = (said: string): AnswerEvent => ({ type: 'text', choice: 0, text: said })
const thought = (said: string): AnswerEvent => ({ type: 'reasoning', choice: 0, text: said })

describe('an answer of Anthropic’s, read', () => {
  it('has its text, usage and reason', () => {
    const events = anthropic.decodeAnswer({
      id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-1',
      content: [{ type: 'text', text: 'Hello!' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 12, output_tokens: 6 },
    })
    expect(events).toEqual([
      { type: 'start', id: 'msg_01XFDUDYJgAACzvnptvVoYEL', model: 'claude-opus-4-1' },
      text('Hello!'),
      { type: 'usage', usage: usageOf({ prompt: 12, completion: 6, semantics: 'anthropic' }) },
      { type: 'finish', choice: 0, reason: 'stop' },
    ])
  })

  it('has thoughts with their seals, calls counted from 0 and the stop sequence', () => {
    const events = anthropic.decodeAnswer({
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
        { type: 'redacted_thinking', data: 'data' },
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'toolu_1', name: 'f', input: { x: 1 } },
        { type: 'tool_use', id: 'toolu_2', name: 'g', input: {} },
      ],
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    })
    expect(events.slice(1)).toEqual([
      thought('Hm.'),
      { ...thought(''), signature: { by: 'anthropic', value: 'sig' } },
      { ...thought(''), signature: { by: 'anthropic', value: 'data' }, redacted: true },
      text('Let me see.'),
      { type: 'tool', choice: 0, call: 0, id: 'toolu_1', name: 'f' },
      { type: 'tool', choice: 0, call: 0, json: '{"x":1}' },
      { type: 'tool', choice: 0, call: 1, id: 'toolu_2', name: 'g' },
      { type: 'tool', choice: 0, call: 1, json: '{}' },
      { type: 'finish', choice: 0, reason: 'stop-sequence', stopSequence: 'END' },
    ])
  })

  it('has citations of the web after the text they belong to, and the search itself as its own', () => {
    const asked = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } }
    const found = { type: 'web_search_tool_result', tool_use_id: 's', content: [] }
    const events = anthropic.decodeAnswer({
      content: [
        asked,
        found,
        {
          type: 'text',
          text: 'Born in 1916',
          citations: [
            {
              type: 'web_search_result_location',
              url: 'https://a.example',
              title: 'A',
              cited_text: '1916',
              encrypted_index: 'x',
            },
            { type: 'char_location', cited_text: 'c', document_index: 0 },
          ],
        },
      ],
      stop_reason: 'pause_turn',
    })
    expect(events.slice(1)).toEqual([
      {
        type: 'extra',
        of: 'anthropic',
        choice: 0,
        name: 'server_tool_use',
        value: { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
        isCovered: true,
      },
      { type: 'extra', of: 'anthropic', choice: 0, name: 'web_search_tool_result', value: found, isCovered: true },
      {
        type: 'search',
        choice: 0,
        by: 'anthropic',
        name: 'server_tool_use',
        search: { id: 's', action: 'search', queries: ['q'], pages: [] },
        original: { of: 'anthropic', value: [asked, found] },
      },
      text('Born in 1916'),
      { type: 'citation', choice: 0, url: 'https://a.example', title: 'A', quote: '1916' },
      {
        type: 'extra',
        of: 'anthropic',
        choice: 0,
        name: 'citation',
        value: { type: 'char_location', cited_text: 'c', document_index: 0 },
      },
      { type: 'finish', choice: 0, reason: 'pause' },
    ])
  })

  it.each([
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool-calls'],
    ['refusal', 'filter'],
    ['toString', 'toString'],
  ])('ends with %s as %s (docs/reference/conversion.md#stop-reasons)', (word, reason) => {
    expect(anthropic.decodeAnswer({ stop_reason: word }).at(-1)).toEqual({ type: 'finish', choice: 0, reason })
  })

  it('reports an error, and never throws', () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' }
    expect(anthropic.decodeAnswer({ type: 'error', error })).toEqual([{ type: 'error', error }])
    for (const nothing of [null, 7, 'x', [], {}, { content: [null, 7, {}, { type: 'tool_use' }, { type: 'text' }] }])
      expect(() => anthropic.decodeAnswer(nothing)).not.toThrow()
  })
})

describe('the usage of an answer (docs/reference/conversion.md#usage)', () => {
  const read = (wire: object) => {
    const event = anthropic.decodeAnswer({ usage: wire }).find((one) => one.type === 'usage')
    return event?.type === 'usage' ? event.usage : undefined
  }

  it('separates cache tokens from the input', () => {
    expect(
      read({
        input_tokens: 100,
        cache_read_input_tokens: 1000,
        cache_creation_input_tokens: 200,
        cache_creation: { ephemeral_5m_input_tokens: 150, ephemeral_1h_input_tokens: 50 },
        output_tokens: 50,
        output_tokens_details: { thinking_tokens: 20 },
        server_tool_use: { web_search_requests: 2 },
      }),
    ).toEqual(
      usageOf({
        prompt: 100,
        completion: 50,
        cacheRead: 1000,
        cacheWrite: 200,
        cacheWriteHour: 50,
        reasoning: 20,
        webSearches: 2,
        semantics: 'anthropic',
      }),
    )
  })

  it('believes only whole figures within bounds', () => {
    expect(read({ input_tokens: 1, output_tokens: -1 })).toBeUndefined()
    expect(read({ input_tokens: '1', output_tokens: 1 })).toBeUndefined()
    expect(read({ input_tokens: 0, output_tokens: 0 })).toBeUndefined()
    expect(read({ input_tokens: 3, output_tokens: 2, cache_read_input_tokens: 1e12 })?.cacheRead).toBe(0)
    const odd = { cache_creation_input_tokens: 5, cache_creation: { ephemeral_1h_input_tokens: 9 } }
    expect(read({ input_tokens: 3, output_tokens: 2, ...odd })?.cacheWriteHour).toBe(5)
  })

  it('is written without the cached part of a prompt that includes it', () => {
    const used = usageOf({ prompt: 100, completion: 7, cacheRead: 60, cacheWrite: 10, reasoning: 3, webSearches: 1 })
    expect(written([], used).usage).toEqual({
      input_tokens: 30,
      cache_creation_input_tokens: 10,
      cache_read_input_tokens: 60,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 0 },
      output_tokens: 7,
      output_tokens_details: { thinking_tokens: 3 },
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
    })
  })
})

describe('an answer for Anthropic’s clients, written', () => {
  it('is a message with blocks in their order', () => {
    const events: AnswerEvent[] = [
      { type: 'start', id: 'chatcmpl-1', model: 'gpt-5' },
      thought('Hm'),
      thought('.'),
      text('Hel'),
      text('lo'),
      { type: 'tool', choice: 0, call: 0, id: 'call_1', name: 'f', json: '{"x":' },
      { type: 'tool', choice: 0, call: 0, json: '1}' },
      { type: 'tool', choice: 0, call: 1, id: 'call_2', name: 'g' },
      { type: 'text', choice: 1, text: 'another choice' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ]
    expect(written(events)).toEqual({
      id: 'msg_abc',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: '' },
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', id: 'call_1', name: 'f', input: { x: 1 } },
        { type: 'tool_use', id: 'call_2', name: 'g', input: {} },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 5,
      },
    })
  })

  it('preserves arguments that are not an object rather than losing them', () => {
    const events: AnswerEvent[] = [{ type: 'tool', choice: 0, call: 0, id: 'a', name: 'f', json: '{"x":' }]
    expect(written(events).content).toEqual([
      { type: 'tool_use', id: 'a', name: 'f', input: { INVALID_JSON: '{"x":' } },
    ])
    const custom: AnswerEvent[] = [
      { type: 'tool', choice: 0, call: 0, id: 'a', name: 'f', custom: true },
      { type: 'tool', choice: 0, call: 0, json: 'print("' },
      { type: 'tool', choice: 0, call: 0, json: '1")' },
    ]
    expect(written(custom).content).toEqual([{ type: 'tool_use', id: 'a', name: 'f', input: { input: 'print("1")' } }])
  })

  it('begins a block for text after a citation, and converts pictures to Markdown', () => {
    const events: AnswerEvent[] = [
      text('A'),
      { type: 'citation', choice: 0, url: 'https://a.example', title: 'T', quote: 'q' },
      text('B'),
      { type: 'media', choice: 0, mime: 'image/png', data: 'AAAA' },
    ]
    expect(written(events).content).toEqual([
      {
        type: 'text',
        text: 'A',
        citations: [
          {
            type: 'web_search_result_location',
            url: 'https://a.example',
            title: 'T',
            cited_text: 'q',
            encrypted_index: 'switchyard:index',
          },
        ],
      },
      { type: 'text', text: 'B![image](data:image/png;base64,AAAA)' },
    ])
  })

  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['filter', 'refusal'],
    ['eaten', 'eaten'],
  ])('ends %s as %s (docs/reference/conversion.md#stop-reasons)', (reason, word) => {
    expect(written([{ type: 'finish', choice: 0, reason }]).stop_reason).toBe(word)
  })

  it('gives other vendors’ seals to the client, which brings them back', () => {
    const events: AnswerEvent[] = [
      { ...thought('Deep'), signature: { by: 'responses', value: 'enc:rypted', id: 'rs_1' } } as AnswerEvent,
      { ...thought(''), signature: { by: 'responses', value: 'e2', id: 'rs_2' }, redacted: true } as AnswerEvent,
      { type: 'tool', choice: 0, call: 0, id: 'c:1', name: 'f', json: '{}', signature: { by: 'gemini', value: 't' } },
    ]
    const { content } = written(events)
    const request = { messages: [{ role: 'assistant', content }] }
    const [turn] = anthropic.decodeRequest(request, 'm', false).turns
    expect(turn?.parts).toEqual([
      { type: 'reasoning', text: 'Deep', signature: { by: 'responses', value: 'enc:rypted', id: 'rs_1' } },
      { type: 'reasoning', text: '', signature: { by: 'responses', value: 'e2', id: 'rs_2' }, redacted: true },
      { type: 'tool-call', id: 'c:1', name: 'f', arguments: '{}', signature: { by: 'gemini', value: 't' } },
    ])
  })
})
