import { describe, expect, it } from 'vitest'
import { aCodec } from './wire.ts'

const read = (wire: Record<string, unknown>) => aCodec().decodeRequest(wire, 'gemini-pro', true)
const user = (...parts: unknown[]) => ({ contents: [{ role: 'user', parts }] })

describe('reading a Gemini request', () => {
  it('gives calls ids, and results the ids of the oldest open call of their name', () => {
    const call = (name: string) => ({ functionCall: { name, args: { n: 1 } } })
    const result = (name: string, n: number) => ({ functionResponse: { name, response: { n } } })
    const { turns } = read({
      contents: [
        { role: 'model', parts: [call('a'), call('b'), call('a')] },
        { role: 'function', parts: [result('b', 2), result('a', 1), result('a', 3)] },
      ],
    })
    expect(turns[0]?.parts).toMatchObject([
      { id: 'call_1', name: 'a', arguments: '{"n":1}' },
      { id: 'call_2', name: 'b' },
      { id: 'call_3', name: 'a' },
    ])
    expect(turns[1]).toMatchObject({
      role: 'user',
      parts: [{ callId: 'call_2' }, { callId: 'call_1' }, { callId: 'call_3', content: [{ text: '{"n":3}' }] }],
    })
  })

  it('preserves unknown fields under their own name', () => {
    const { extras, model, stream } = read({
      ...user({ text: 'x' }),
      cachedContent: 'c',
      generationConfig: { enableEnhancedCivicAnswers: true, temperature: 0 },
    })
    expect(extras).toEqual({
      from: 'gemini',
      fields: { cachedContent: 'c', 'generationConfig.enableEnhancedCivicAnswers': true },
    })
    expect({ model, stream }).toEqual({ model: 'gemini-pro', stream: true })
  })

  it('reads schemas as JSON schemas', () => {
    const schema = { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true, maxLength: '3' } } }
    const { tools } = read({
      ...user({ text: 'x' }),
      tools: [{ functionDeclarations: [{ name: 'f', parameters: schema }] }],
    })
    const properties = { a: { type: ['string', 'null'], maxLength: 3 } }
    expect(tools).toEqual([{ type: 'function', name: 'f', parameters: { type: 'object', properties } }])
  })

  it.each([
    ['contents', {}],
    ['contents', { contents: 3 }],
    ['contents.role', { contents: [{ role: 'nobody', parts: [] }] }],
    ['generationConfig.temperature', { ...user({ text: 'x' }), generationConfig: { temperature: 'hot' } }],
    ['tools.functionDeclarations.name', { ...user({ text: 'x' }), tools: [{ functionDeclarations: [{}] }] }],
  ])('refuses a malformed request, naming %s', (param, wire) => {
    expect(() => read(wire)).toThrow(expect.objectContaining({ kind: 'invalid', param }))
  })

  it('disables thinking for a budget of 0 and reads levels', () => {
    const thinking = (thinkingConfig: unknown) => read({ ...user({ text: 'x' }), generationConfig: { thinkingConfig } })
    expect(thinking({ thinkingBudget: 0 }).reasoning).toEqual({ mode: 'off', budget: 0 })
    expect(thinking({ thinkingLevel: 'HIGH', includeThoughts: true }).reasoning).toEqual({
      mode: 'on',
      effort: 'high',
      show: true,
    })
  })
})
