import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../../../gateway/relay/formats/anthropic/codec.ts'
import type { Conversation, MediaPart, Part } from '../../../../../gateway/relay/formats/conversation.ts'
import { asked, said, targetOf } from './conversation.ts'

function written(changes: Partial<Conversation>, model = 'claude-sonnet-4-5') {
  const { target, dropped } = targetOf(model)
  const wire = anthropic.encodeRequest(asked(changes), target)
  return { wire, dropped: [...dropped].sort() }
}

const texts = (...of: readonly string[]) => of.map((text) => ({ type: 'text', text }))
const messagesOf = (...turns: Conversation['turns'][number][]) => written({ turns }).wire.messages
const call = (id: string, args: string): Part => ({ type: 'tool-call', id, name: 'f', arguments: args })
const result = (callId: string, text: string): Part => ({
  type: 'tool-result',
  callId,
  content: [{ type: 'text', text }],
})
const image = (source: MediaPart['source']): Part => ({ type: 'media', kind: 'image', source })
const png = image({ type: 'data', mime: 'image/png', data: 'AAAA' })

describe('messages for Anthropic (docs/reference/conversion.md#openai-to-anthropic)', () => {
  it('puts the instructions that a conversation begins with into one system prompt', () => {
    const turns = [said('system', 'One.'), said('developer', 'Two.'), said('user', 'Hi')]
    const { wire } = written({ turns })
    expect(wire.system).toEqual(texts('One.', 'Two.'))
    expect(wire.messages).toEqual([{ role: 'user', content: 'Hi' }])
  })

  it('leaves instructions between messages in their position', () => {
    const turns = [said('system', 'One.'), said('user', 'Hi'), said('developer', 'Two.'), said('user', 'There')]
    const { wire } = written({ turns })
    expect(wire.system).toBe('One.')
    expect(wire.messages).toEqual([{ role: 'user', content: texts('Hi', 'Two.', 'There') }])
  })

  it.each(['claude-opus-4-8', 'claude-opus-5-5', 'claude-sonnet-5-5-20261001', 'claude-fable-5-1'])(
    'puts instructions between messages before the next answer, for %s',
    (model) => {
      const turns = [
        ...[said('user', 'Hi'), said('developer', 'One.'), said('user', 'There'), said('assistant', 'Yes?')],
        ...[said('developer', 'Two.'), said('assistant', 'Well.'), said('developer', 'Three.')],
        ...[said('system', 'Four.'), said('user', 'Go')],
      ]
      expect(written({ turns }, model).wire.messages).toEqual([
        { role: 'user', content: texts('Hi', 'There') },
        { role: 'system', content: 'One.' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: 'Two.' },
        { role: 'assistant', content: 'Well.' },
        { role: 'user', content: 'Go' },
        { role: 'system', content: texts('Three.', 'Four.') },
      ])
    },
  )

  it.each(['claude-sonnet-5', 'claude-sonnet-5-20260805', 'claude-opus-4-7', 'kimi-k3'])(
    'lets the user give them to %s, which knows no others',
    (model) => {
      const turns = [said('user', 'Hi'), said('assistant', 'Yes?'), said('developer', 'One.'), said('user', 'Go')]
      expect(written({ turns }, model).wire.messages).toContainEqual({ role: 'user', content: texts('One.', 'Go') })
    },
  )

  it('preserves cache marks, and blocks with them', () => {
    const turns = [
      said('system', [
        { type: 'text', text: 'One.' },
        { type: 'text', text: 'Two.', cache: { ttl: '1h' } },
      ]),
      said('user', [{ type: 'text', text: 'Hi', cache: {} }]),
    ]
    const { wire } = written({ turns })
    expect(wire.system).toEqual([
      { type: 'text', text: 'One.' },
      { type: 'text', text: 'Two.', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ])
    expect(wire.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] },
    ])
  })

  it('begins with the user and inserts "..." where the text is empty', () => {
    expect(messagesOf(said('assistant', 'Hello'))).toEqual([
      { role: 'user', content: '...' },
      { role: 'assistant', content: 'Hello' },
    ])
    expect(messagesOf(said('user', ''))).toEqual([{ role: 'user', content: '...' }])
    expect(messagesOf()).toEqual([{ role: 'user', content: '...' }])
  })

  it('leaves out blank texts if there are others', () => {
    const content = [{ type: 'text' as const, text: ' \n' }, png]
    expect(messagesOf(said('user', content))).toEqual([
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
      },
    ])
  })

  it('puts the results of tools first, in one message', () => {
    const turns = [
      said('user', 'Q'),
      said('assistant', [call('a', '{"x":1}'), call('b', '')]),
      said('user', [{ type: 'text', text: 'See' }, result('a', '1')]),
      said('user', [result('b', '2')]),
    ]
    expect(messagesOf(...turns)).toEqual([
      { role: 'user', content: 'Q' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
          { type: 'tool_use', id: 'b', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: '1' },
          { type: 'tool_result', tool_use_id: 'b', content: '2' },
          { type: 'text', text: 'See' },
        ],
      },
    ])
  })

  it('gives ids the vendor takes, the same in call and result', () => {
    const turns = [said('assistant', [call('functions.f:0', '{}')]), said('user', [result('functions.f:0', '1')])]
    expect(JSON.stringify(messagesOf(...turns)).match(/functions\w+/g)).toEqual(['functions_f_0', 'functions_f_0'])
  })

  it('wraps arguments that are not an object as the vendor recommends, and uses an empty object for none', () => {
    for (const args of ['{"x":', '[1]', '"x"', 'null', '7'])
      expect(JSON.stringify(messagesOf(said('assistant', [call('a', args)])))).toContain(
        `"input":${JSON.stringify({ INVALID_JSON: args })}`,
      )
    for (const args of ['', ' '])
      expect(JSON.stringify(messagesOf(said('assistant', [call('a', args)])))).toContain('"input":{}')
  })

  it('wraps the free text of custom tools', () => {
    const turns = [said('assistant', [{ ...call('a', 'print(1)'), custom: true } as Part])]
    expect(JSON.stringify(messagesOf(...turns))).toContain('"input":{"input":"print(1)"}')
  })

  it('sends back only thoughts under its own seal', () => {
    const turns = [
      said('user', 'Q'),
      said('assistant', [
        { type: 'reasoning', text: 'mine', signature: { by: 'anthropic', value: 's1' } },
        { type: 'reasoning', text: 'foreign', signature: { by: 'gemini', value: 's2' } },
        { type: 'reasoning', text: 'unsealed' },
        { type: 'reasoning', text: '', redacted: true, signature: { by: 'anthropic', value: 's3' } },
        { type: 'text', text: 'A' },
      ]),
    ]
    expect(written({ turns }).wire.messages).toEqual([
      { role: 'user', content: 'Q' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'mine', signature: 's1' },
          { type: 'redacted_thinking', data: 's3' },
          { type: 'text', text: 'A' },
        ],
      },
    ])
  })

  it('accepts text files as text, refuses files without an equivalent', () => {
    const document = (mime: string): Part => ({
      type: 'media',
      kind: 'document',
      source: { type: 'data', mime, data: 'aGk=' },
      name: 'a.csv',
    })
    expect(messagesOf(said('user', [document('text/csv')]))).toEqual([
      {
        role: 'user',
        content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' }, title: 'a.csv' }],
      },
    ])
    const sound: Part = { type: 'media', kind: 'audio', source: { type: 'data', mime: 'audio/wav', data: '' } }
    const refused = (param: string) => expect.objectContaining({ key: 'relay.cannotConvert', param })
    expect(() => messagesOf(said('user', [sound]))).toThrow(refused('audio'))
    expect(() => messagesOf(said('user', [document('application/zip')]))).toThrow(refused('document'))
    const file = image({ type: 'file', id: 'f', of: 'openai' })
    expect(() => messagesOf(said('user', [file]))).toThrow(refused('file'))
  })

  it('reports content of turns without an equivalent', () => {
    const turns = [
      { ...said('user', [{ ...png, detail: 'high' } as Part]), name: 'Ann' },
      said('assistant', [png, { type: 'extra', of: 'openai', name: 'audio', value: {} }]),
    ]
    expect(written({ turns }).dropped).toEqual(['content.audio', 'detail', 'image', 'name'])
  })
})

