import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import { restoring } from '../../../../../gateway/relay/formats/client-calls.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { ownCallId } from '../../../../../gateway/relay/formats/openai/call-id.ts'
import { openai as plain } from '../../../../../gateway/relay/formats/openai/codec.ts'
import { takingText } from '../client-tools.ts'
import { frame } from './frames.ts'

const openai = restoring(plain)

const read = (message: Record<string, unknown>, choice: Record<string, unknown> = {}) =>
  openai
    .decodeAnswer({ id: 'x', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop', ...choice }] })
    .filter((event) => event.type !== 'start' && event.type !== 'finish')
const write = (events: readonly AnswerEvent[], usage = usageOf({ prompt: 1 }), more = {}) =>
  openai.encodeAnswer(events, frame(more), usage)

/** From the vendor's reference, "The chat completion object". */
const documented = {
  id: 'chatcmpl-abc',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-4o',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello! How can I assist you today?', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: {
    prompt_tokens: 19,
    completion_tokens: 10,
    total_tokens: 29,
    prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 0 },
  },
}
const usage = usageOf({ prompt: 19, completion: 10, cacheRead: 4, reasoning: 3 })

describe('reading a complete answer', () => {
  it('gives the events of the documented one, and writes it again', () => {
    const events = openai.decodeAnswer(documented)
    expect(events).toEqual([
      { type: 'start', id: 'chatcmpl-abc', model: 'gpt-4o' },
      { type: 'text', choice: 0, text: 'Hello! How can I assist you today?' },
      { type: 'finish', choice: 0, reason: 'stop' },
      { type: 'usage', usage },
    ])
    expect(write(events, usage)).toEqual(documented)
  })

  it('distinguishes parallel calls, even those without id or index', () => {
    const call = (name: string, more = {}) => ({ type: 'function', function: { name, arguments: '{"a":1}' }, ...more })
    expect(read({ content: null, tool_calls: [call('a', { id: 'i' }), call('a', { index: 0 }), call('b')] })).toEqual([
      { type: 'tool', choice: 0, call: 0, id: 'i', name: 'a', json: '{"a":1}' },
      { type: 'tool', choice: 0, call: 1, id: ownCallId('x', 0, 1), name: 'a', json: '{"a":1}' },
      { type: 'tool', choice: 0, call: 2, id: ownCallId('x', 0, 2), name: 'b', json: '{"a":1}' },
    ])
  })

  it('reads thoughts under every name vendors have for them', () => {
    const thought = { type: 'reasoning', choice: 0, text: 'Hm' }
    expect(read({ reasoning_content: 'Hm' })).toEqual([thought])
    expect(read({ reasoning: 'Hm', content: null })).toEqual([thought])
    expect(read({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] })).toEqual([thought])
    const details = [
      { type: 'reasoning.text', text: 'Hm', signature: 's', index: 0 },
      { type: 'reasoning.encrypted', data: 'd', id: 'r', index: 1 },
    ]
    expect(read({ reasoning: 'Hm', reasoning_details: details })).toEqual([
      { ...thought, signature: { by: 'openai', value: 's' } },
      { type: 'reasoning', choice: 0, text: '', redacted: true, signature: { by: 'openai', value: 'd', id: 'r' } },
    ])
  })

  it('reads pictures, speech, citations and a refusal', () => {
    const citation = {
      type: 'url_citation',
      url_citation: { url: 'https://a.b', title: 'T', start_index: 0, end_index: 1 },
    }
    const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }]
    const audio = { id: 'audio_1', data: 'UklGRg==', expires_at: 1, transcript: 'Hi' }
    expect(read({ content: 'X', refusal: 'No', annotations: [citation], images, audio })).toEqual([
      { type: 'text', choice: 0, text: 'X' },
      { type: 'refusal', choice: 0, text: 'No' },
      { type: 'citation', choice: 0, url: 'https://a.b', title: 'T' },
      { type: 'media', choice: 0, mime: 'image/png', data: 'AA==' },
      { type: 'media', choice: 0, mime: 'audio/wav', data: 'UklGRg==', id: 'audio_1', transcript: 'Hi' },
    ])
  })

  it('reads an error, and throws at nothing', () => {
    expect(openai.decodeAnswer({ error: { message: 'no' } })).toEqual([{ type: 'error', error: { message: 'no' } }])
    const broken = [
      null,
      'x',
      [],
      {},
      { choices: {} },
      { choices: [null, { message: 5 }, { message: { tool_calls: [{}, 5] } }] },
    ]
    for (const wire of broken) expect(() => openai.decodeAnswer(wire)).not.toThrow()
    expect(openai.decodeAnswer({ choices: [{ index: 1e9, message: { content: 'a' } }] })).toContainEqual({
      type: 'text',
      choice: 0,
      text: 'a',
    })
  })
})

