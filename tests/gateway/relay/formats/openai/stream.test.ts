import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import { restoring } from '../../../../../gateway/relay/formats/client-calls.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { ownCallId } from '../../../../../gateway/relay/formats/openai/call-id.ts'
import { openai as plain } from '../../../../../gateway/relay/formats/openai/codec.ts'
import { takingText } from '../client-tools.ts'
import { frame, payloadsOf, streamed } from './frames.ts'

const openai = restoring(plain)

const chunk = (delta: object, finish_reason: string | null = null, index = 0) => ({
  id: 'chatcmpl-abc',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'gpt-4o',
  choices: [{ index, delta, finish_reason }],
})
const usage = usageOf({ prompt: 9, completion: 2 })
const calls = (...tool_calls: object[]) => chunk({ tool_calls })

function write(events: readonly AnswerEvent[], more = {}) {
  const encoder = openai.encodeStream(frame(more))
  return payloadsOf(events.map((event) => encoder.add(event)).join('') + encoder.end(usage))
}

const textsOf = (payloads: readonly unknown[]): readonly string[] =>
  payloads.map((payload) => (typeof payload === 'string' ? payload : JSON.stringify(payload)))

describe('reading a stream', () => {
  it('gives the events of the documented one, its usage and its end', () => {
    const payloads = [
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Hello' }),
      chunk({}, 'stop'),
      { ...chunk({}), choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } },
      '[DONE]',
    ]
    expect(streamed(payloads)).toEqual([
      { type: 'start', id: 'chatcmpl-abc', model: 'gpt-4o' },
      { type: 'text', choice: 0, text: 'Hello' },
      { type: 'finish', choice: 0, reason: 'stop' },
      { type: 'usage', usage },
      { type: 'done' },
    ])
  })

  it('preserves the last arguments that come with the finish reason', () => {
    const payloads = [
      calls({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }, 'tool_calls'),
    ]
    expect(streamed(payloads).slice(1)).toEqual([
      { type: 'tool', choice: 0, call: 0, id: 'a', name: 'f' },
      { type: 'tool', choice: 0, call: 0, json: '{}' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ])
  })

  const f = (more: object, name?: string, text?: string) => ({ ...more, function: { name, arguments: text } })
  it.each([
    [
      'interleaved',
      [
        f({ index: 0, id: 'a' }, 'f', ''),
        f({ index: 1, id: 'b' }, 'g', ''),
        f({ index: 1 }, undefined, '{}'),
        f({ index: 0 }, undefined, '[]'),
      ],
    ],
    ['counted from 1', [f({ index: 1, id: 'a' }, 'f', '[]'), f({ index: 2, id: 'b' }, 'g', '{}')]],
    ['all of index 0', [f({ index: 0, id: 'a' }, 'f', '[]'), f({ index: 0, id: 'b' }, 'g', '{}')]],
    [
      'without index',
      [f({ id: 'a' }, 'f', '['), f({}, undefined, ']'), f({ id: 'b' }, 'g', '{'), f({ id: 'b' }, undefined, '}')],
    ],
    [
      'with the name in every piece',
      [f({ index: 0, id: 'a' }, 'f', '['), f({ index: 0, id: 'a' }, 'f', ']'), f({ index: 1, id: 'b' }, 'g', '{}')],
    ],
    [
      'with the name after the id',
      [f({ index: 0, id: 'a' }), f({ index: 0 }, 'f', '[]'), f({ index: 1, id: 'b' }, 'g', '{}')],
    ],
  ])('puts calls together that come %s', (_, items) => {
    const tools = streamed(items.map((item) => calls(item))).filter((event) => event.type === 'tool')
    const told = [0, 1].map((call) => tools.filter((event) => event.call === call))
    expect(told.map((events) => events.map((event) => event.json ?? '').join(''))).toEqual(['[]', '{}'])
    expect(told.map(([first]) => [first?.id, first?.name])).toEqual([
      ['a', 'f'],
      ['b', 'g'],
    ])
  })

  it('begins another call of the same function where the one before is whole', () => {
    const call = f({ index: 0, id: '' }, 'f', '{"a":1}')
    expect(streamed([calls(call), calls(call)]).slice(1)).toEqual([
      { type: 'tool', choice: 0, call: 0, id: ownCallId('chatcmpl-abc', 0, 0), name: 'f', json: '{"a":1}' },
      { type: 'tool', choice: 0, call: 1, id: ownCallId('chatcmpl-abc', 0, 1), name: 'f', json: '{"a":1}' },
    ])
  })

  it('reports errors inside the stream, and ignores data that is not an event', () => {
    const error = { message: 'overloaded', code: 502 }
    expect(streamed(['5', '{"object":"ping"}', { error }])).toEqual([{ type: 'error', error }])
    expect(streamed(['x'])).toMatchObject([{ type: 'error', isUnreadable: true }])
    expect(streamed([{ choices: [{ index: 0, delta: {}, finish_reason: 'error', error }] }])).toContainEqual({
      type: 'error',
      error,
    })
  })

  it('reads the usage that Groq and Moonshot put elsewhere, and the stop text that vLLM reports', () => {
    const wire = { prompt_tokens: 9, completion_tokens: 2 }
    expect(streamed([{ ...chunk({}), x_groq: { usage: wire } }])).toContainEqual({ type: 'usage', usage })
    const choice = { index: 0, delta: {}, finish_reason: 'stop', stop_reason: 'END', usage: wire }
    const events = streamed([{ choices: [choice] }])
    expect(events).toContainEqual({ type: 'usage', usage })
    expect(events).toContainEqual({ type: 'finish', choice: 0, reason: 'stop-sequence', stopSequence: 'END' })
  })

  it('reads speech piece by piece', () => {
    const audio = (more: object) => chunk({ audio: { id: 'audio_1', ...more } })
    expect(streamed([audio({ transcript: 'Hi' }), audio({ data: 'AAAA' }), audio({ expires_at: 5 })]).slice(1)).toEqual(
      [
        { type: 'media', choice: 0, mime: 'audio/pcm', data: '', id: 'audio_1', transcript: 'Hi' },
        { type: 'media', choice: 0, mime: 'audio/pcm', data: 'AAAA', id: 'audio_1' },
      ],
    )
  })
})