describe('fields for Anthropic', () => {
  it('always has max_tokens: the client’s, else the operator’s for the model, else for all', () => {
    const limits = { 'claude-x': 4096, default: 5000 }
    const maxTokens = (model: string, changes: Partial<Conversation>, given: Record<string, number>) =>
      anthropic.encodeRequest(asked(changes), targetOf(model, given).target).max_tokens
    expect(maxTokens('claude-x', { maxOutput: 0 }, limits)).toBe(0)
    expect(maxTokens('claude-x', {}, limits)).toBe(4096)
    expect(maxTokens('claude-y', { model: 'claude-x' }, limits)).toBe(4096)
    expect(maxTokens('claude-y', {}, limits)).toBe(5000)
    expect(maxTokens('claude-y', {}, {})).toBe(8192)
  })

  it('clamps the temperature and sends one of temperature and top_p to models that take one', () => {
    expect(written({ temperature: 1.7 }).wire.temperature).toBe(1)
    expect(written({ temperature: 0, topP: 0 }, 'claude-3-5-sonnet-20241022').wire).toMatchObject({
      temperature: 0,
      top_p: 0,
    })
    const both = written({ temperature: 0.5, topP: 0.9 })
    expect(both.wire.temperature).toBe(0.5)
    expect(both.wire).not.toHaveProperty('top_p')
    expect(both.dropped).toEqual(['topP'])
    expect(written({ temperature: 1, topP: 0.9 }).wire).not.toHaveProperty('temperature')
    expect(written({ temperature: 0, topP: 1 }).dropped).toEqual([])
  })

  it('sends no sampling to models that refuse it', () => {
    const { wire, dropped } = written({ temperature: 0.5, topP: 0.9, topK: 5 }, 'claude-opus-4-7')
    expect(Object.keys(wire)).toEqual(['model', 'max_tokens', 'messages'])
    expect(dropped).toEqual(['temperature', 'topK', 'topP'])
  })

  it('leaves out blank stop sequences', () => {
    const { wire, dropped } = written({ stop: ['\n', 'END'] })
    expect(wire.stop_sequences).toEqual(['END'])
    expect(dropped).toEqual(['stop'])
    expect(written({ stop: ['\n'] }).wire).not.toHaveProperty('stop_sequences')
  })

  it('reports fields without an equivalent by the names of other dialects', () => {
    const { dropped } = written({
      frequencyPenalty: 0,
      presencePenalty: 1,
      seed: 7,
      cacheKey: 'k',
      output: { type: 'json' },
      shared: { metadata: { a: 1 }, store: true, service_tier: 'flex' },
      extras: { from: 'openai', fields: { logprobs: true, logit_bias: {} } },
    })
    expect(dropped).toEqual([
      'cacheKey',
      'frequencyPenalty',
      'logit_bias',
      'logprobs',
      'metadata',
      'output',
      'presencePenalty',
      'seed',
      'service_tier',
    ])
  })

  it('refuses several answers and output that is not text', () => {
    expect(() => written({ choices: 2 })).toThrow(expect.objectContaining({ param: 'choices' }))
    expect(() => written({ modalities: ['text', 'audio'] })).toThrow(expect.objectContaining({ param: 'modalities' }))
    expect(written({ choices: 1, modalities: ['text'] }).dropped).toEqual([])
  })

  it('closes the objects of a schema and moves limits into the descriptions', () => {
    const schema = {
      type: 'object',
      properties: {
        age: { type: 'integer', minimum: 0, description: 'In years' },
        day: {
          oneOf: [
            { type: 'string', format: 'date' },
            { type: 'string', format: 'regex' },
          ],
        },
        tags: { type: 'array', minItems: 2, items: { type: 'object', properties: { maximum: { type: 'string' } } } },
      },
    }
    const { wire } = written({ output: { type: 'schema', name: 'person', schema, strict: true } })
    expect(wire.output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          additionalProperties: false,
          properties: {
            age: { type: 'integer', description: 'In years (minimum: 0)' },
            day: {
              anyOf: [
                { type: 'string', format: 'date' },
                { type: 'string', description: '(format: "regex")' },
              ],
            },
            tags: {
              type: 'array',
              description: '(minItems: 2)',
              items: { type: 'object', additionalProperties: false, properties: { maximum: { type: 'string' } } },
            },
          },
        },
      },
    })
    expect(written({ output: { type: 'schema', schema } }, 'claude-3-5-haiku').dropped).toEqual(['output'])
  })
})

