import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../../../gateway/relay/formats/anthropic/codec.ts'
import type { Json } from '../../../../../gateway/relay/formats/codec.ts'

const read = (wire: Json) =>
  anthropic.decodeRequest({ messages: [{ role: 'user', content: 'Hi' }], ...wire }, 'claude', true)

describe('a request of Anthropic’s, read', () => {
  it('has model and stream of the call and its own fields unchanged', () => {
    expect(
      read({
        model: 'other',
        max_tokens: 0,
        temperature: 0,
        top_p: 0,
        top_k: 0,
        stop_sequences: [],
        stream: false,
        metadata: { user_id: '' },
        stream_options: {},
        service_tier: 'auto',
      }),
    ).toEqual({
      model: 'claude',
      stream: true,
      turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      tools: [],
      maxOutput: 0,
      temperature: 0,
      topP: 0,
      topK: 0,
      stop: [],
      user: '',
      shared: {},
      extras: { from: 'anthropic', fields: { service_tier: 'auto' } },
    })
  })

  it('gives others the usable content of a part, and the rest as its extras', () => {
    const [turn] = read({
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              title: 'T',
              source: {
                type: 'content',
                content: [
                  { type: 'text', text: 'a' },
                  { type: 'text', text: 'b' },
                ],
              },
              citations: { enabled: true },
            },
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [{ type: 'search_result', title: 'S', source: 'u', content: [{ type: 'text', text: 't' }] }],
            },
            { type: 'search_result', title: 'S', source: 'u', content: [] },
          ],
        },
      ],
    }).turns
    expect(turn?.parts.map((part) => (part.type === 'extra' ? part.name : part))).toEqual([
      { type: 'media', kind: 'document', source: { type: 'text', text: 'a\nb' }, name: 'T' },
      'document.source',
      'citations',
      {
        type: 'tool-result',
        callId: 'a',
        content: [
          {
            type: 'text',
            text: 'S\nu\nt',
            original: {
              of: 'anthropic',
              value: { type: 'search_result', title: 'S', source: 'u', content: [{ type: 'text', text: 't' }] },
            },
          },
        ],
      },
      {
        type: 'text',
        text: 'S\nu',
        original: { of: 'anthropic', value: { type: 'search_result', title: 'S', source: 'u', content: [] } },
      },
    ])
  })

  it('knows tools that others have too', () => {
    expect(
      read({
        tools: [
          {
            type: 'web_search_20250305',
            name: 'web_search',
            max_uses: 2,
            user_location: { type: 'approximate', city: 'X' },
          },
          { type: 'code_execution_20250522', name: 'code_execution' },
          { type: 'web_fetch_20250910', name: 'web_fetch' },
          { type: 'custom', name: 'f', input_schema: { type: 'object' } },
          { type: 'memory_20250818', name: 'memory' },
        ],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
      }),
    ).toMatchObject({
      tools: [
        { type: 'hosted', kind: 'web-search', maxUses: 2, location: { city: 'X' } },
        { type: 'hosted', kind: 'code-execution' },
        { type: 'extra', name: 'code_execution_20250522' },
        { type: 'hosted', kind: 'url-context' },
        { type: 'function', name: 'f', parameters: { type: 'object' } },
        { type: 'function', name: 'memory', original: { value: { type: 'memory_20250818' } } },
      ],
      toolChoice: { mode: 'required' },
      parallelToolCalls: false,
    })
  })

  it('knows thinking and effort', () => {
    const reasoning = (wire: Json) => read(wire).reasoning
    expect(reasoning({ thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' } })).toEqual({
      mode: 'on',
      budget: 2000,
      show: false,
    })
    expect(reasoning({ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } })).toEqual({
      mode: 'adaptive',
      effort: 'max',
    })
    expect(reasoning({ thinking: { type: 'disabled' } })).toEqual({ mode: 'off' })
    expect(reasoning({ thinking: null })).toBeUndefined()
  })

  it.each<[string, Json]>([
    ['messages', { messages: 'Hi' }],
    ['messages', { messages: [7] }],
    ['messages.role', { messages: [{ role: 'tool', content: '' }] }],
    ['messages.content', { messages: [{ role: 'user', content: 7 }] }],
    ['messages.content', { messages: [{ role: 'user', content: ['Hi'] }] }],
    ['messages.content.text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['messages.content.tool_use', { messages: [{ role: 'assistant', content: [{ type: 'tool_use' }] }] }],
    ['messages.content.tool_result', { messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] }],
    ['system', { system: 7 }],
    ['tools', { tools: {} }],
    ['tools.name', { tools: [{}] }],
    ['tool_choice', { tool_choice: { type: 'tool' } }],
    ['max_tokens', { max_tokens: '7' }],
    ['temperature', { temperature: true }],
    ['stop_sequences', { stop_sequences: 'END' }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled' } }],
  ])('is refused where %s cannot be understood', (field, wire) => {
    expect(() => read(wire)).toThrow(
      expect.objectContaining({ kind: 'invalid', key: 'relay.fieldInvalid', param: field }),
    )
  })
})