describe('writing a complete answer', () => {
  const message = (events: readonly AnswerEvent[], more = {}) => {
    const [choice] = write(events, usage, more).choices as { message: object; finish_reason: string }[] // as encodeAnswer writes them
    return { ...choice?.message, finish_reason: choice?.finish_reason }
  }
  const call = { type: 'tool', choice: 0, call: 0, id: 'c', name: 'run' } as const

  it('sets the arguments of calls and their finish reason; a truncated answer is marked', () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'run', arguments: '{"a": 1}' } }]
    const pieces: AnswerEvent[] = [
      call,
      { type: 'tool', choice: 0, call: 0, json: '{"a":' },
      { type: 'tool', choice: 0, call: 0, json: ' 1}' },
    ]
    const finished = (reason: string): AnswerEvent => ({ type: 'finish', choice: 0, reason })
    expect(message([...pieces, finished('stop')])).toMatchObject({
      content: null,
      tool_calls,
      finish_reason: 'tool_calls',
    })
    expect(message([...pieces, finished('length')])).toMatchObject({ finish_reason: 'length' })
    expect(message([finished('filter')])).toMatchObject({ content: '', finish_reason: 'content_filter' })
    expect(message([finished('pause')])).toMatchObject({ finish_reason: 'stop' })
    expect(message([finished('weird')])).toMatchObject({ finish_reason: 'weird' })
    expect(message([call])).toMatchObject({ tool_calls: [{ function: { arguments: '{}' } }] })
  })

  it('gives calls of custom tools back as free text', () => {
    const clientTools = takingText('run')
    const expected = { tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'run', input: 'ls "a"' } }] }
    expect(message([{ ...call, json: '{"input":"ls \\"a\\""}' }], { clientTools })).toMatchObject(expected)
    expect(message([{ ...call, json: 'ls "a"', custom: true }], { clientTools })).toMatchObject(expected)
    expect(message([{ ...call, json: 'ls "a"' }], { clientTools })).toMatchObject(expected)
  })

  it('carries foreign seals for the client to send back', () => {
    const thought = (text: string) => ({ type: 'reasoning', choice: 0, text }) as const
    const events: AnswerEvent[] = [
      thought('Let '),
      thought('me'),
      { ...thought(''), signature: { by: 'anthropic', value: 'sig' } },
      { ...thought(''), redacted: true, signature: { by: 'anthropic', value: 'red' } },
      thought(' so'),
      { ...call, signature: { by: 'gemini', value: 'g' } },
    ]
    expect(message(events)).toMatchObject({
      reasoning_content: 'Let me so',
      reasoning_details: [
        { type: 'reasoning.text', text: 'Let me', signature: 'switchyard:anthropic::sig', index: 0 },
        { type: 'reasoning.encrypted', data: 'switchyard:anthropic::red', index: 1 },
        { type: 'reasoning.text', text: ' so', index: 2 },
      ],
      tool_calls: [{ extra_content: { google: { thought_signature: 'g' } } }],
    })
  })

  it('writes pictures and code that ran into the text, and joins pieces of speech', () => {
    const events: AnswerEvent[] = [
      { type: 'text', choice: 0, text: 'See ' },
      { type: 'media', choice: 0, mime: 'image/png', data: 'AA==' },
      {
        type: 'extra',
        of: 'gemini',
        choice: 0,
        name: 'executableCode',
        value: { language: 'PYTHON', code: 'print(1)' },
      },
      { type: 'media', choice: 0, mime: 'audio/pcm', data: 'AA==', transcript: 'a' },
      { type: 'media', choice: 0, mime: 'audio/pcm', data: 'AQ==', transcript: 'b' },
    ]
    expect(message(events)).toMatchObject({
      content: 'See ![image](data:image/png;base64,AA==)\n```python\nprint(1)\n```\n',
      audio: { id: 'audio_abc', data: 'AAE=', transcript: 'ab' },
    })
  })

  it('answers a client of the deprecated functions with the one call it can read', () => {
    const request = { functions: [{ name: 'run' }] }
    expect(message([{ ...call, json: '{"a":1}' }], { request })).toEqual({
      role: 'assistant',
      content: null,
      refusal: null,
      function_call: { name: 'run', arguments: '{"a":1}' },
      finish_reason: 'function_call',
    })
  })

  it('puts raw samples into the WAV file a client requested', () => {
    const spoken: AnswerEvent = { type: 'media', choice: 0, mime: 'audio/L16;codec=pcm;rate=16000', data: 'AAEC' }
    const { audio } = message([spoken], { request: { audio: { voice: 'a', format: 'wav' } } }) as unknown as {
      audio: { data: string }
    } // as the codec writes it
    const file = Buffer.from(audio.data, 'base64')
    expect([file.toString('latin1', 0, 4), file.readUInt32LE(24), file.length]).toEqual(['RIFF', 16_000, 47])
  })

  it('puts citations after the text they follow', () => {
    const citation = { type: 'citation', choice: 0, url: 'u', title: 't' } as const
    const at = (start_index: number, end_index: number) => ({
      type: 'url_citation',
      url_citation: { start_index, end_index, url: 'u', title: 't' },
    })
    const text = (said: string): AnswerEvent => ({ type: 'text', choice: 0, text: said })
    expect(message([text('ab'), text('c'), citation, citation, text('de'), citation])).toMatchObject({
      annotations: [at(0, 3), at(0, 3), at(3, 5)],
    })
  })

  it('writes several choices in order, and one where nothing came', () => {
    const said = (choice: number): AnswerEvent => ({ type: 'text', choice, text: String(choice) })
    expect(write([said(1), said(0)]).choices).toMatchObject([{ index: 0 }, { index: 1, message: { content: '1' } }])
    expect(write([]).choices).toMatchObject([{ message: { content: '' }, finish_reason: 'stop' }])
  })
})