describe('tools for Anthropic', () => {
  const tool = { type: 'function', name: 'f' } as const

  it('completes the schemas of functions and preserves all keywords', () => {
    const parameters = { $defs: {}, properties: { x: {} } }
    const { wire } = written({ tools: [tool, { ...tool, name: 'g', description: '', parameters, strict: true }] })
    expect(wire.tools).toEqual([
      { name: 'f', input_schema: { type: 'object', properties: {} } },
      {
        name: 'g',
        description: '',
        input_schema: { type: 'object', $defs: {}, properties: { x: {} }, additionalProperties: false },
        strict: true,
      },
    ])
    expect(written({ tools: [{ ...tool, strict: true }] }, 'claude-3-7-sonnet-latest').dropped).toEqual(['strict'])
  })

  it('makes a function of a custom tool and has the model read its grammar', () => {
    const { wire, dropped } = written({
      tools: [{ type: 'custom', name: 'sql', format: { type: 'grammar', syntax: 'regex', definition: 'S.*' } }],
    })
    expect(wire.tools).toEqual([
      {
        name: 'sql',
        description: 'The parameter "input" is free text that must follow this regex grammar:\nS.*',
        input_schema: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
      },
    ])
    expect(dropped).toEqual([])
  })

  it('limits the uses of web search by the context size', () => {
    const search = { type: 'hosted', kind: 'web-search' } as const
    const uses = (contextSize?: 'low' | 'medium' | 'high') =>
      written({ tools: [{ ...search, contextSize, location: { city: 'Paris' } }] }).wire.tools
    const tools = (max: number) => [
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: max,
        user_location: { type: 'approximate', city: 'Paris' },
      },
    ]
    expect(uses('low')).toEqual(tools(1))
    expect(uses()).toEqual(tools(5))
    expect(uses('high')).toEqual(tools(10))
  })

  it('reports tools that only others have, and sends no choice without tools', () => {
    const { wire, dropped } = written({
      tools: [{ type: 'extra', of: 'responses', name: 'file_search', value: { type: 'file_search' } }],
      toolChoice: { mode: 'auto' },
      parallelToolCalls: false,
    })
    expect(wire).not.toHaveProperty('tools')
    expect(wire).not.toHaveProperty('tool_choice')
    expect(dropped).toEqual(['tools.file_search'])
  })

  it('sets which tool must be called, and how many at once', () => {
    const choice = (changes: Partial<Conversation>) => written({ tools: [tool], ...changes }).wire.tool_choice
    expect(choice({ toolChoice: { mode: 'auto' } })).toEqual({ type: 'auto' })
    expect(choice({ toolChoice: { mode: 'none' }, parallelToolCalls: false })).toEqual({ type: 'none' })
    expect(choice({ toolChoice: { mode: 'required' } })).toEqual({ type: 'any' })
    expect(choice({ toolChoice: { mode: 'required', names: ['f'] } })).toEqual({ type: 'tool', name: 'f' })
    expect(choice({ parallelToolCalls: false })).toEqual({ type: 'auto', disable_parallel_tool_use: true })
    expect(choice({ parallelToolCalls: true })).toBeUndefined()
    const limited = written({ tools: [tool], toolChoice: { mode: 'auto', names: ['f', 'g'] } })
    expect([limited.wire.tool_choice, limited.dropped]).toEqual([{ type: 'auto' }, ['toolChoice']])
  })
})
