import { describe, expect, it } from 'vitest'
import type { RequestTarget } from '../../../../../gateway/relay/formats/codec.ts'
import type { Conversation, Part, Turn } from '../../../../../gateway/relay/formats/conversation.ts'
import { openai } from '../../../../../gateway/relay/formats/openai/codec.ts'
import { vendor } from './frames.ts'

const image: Part = { type: 'media', kind: 'image', source: { type: 'data', mime: 'image/png', data: 'AA==' } }
const shown = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }

/** A conversation of an Anthropic client, encoded for an upstream of this dialect. */
function written(more: Partial<Conversation>, at: Partial<RequestTarget> = {}) {
  const { target, dropped } = vendor(at)
  const conversation: Conversation = {
    model: 'm',
    stream: false,
    turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    tools: [],
    shared: {},
    extras: { from: 'anthropic', fields: {} },
    ...more,
  }
  return { wire: openai.encodeRequest(conversation, target), dropped }
}
const messages = (turns: readonly Turn[], at: Partial<RequestTarget> = {}) => written({ turns }, at).wire.messages
const parts = (given: readonly Part[], role: Turn['role'] = 'user', at: Partial<RequestTarget> = {}) =>
  messages([{ role, parts: given }], at)
const result = (callId: string, ...content: Part[]): Part => ({ type: 'tool-result', callId, content }) as Part // results contain only text and media