describe('writing a stream', () => {
  const tool = (more: object): AnswerEvent => ({ type: 'tool', choice: 0, call: 0, ...more })

  it('begins with the role, ends with the reason and the mark', () => {
    const events: AnswerEvent[] = [
      { type: 'start', id: 'msg_1' },
      { type: 'text', choice: 0, text: 'He"llo' },
      { type: 'finish', choice: 0, reason: 'stop-sequence' },
      { type: 'finish', choice: 0, reason: 'stop' },
    ]
    expect(write(events)).toEqual([
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'He"llo' }),
      chunk({}, 'stop'),
      '[DONE]',
    ])
  })

  it('sends the usage before the end mark where the client requested it', () => {
    const payloads = write([{ type: 'text', choice: 0, text: 'a' }], { wantsUsage: true })
    expect(payloads.slice(0, -2)).toEqual([
      { ...chunk({ role: 'assistant', content: '' }), usage: null },
      { ...chunk({ content: 'a' }), usage: null },
      { ...chunk({}, 'stop'), usage: null },
    ])
    expect(payloads.at(-2)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
    })
    expect(payloads.at(-1)).toBe('[DONE]')
  })

  it('closes parts that the upstream left open', () => {
    expect(write([])).toEqual([chunk({ role: 'assistant', content: '' }), chunk({}, 'stop'), '[DONE]'])
    expect(write([tool({ id: 'a', name: 'f' })])).toEqual([
      chunk({ role: 'assistant', content: '' }),
      calls({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      calls({ index: 0, function: { arguments: '{}' } }),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ])
  })

  it('counts calls in order, parallel ones by their own index', () => {
    const other = (more: object): AnswerEvent => ({ type: 'tool', choice: 0, call: 1, ...more })
    const events = [
      tool({ id: 'a', name: 'f' }),
      other({ id: 'b', name: 'g' }),
      other({ json: '{}' }),
      tool({ json: '[]' }),
    ]
    expect(write(events).slice(1, -2)).toEqual([
      calls({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      calls({ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '' } }),
      calls({ index: 1, function: { arguments: '{}' } }),
      calls({ index: 0, function: { arguments: '[]' } }),
    ])
  })

  it('delays the call of a custom tool until its text is complete', () => {
    const pieces = [
      tool({ id: 'a', name: 'run', json: '{"inp' }),
      tool({ json: 'ut":"ls"}' }),
      { type: 'finish', choice: 0, reason: 'tool-calls' } as const,
    ]
    expect(write(pieces, { clientTools: takingText('run') }).slice(1)).toEqual([
      calls({ index: 0, id: 'a', type: 'custom', custom: { name: 'run', input: 'ls' } }),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ])
    const native = [tool({ id: 'a', name: 'run', custom: true }), tool({ json: 'l' }), tool({ json: 's' })]
    expect(write(native, { clientTools: takingText('run') }).slice(1, -2)).toEqual([
      calls({ index: 0, id: 'a', type: 'custom', custom: { name: 'run', input: '' } }),
      calls({ index: 0, custom: { input: 'l' } }),
      calls({ index: 0, custom: { input: 's' } }),
    ])
  })

  it('preserves the signature of such a call, in whichever piece it comes', () => {
    const signature = { by: 'gemini', value: 's' }
    const signaturesOf = (...pieces: AnswerEvent[]) =>
      textsOf(write(pieces, { clientTools: takingText('run') })).filter((text) => text.includes('thought_signature'))
    const first = signaturesOf(tool({ id: 'a', name: 'run', json: '{"input":', signature }), tool({ json: '"ls"}' }))
    const last = signaturesOf(tool({ id: 'a', name: 'run', json: '{"input":' }), tool({ json: '"ls"}', signature }))
    expect(first).toHaveLength(1)
    expect(last).toEqual(first)
  })

  it('streams the one call that a client of the deprecated functions can read', () => {
    const other: AnswerEvent = { type: 'tool', choice: 0, call: 1, id: 'b', name: 'g', json: '{}' }
    const events = [tool({ id: 'a', name: 'f' }), tool({ json: '[]' }), other]
    expect(write(events, { request: { functions: [] } }).slice(1)).toEqual([
      chunk({ function_call: { name: 'f', arguments: '' } }),
      chunk({ function_call: { arguments: '[]' } }),
      chunk({}, 'function_call'),
      '[DONE]',
    ])
  })

  it('seals a thought at its end, with all of its text', () => {
    const thought = (text: string, more = {}): AnswerEvent => ({ type: 'reasoning', choice: 0, text, ...more })
    const signature = { by: 'gemini', value: 's' }
    const events = [thought('Let '), thought('me'), thought('', { signature })]
    expect(write(events).slice(1, -2)).toEqual([
      chunk({ reasoning_content: 'Let ' }),
      chunk({ reasoning_content: 'me' }),
      chunk({
        reasoning_details: [{ type: 'reasoning.text', text: 'Let me', signature: 'switchyard:gemini::s', index: 0 }],
      }),
    ])
    expect(streamed(textsOf(write(events))).filter((event) => event.type === 'reasoning')).toEqual(events)
  })

  it('writes nothing for events that the relay writes itself', () => {
    const encoder = openai.encodeStream(frame())
    expect([
      encoder.add({ type: 'error', error: {} }),
      encoder.add({ type: 'usage', usage }),
      encoder.add({ type: 'done' }),
    ]).toEqual(['', '', ''])
  })
})
