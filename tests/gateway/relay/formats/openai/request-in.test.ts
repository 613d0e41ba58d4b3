import { describe, expect, it } from 'vitest'
import type { Conversation } from '../../../../../gateway/relay/formats/conversation.ts'
import { openai } from '../../../../../gateway/relay/formats/openai/codec.ts'

const read = (more: Record<string, unknown>): Conversation =>
  openai.decodeRequest({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...more }, 'm', false)
const parts = (content: unknown, role = 'user') => read({ messages: [{ role, content }] }).turns[0]?.parts

describe('reading a Chat Completions request', () => {
  it('takes null for not given, and 0, false and empty for given', () => {
    const conversation = read({ temperature: null, top_p: 0, stop: [], n: null, parallel_tool_calls: false, user: '' })
    expect(conversation).toMatchObject({ topP: 0, stop: [], parallelToolCalls: false, user: '' })
    expect([conversation.temperature, conversation.choices]).toEqual([undefined, undefined])
    expect(conversation.extras.fields).toEqual({})
  })

  it('takes the larger of the two limits of output', () => {
    expect(read({ max_tokens: 5, max_completion_tokens: 7 }).maxOutput).toBe(7)
    expect(read({ max_tokens: 0 }).maxOutput).toBe(0)
  })

  it('preserves unknown fields for its own dialect, except those that concern the call', () => {
    const { fields } = read({
      stream: false,
      stream_options: {},
      logit_bias: {},
      reasoning_effort: 'wild',
      min_p: 0,
    }).extras
    expect(fields).toEqual({ logit_bias: {}, reasoning_effort: 'wild', min_p: 0 })
  })

  it('knows the tool behind a result, and gives images, sound and files their kind', () => {
    const conversation = read({
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'run', input: 'ls' } }] },
        { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'a' }] },
      ],
    })
    expect(conversation.turns).toEqual([
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 'run', arguments: 'ls', custom: true }] },
      {
        role: 'user',
        parts: [
          { type: 'tool-result', callId: 'c', name: 'run', content: [{ type: 'text', text: 'a' }], custom: true },
        ],
      },
    ])
    expect(parts([{ type: 'input_audio', input_audio: { data: 'x', format: 'mp3' } }])).toEqual([
      { type: 'media', kind: 'audio', source: { type: 'data', mime: 'audio/mp3', data: 'x' } },
    ])
    expect(parts([{ type: 'image_url', image_url: 'data:image/svg+xml,%3Csvg%2F%3E' }])).toEqual([
      { type: 'media', kind: 'image', source: { type: 'data', mime: 'image/svg+xml', data: 'PHN2Zy8+' } },
    ])
  })

  it('reads the deprecated functions as tools', () => {
    const conversation = read({
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{}' } },
        { role: 'function', name: 'weather', content: 'rain' },
      ],
      functions: [{ name: 'weather', parameters: { type: 'object' } }],
      function_call: { name: 'weather' },
    })
    expect(conversation.tools).toEqual([{ type: 'function', name: 'weather', parameters: { type: 'object' } }])
    expect(conversation.toolChoice).toEqual({ mode: 'required', names: ['weather'] })
    const [, call, result] = conversation.turns
    expect(call?.parts).toEqual([{ type: 'tool-call', id: 'call_1', name: 'weather', arguments: '{}' }])
    expect(result?.parts).toMatchObject([{ type: 'tool-result', callId: 'call_1', name: 'weather' }])
  })

  it('puts the pieces of streamed thoughts together again, and opens foreign seals', () => {
    const details = [
      { type: 'reasoning.text', text: 'Let ', index: 0 },
      { type: 'reasoning.text', text: 'me', index: 0 },
      { type: 'reasoning.text', signature: 'switchyard:anthropic::s:1', index: 0 },
      { type: 'reasoning.encrypted', data: 'switchyard:responses:rs_1:xx', index: 1 },
    ]
    const { turns } = read({
      messages: [{ role: 'assistant', content: 'Ok', reasoning_content: 'Let me', reasoning_details: details }],
    })
    expect(turns[0]?.parts).toEqual([
      { type: 'reasoning', text: 'Let me', signature: { by: 'anthropic', value: 's:1' } },
      { type: 'reasoning', text: '', redacted: true, signature: { by: 'responses', value: 'xx', id: 'rs_1' } },
      { type: 'text', text: 'Ok' },
    ])
  })

  it('removes the pictures from earlier messages of the model', () => {
    expect(parts('![image](data:image/png;base64,AA==)', 'assistant')).toEqual([
      { type: 'media', kind: 'image', source: { type: 'data', mime: 'image/png', data: 'AA==' } },
    ])
    const broken = '![x ](data:image/png;base64,AA== and [y](data:image/png;base64,AA==)'
    expect(parts(broken, 'assistant')).toEqual([{ type: 'text', text: broken }])
  })

  it('understands the thinking parameters of OpenRouter and others', () => {
    expect(read({ reasoning: { effort: 'high', exclude: true } }).reasoning).toMatchObject({
      effort: 'high',
      show: false,
    })
    expect(read({ reasoning: { max_tokens: 2000 } }).reasoning).toMatchObject({ budget: 2000 })
    expect(read({ thinking: { type: 'enabled', budget_tokens: 0 } }).reasoning).toMatchObject({ mode: 'on', budget: 0 })
    expect(read({ thinking: { type: 'enabled', clear_thinking: false } }).extras.fields).toHaveProperty('thinking')
  })

  it.each([
    ['messages', { messages: 'Hi' }],
    ['messages', { messages: ['Hi'] }],
    ['messages.role', { messages: [{ role: 'robot', content: 'Hi' }] }],
    ['messages.content', { messages: [{ role: 'user', content: 5 }] }],
    ['messages.content.image_url', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }],
    ['messages.content.file', { messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }] }],
    ['messages.tool_call_id', { messages: [{ role: 'tool', content: 'x' }] }],
    [
      'tool_calls.function.arguments',
      { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'a', arguments: 5 } }] }] },
    ],
    ['tools.function.name', { tools: [{ type: 'function', function: {} }] }],
    ['tool_choice', { tool_choice: 'always' }],
    ['temperature', { temperature: 'hot' }],
    ['stop', { stop: [1] }],
  ])('refuses a malformed request: %s', (param, more) => {
    expect(() => read(more)).toThrow(expect.objectContaining({ kind: 'invalid', param }))
  })
})