describe('writing a Chat Completions request', () => {
  it('joins the texts of the instructions, and knows the developer only at OpenAI', () => {
    const told: Part[] = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]
    expect(parts(told, 'developer')).toEqual([{ role: 'system', content: 'a\nb' }])
    expect(parts(told, 'developer', { strictOpenai: true })).toEqual([{ role: 'developer', content: 'a\nb' }])
  })

  it('puts the results of tools first, and their pictures into the next message of the user', () => {
    const turns: Turn[] = [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'See?' },
          result('a', { type: 'text', text: 'x' }, image, { type: 'text', text: 'y' }),
        ],
      },
    ]
    expect(messages(turns)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'x\ny' },
      { role: 'user', content: [shown, { type: 'text', text: 'See?' }] },
    ])
  })

  it('sends pictures of several results after all results', () => {
    const turns: Turn[] = [
      { role: 'user', parts: [result('a', image)] },
      { role: 'user', parts: [result('b', { type: 'text', text: 'y' })] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Ok' }] },
    ]
    expect(messages(turns)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '' },
      { role: 'tool', tool_call_id: 'b', content: 'y' },
      { role: 'user', content: [shown] },
      { role: 'assistant', content: 'Ok' },
    ])
  })

  it('puts text, thoughts and calls of one turn together', () => {
    const said: Part[] = [
      { type: 'reasoning', text: 'Hm. ', signature: { by: 'anthropic', value: 's' } },
      { type: 'reasoning', text: '', redacted: true, signature: { by: 'anthropic', value: 'r' } },
      { type: 'reasoning', text: 'Yes.' },
      { type: 'text', text: 'I ' },
      { type: 'text', text: 'look.' },
      { type: 'tool-call', id: 'a', name: 'look', arguments: '' },
    ]
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'look', arguments: '' } }]
    expect(parts(said, 'assistant')).toEqual([
      { role: 'assistant', reasoning_content: 'Hm. Yes.', content: 'I look.', tool_calls },
    ])
    expect(parts(said, 'assistant', { strictOpenai: true })).toEqual([
      { role: 'assistant', content: 'I look.', tool_calls },
    ])
    const reasoning_details = [
      { type: 'reasoning.text', text: 'Hm. ', signature: 's', index: 0, format: 'anthropic-claude-v1' },
      { type: 'reasoning.encrypted', data: 'r', index: 1, format: 'anthropic-claude-v1' },
      { type: 'reasoning.text', text: 'Yes.', index: 2 },
    ]
    expect(parts(said, 'assistant', { cacheMarks: true })).toEqual([
      { role: 'assistant', reasoning_details, content: 'I look.', tool_calls },
    ])
  })

  it('shortens ids that OpenAI does not accept, both in the call and in its result', () => {
    const long = 'x'.repeat(41)
    const turns: Turn[] = [
      { role: 'assistant', parts: [{ type: 'tool-call', id: long, name: 'f', arguments: '{}' }] },
      { role: 'user', parts: [result(long, { type: 'text', text: 'y' })] },
    ]
    const [call, answer] = messages(turns, { strictOpenai: true }) as {
      tool_calls?: { id: string }[]
      tool_call_id?: string
    }[] // as the codec writes them
    expect(call?.tool_calls?.[0]?.id).toMatch(/^call_.{24}$/)
    expect(answer?.tool_call_id).toBe(call?.tool_calls?.[0]?.id)
    expect(messages(turns)).toMatchObject([{ tool_calls: [{ id: long }] }, { tool_call_id: long }])
  })

  it('makes functions of custom tools where those are not known', () => {
    const tools = [{ type: 'custom', name: 'run', description: 'Runs' }] as const
    const turns: Turn[] = [
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 'run', arguments: 'ls "a"', custom: true }] },
    ]
    const { wire } = written({ tools, turns, toolChoice: { mode: 'required', names: ['run'] } })
    const parameters = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
    expect(wire.tools).toEqual([{ type: 'function', function: { name: 'run', description: 'Runs', parameters } }])
    expect(wire.tool_choice).toEqual({ type: 'function', function: { name: 'run' } })
    expect(wire.messages).toMatchObject([
      { tool_calls: [{ function: { name: 'run', arguments: '{"input":"ls \\"a\\""}' } }] },
    ])
  })

  it('offers vendors without allowed tools only those, and omits tools where none are left', () => {
    const tools = [
      { type: 'function', name: 'a' },
      { type: 'function', name: 'b' },
      { type: 'function', name: 'c' },
    ] as const
    const { wire } = written({ tools, toolChoice: { mode: 'required', names: ['a', 'c'] } })
    expect(wire.tools).toMatchObject([{ function: { name: 'a' } }, { function: { name: 'c' } }])
    expect(wire.tool_choice).toBe('required')
    expect(written({ toolChoice: { mode: 'auto' }, parallelToolCalls: true }).wire).toEqual({
      model: 'a-model',
      messages: [{ role: 'user', content: 'Hi' }],
    })
  })

  it('reports fields without an equivalent', () => {
    const { dropped } = written(
      {
        turns: [
          { role: 'user', parts: [{ type: 'text', text: 'Hi', cache: {} }] },
          { role: 'user', parts: [{ type: 'tool-result', callId: 'a', content: [], isError: true }] },
          { role: 'user', parts: [{ type: 'extra', of: 'anthropic', name: 'search_result', value: {} }] },
        ],
        tools: [
          { type: 'hosted', kind: 'code-execution' },
          { type: 'hosted', kind: 'web-search', maxUses: 5 },
          { type: 'extra', of: 'anthropic', name: 'bash_20250124', value: {} },
        ],
        topK: 0,
        reasoning: { mode: 'on', budget: 2000 },
        extras: { from: 'anthropic', fields: { mcp_servers: [] } },
      },
      { strictOpenai: true, model: 'gpt-4o-search-preview' },
    )
    expect([...new Set(dropped)].sort()).toEqual([
      'cache',
      'content.search_result',
      'isError',
      'mcp_servers',
      'reasoning',
      'search.maxUses',
      'tools.bash_20250124',
      'tools.code-execution',
      'topK',
    ])
  })

  it.each([
    ['file', { type: 'media', kind: 'image', source: { type: 'file', id: 'f', of: 'anthropic' } }],
    ['file', { type: 'media', kind: 'document', source: { type: 'file', id: 'f', of: 'gemini' } }],
    ['video', { type: 'media', kind: 'video', source: { type: 'data', mime: 'video/mp4', data: 'AA==' } }],
  ] as const)('refuses a %s it cannot send', (param, part) => {
    expect(() => parts([part], 'user', { strictOpenai: true })).toThrow(expect.objectContaining({ param }))
  })

  it('writes a text document as text and names a file that has no name', () => {
    const text: Part = { type: 'media', kind: 'document', source: { type: 'text', text: 'Once' }, name: 'Tale' }
    const pdf: Part = {
      type: 'media',
      kind: 'document',
      source: { type: 'data', mime: 'application/pdf', data: 'AA==' },
    }
    expect(parts([text, pdf])).toMatchObject([
      { content: [{ type: 'text', text: 'Tale\n\nOnce' }, { file: { filename: 'document.pdf' } }] },
    ])
  })

  it('searches the web with models that can', () => {
    const tools = [{ type: 'hosted', kind: 'web-search', contextSize: 'high', location: { city: 'Bern' } }] as const
    expect(written({ tools }, { model: 'gpt-5-search-api' }).wire.web_search_options).toEqual({
      search_context_size: 'high',
      user_location: { type: 'approximate', approximate: { city: 'Bern' } },
    })
    const { wire, dropped } = written({ tools }, { model: 'gpt-5' })
    expect([wire.web_search_options, dropped]).toEqual([undefined, ['tools.web-search']])
  })

  it('has the grammar of a custom tool a level deeper than the conversation', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
    const { wire } = written({ tools: [{ type: 'custom', name: 'run', format }] }, { strictOpenai: true })
    const grammar = { syntax: 'lark', definition: 'start: "a"' }
    expect(wire.tools).toEqual([{ type: 'custom', custom: { name: 'run', format: { type: 'grammar', grammar } } }])
  })

  it('requests the usage of a stream where the upstream supports that', () => {
    expect(written({ stream: true }).wire).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(written({ stream: true }, { streamOptions: false }).wire).not.toHaveProperty('stream_options')
  })

  it.each([
    ['gpt-5', { mode: 'on', budget: 1024 }, { reasoning_effort: 'low' }],
    ['gpt-5', { budget: 8000 }, { reasoning_effort: 'medium' }],
    ['o3', { effort: 'max' }, { reasoning_effort: 'high' }],
    ['gpt-5.2', { effort: 'max' }, { reasoning_effort: 'xhigh' }],
    ['gpt-5', { mode: 'off' }, { reasoning_effort: 'minimal' }],
    ['gpt-5.1', { mode: 'off' }, { reasoning_effort: 'none' }],
    ['openai/gpt-oss-120b', { effort: 'minimal' }, { reasoning_effort: 'low' }],
    ['gpt-5', { mode: 'adaptive' }, {}],
    ['gpt-5', { budget: -1 }, {}],
    ['gpt-4o', { mode: 'off' }, {}],
    ['glm-4.6', { mode: 'on', budget: 2000 }, { thinking: { type: 'enabled' } }],
  ] as const)('sets for %s the thinking parameters: %o', (model, reasoning, expected) => {
    const { wire } = written({ reasoning }, { model })
    const { model: _, messages: __, ...rest } = wire
    expect(rest).toEqual(expected)
  })

  it('sends OpenRouter a budget', () => {
    const at = { cacheMarks: true }
    expect(written({ reasoning: { mode: 'on', budget: 2000 } }, at).wire.reasoning).toEqual({ max_tokens: 2000 })
    expect(written({ reasoning: { mode: 'adaptive' } }, at).wire.reasoning).toEqual({ enabled: true })
    expect(written({ reasoning: { effort: 'max' } }, at).wire.reasoning).toEqual({ effort: 'xhigh' })
    expect(written({ reasoning: { mode: 'off' } }, at).wire.reasoning).toEqual({ enabled: false })
  })
})
