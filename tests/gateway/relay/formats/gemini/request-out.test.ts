import { describe, expect, it } from 'vitest'
import type { Conversation, Part, Turn } from '../../../../../gateway/relay/formats/conversation.ts'
import { aCodec, aTarget, said, written } from './wire.ts'

const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const text = (words: string): Part => ({ type: 'text', text: words })
const call = (id: string, name: string, args: string): Part => ({ type: 'tool-call', id, name, arguments: args })
const result = (callId: string, words: string): Part => ({
  type: 'tool-result',
  callId,
  content: [{ type: 'text', text: words }],
})

const dropped = (more: Partial<Conversation>, model?: string) => {
  const { target, dropped: names } = aTarget(model)
  aCodec().encodeRequest(said(more), target)
  return names
}

describe('writing a Gemini request (docs/reference/conversion.md#openai-to-gemini)', () => {
  it('joins its leading instructions, leaves others in their position, and merges adjacent turns of one role', () => {
    const turns: Turn[] = [
      { role: 'system', parts: [text('One')] },
      { role: 'developer', parts: [text('Two')] },
      user(text('a')),
      { role: 'developer', parts: [text('Three')] },
      user(text(''), text('b')),
    ]
    expect(written({ turns })).toEqual({
      systemInstruction: { parts: [{ text: 'One\nTwo' }] },
      contents: [{ role: 'user', parts: [{ text: 'a' }, { text: 'Three' }, { text: 'b' }] }],
    })
  })

  it('names results after their calls: objects unchanged, arrays and text wrapped', () => {
    const turns = [
      user(text('Go')),
      assistant(text('Right'), call('call_1', 'a', '{"x":1}'), call('toolu_2', 'b', ''), call('k9', 'c', '{}')),
      user(text('And?'), result('call_1', '{"y":2}'), result('toolu_2', '[1]'), result('k9', 'fine')),
    ]
    expect(written({ turns }).contents).toEqual([
      { role: 'user', parts: [{ text: 'Go' }] },
      {
        role: 'model',
        parts: [
          { text: 'Right' },
          { functionCall: { name: 'a', args: { x: 1 } } },
          { functionCall: { name: 'b', args: {} } },
          { functionCall: { id: 'k9', name: 'c', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'a', response: { y: 2 } } },
          { functionResponse: { name: 'b', response: { result: [1] } } },
          { functionResponse: { id: 'k9', name: 'c', response: { content: 'fine' } } },
          { text: 'And?' },
        ],
      },
    ])
  })

  it('refuses other vendors’ files and kinds it cannot read', () => {
    const refusal = (param: string) => expect.objectContaining({ kind: 'invalid', param })
    const media = (mime: string): Part => ({ type: 'media', kind: 'image', source: { type: 'data', mime, data: '' } })
    const file: Part = { type: 'media', kind: 'document', source: { type: 'file', id: 'f', of: 'openai' } }
    expect(() => written({ turns: [user(file)] })).toThrow(refusal('file'))
    expect(() => written({ turns: [user(media('image/gif'))] })).toThrow(refusal('image'))
    expect(() => written({ turns: [user(media('image/jpg'))] })).not.toThrow()
  })

  it('converts a result that contains $ref to text, since the vendor would read it as the name of a file', () => {
    const responseTo = (text: string, isError?: boolean) => {
      const part = { type: 'tool-result', callId: 'c', name: 'f', content: [{ type: 'text', text }] } as const
      const turns = [user(isError === undefined ? part : { ...part, isError })]
      return JSON.parse(JSON.stringify(written({ turns }, 'gemini-3-pro-preview').contents))[0].parts[0]
        .functionResponse.response
    }
    const naming = [
      '{"a":{"$ref":"#/$defs/A"}}',
      '[{"$ref":"x"}]',
      String.raw`{"\u0024r\u0065f":"x"}`,
      '{"a":["$ref"]}',
    ]
    for (const text of naming) {
      expect(responseTo(text)).toEqual({ content: text })
      expect(responseTo(text, true)).toEqual({ error: text })
    }
    for (const value of [{ a: '$ref' + 's' }, { text: '{"$ref":"x"}' }, { ref: 1 }])
      expect(responseTo(JSON.stringify(value))).toEqual(value)
  })

  it('puts pictures of a result next to it, and inside it for the third generation', () => {
    const picture = { type: 'media', kind: 'image', source: { type: 'data', mime: 'image/png', data: 'AA' } } as const
    const turns = [user({ type: 'tool-result', callId: 'call_1', name: 'see', content: [picture] })]
    const inlineData = { mimeType: 'image/png', data: 'AA' }
    const response = { content: '' }
    expect(written({ turns }).contents).toEqual([
      { role: 'user', parts: [{ functionResponse: { name: 'see', response } }, { inlineData }] },
    ])
    expect(written({ turns }, 'gemini-3-pro-preview').contents).toEqual([
      { role: 'user', parts: [{ functionResponse: { name: 'see', response, parts: [{ inlineData }] } }] },
    ])
  })

  it('leaves out thoughts of other vendors, and restores Gemini’s signatures to their parts', () => {
    const by = (vendor: 'gemini' | 'anthropic') => ({ by: vendor, value: `of-${vendor}` }) as const
    const turns = [
      user(text('Go')),
      assistant(
        { type: 'reasoning', text: 'theirs', signature: by('anthropic') },
        { type: 'reasoning', text: 'unsigned' },
        { type: 'reasoning', text: '', signature: by('gemini'), redacted: true },
        call('call_1', 'a', ''),
      ),
    ]
    expect(written({ turns }).contents).toMatchObject([
      {},
      { parts: [{ functionCall: { name: 'a' }, thoughtSignature: 'of-gemini' }] },
    ])
  })

  it('declares functions with their schemas, custom tools as functions, and the vendor’s own tools by name', () => {
    const parameters = {
      type: 'object',
      additionalProperties: false,
      properties: { when: { type: 'string', format: 'email', default: 'x' } },
    }
    const more: Partial<Conversation> = {
      tools: [
        { type: 'function', name: 'f', description: 'F', parameters, strict: true },
        { type: 'function', name: 'googleSearch' },
        { type: 'function', name: 'plain', parameters: { type: 'object', properties: {} } },
        { type: 'custom', name: 'shell' },
        { type: 'hosted', kind: 'url-context' },
      ],
      toolChoice: { mode: 'required', names: ['f'] },
    }
    const { tools, toolConfig } = written(more, 'gemini-3-pro-preview')
    expect(tools).toEqual([
      {
        functionDeclarations: [
          { name: 'f', description: 'F', parametersJsonSchema: parameters },
          { name: 'plain' },
          {
            name: 'shell',
            parametersJsonSchema: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
          },
        ],
      },
      { googleSearch: {} },
      { urlContext: {} },
    ])
    expect(toolConfig).toEqual({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] },
      includeServerSideToolInvocations: true,
    })
    expect(written(more, 'gemini-2.5-flash').tools).toEqual([tools].flat().slice(0, 1))
    expect(dropped(more, 'gemini-2.5-flash')).toEqual(['strict', 'tools.googleSearch', 'tools.url-context'])
  })

  it('preserves explicit zeros, and reports fields without an equivalent', () => {
    const more: Partial<Conversation> = {
      temperature: 0,
      topP: 0,
      seed: 0,
      stop: ['1', '2', '3', '4', '5', '6'],
      user: 'u',
      cacheKey: 'k',
      parallelToolCalls: false,
      shared: { store: false, metadata: {} },
      extras: { from: 'openai', fields: { logit_bias: {} } },
    }
    expect(written(more).generationConfig).toEqual({
      temperature: 0,
      topP: 0,
      seed: 0,
      stopSequences: ['1', '2', '3', '4', '5'],
    })
    expect(dropped(more).toSorted()).toEqual([
      'cacheKey',
      'logit_bias',
      'metadata',
      'parallelToolCalls',
      'stop',
      'user',
    ])
  })

  it('sends the operator’s safety settings and requests pictures from models that draw', () => {
    const { target } = aTarget('gemini-2.5-flash-image', {
      geminiSafety: { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' },
    })
    const { safetySettings, generationConfig } = aCodec().encodeRequest(said({}), target)
    expect(safetySettings).toHaveLength(5)
    expect(safetySettings).toContainEqual({ category: 'HARM_CATEGORY_CIVIC_INTEGRITY', threshold: 'BLOCK_NONE' })
    expect(safetySettings).toContainEqual({ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' })
    expect(generationConfig).toEqual({ responseModalities: ['TEXT', 'IMAGE'] })
  })

  it.each([
    ['gemini-2.5-flash', { effort: 'high' }, { thinkingBudget: 19_660, includeThoughts: true }, []],
    ['gemini-2.5-pro', { effort: 'medium', show: false }, { thinkingBudget: 16_384, includeThoughts: false }, []],
    ['gemini-2.5-pro', { mode: 'off' }, { thinkingBudget: 128 }, ['reasoning']],
    ['gemini-2.5-flash-lite', { effort: 'none' }, { thinkingBudget: 0 }, []],
    ['gemini-2.5-flash-lite', { budget: 100 }, { thinkingBudget: 512, includeThoughts: true }, []],
    ['gemini-2.5-flash', { mode: 'adaptive' }, { thinkingBudget: -1, includeThoughts: true }, []],
    ['gemini-3-pro-preview', { effort: 'minimal' }, { thinkingLevel: 'low', includeThoughts: true }, []],
    ['gemini-3-flash-preview', { budget: 5000 }, { thinkingLevel: 'medium', includeThoughts: true }, []],
    ['gemini-2.5-pro-preview-05-06', { effort: 'high' }, { includeThoughts: true }, []],
    ['gemini-2.0-flash', { effort: 'high' }, undefined, ['reasoning']],
  ] as const)('sets thinking for %s to %o', (model, reasoning, thinkingConfig, names) => {
    expect(written({ reasoning }, model).generationConfig).toEqual(thinkingConfig && { thinkingConfig })
    expect(dropped({ reasoning }, model)).toEqual(names)
  })
})
