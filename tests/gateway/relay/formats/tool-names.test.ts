import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RequestTarget } from '../../../../gateway/relay/formats/codec.ts'
import type { Conversation, FunctionTool } from '../../../../gateway/relay/formats/conversation.ts'
import { gemini as geminiCodec } from '../../../../gateway/relay/formats/gemini/codec.ts'
import { portable } from '../../../../gateway/relay/formats/portable.ts'
import { flatName } from '../../../../gateway/relay/formats/tool-names.ts'

const named = (name: string, namespace?: string): FunctionTool => ({
  type: 'function',
  name,
  ...(namespace === undefined ? {} : { namespace: { name: namespace } }),
})

const asked = (tools: readonly FunctionTool[], more: Partial<Conversation> = {}): Conversation => ({
  model: 'a-model',
  stream: false,
  turns: [],
  tools,
  shared: {},
  extras: { from: 'responses', fields: {} },
  ...more,
})
const told = (conversation: Conversation) =>
  portable(conversation, { format: 'anthropic', strictOpenai: false, drop: () => {} })
const namesOf = (tools: Conversation['tools']) =>
  tools.map((tool) => (tool.type === 'function' ? tool.name : undefined))

describe('function fields that only Gemini has', () => {
  const gemini = geminiCodec(() => 'call_1')
  const declared = (name: string) => ({ name, description: 'Does.', behavior: 'NON_BLOCKING' })
  const target: RequestTarget = {
    model: 'gemini-2.5-flash',
    streamOptions: false,
    cacheMarks: false,
    strictOpenai: false,
    settings: { claudeMaxTokens: {}, geminiSafety: {}, geminiImageModels: [] },
    drop: () => {},
  }
  it('stay with it where it is given another name', () => {
    const wire = {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      tools: [{ functionDeclarations: [declared('plain'), declared('files.read'), declared('2nd')] }],
    }
    const { conversation } = told(gemini.decodeRequest(wire, 'gemini-2.5-flash', false))
    const [{ functionDeclarations: found }] = JSON.parse(
      JSON.stringify(gemini.encodeRequest(conversation, target)),
    ).tools
    expect(found).toHaveLength(3)
    for (const each of found) expect(each).toMatchObject({ behavior: 'NON_BLOCKING' })
    expect(found[0].name).toBe('plain')
    expect(found[1].name).toMatch(/^files_read_/)
  })

  it('are reported as lost where their function is not declared', () => {
    const lost: string[] = []
    const { conversation } = told(gemini.decodeRequest({ contents: [] }, 'gemini-2.5-flash', false))
    const extra = { type: 'extra', of: 'gemini', name: 'functionDeclarations', value: declared('gone') } as const
    gemini.encodeRequest({ ...conversation, tools: [extra] }, { ...target, drop: (name) => void lost.push(name) })
    expect(lost).toEqual(expect.arrayContaining(['tools.functionDeclarations.behavior']))
  })
})

describe('names of users (docs/reference/conversion.md#user-names)', () => {
  const toldTo = (format: 'openai' | 'anthropic' | 'gemini', user: string) =>
    portable(asked([], { user, shared: { safety_identifier: user } }), {
      format,
      strictOpenai: true,
      drop: () => {},
    }).conversation

  it('stay where the vendor takes them, and are hashed where it does not', () => {
    for (const [format, max] of [
      ['openai', 64],
      ['anthropic', 256],
    ] as const) {
      const [taken, long, longer] = ['a'.repeat(max), 'a'.repeat(max + 1), 'a'.repeat(max + 2)]
      expect(toldTo(format, taken)).toMatchObject({ user: taken, shared: { safety_identifier: taken } })
      const { user, shared } = toldTo(format, long)
      expect(user).toMatch(/^[0-9a-f]{64}$/)
      expect(shared.safety_identifier).toBe(user)
      expect(toldTo(format, longer).user).not.toBe(user)
    }
    expect(toldTo('gemini', 'a'.repeat(999)).user).toHaveLength(999)
  })
})

describe('names of tools (docs/reference/conversion.md#tool-names)', () => {
  it('stay where every vendor takes them', () => {
    for (const name of ['weather', '_', 'a-b_C9', 'x'.repeat(64)]) expect(flatName(name)).toBe(name)
    expect(flatName('shell', 'functions')).toBe('shell')
    expect(flatName('read', 'mcp__files')).toBe('mcp__files__read')
    expect(flatName('read', 'mcp__files__')).toBe('mcp__files__read')
  })

  it('become such as every vendor takes, each its own and always the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (one, other) => {
        const name = flatName(one)
        expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
        expect(flatName(one)).toBe(name)
        if (one !== other) expect(flatName(other)).not.toBe(name)
      }),
    )
  })

  it('are distinguished where two tools would have the same one, and mapped back', () => {
    const tools = [named('a__b'), named('b', 'a'), { ...named('shell'), shape: 'shell' as const }, named('shell')]
    const { conversation, clientTools } = told(asked(tools))
    const names = namesOf(conversation.tools)
    expect(new Set(names).size).toBe(4)
    expect(names[0]).toBe('a__b')
    expect(names[2]).toBe('shell')
    expect(clientTools.get(names[1] ?? '')).toEqual({ name: 'b', namespace: 'a', shape: 'function' })
    expect(clientTools.get(names[3] ?? '')).toEqual({ name: 'shell', shape: 'function' })
    expect(namesOf(told(asked(tools)).conversation.tools)).toEqual(names)
  })

  it('are never names that the vendor reserves', () => {
    const { conversation, clientTools } = told(
      asked([named('web_search')], {
        tools: [{ type: 'hosted', kind: 'web-search' }, named('web_search'), named('web_fetch')],
      }),
    )
    const [, search = '', fetch] = namesOf(conversation.tools)
    expect(search).toMatch(/^web_search_[0-9a-f]{8}$/)
    expect(clientTools.get(search)).toEqual({ name: 'web_search', shape: 'function' })
    expect(fetch).toBe('web_fetch')
  })

  it('are declared once, however often they come along', () => {
    const again = { ...named('b', 'a'), isLoaded: true }
    expect(namesOf(told(asked([named('b', 'a'), again])).conversation.tools)).toEqual(['a__b'])
  })

  it('are the same where one is to be called', () => {
    const { conversation } = told(asked([named('look.up')], { toolChoice: { mode: 'required', names: ['look.up'] } }))
    expect(conversation.toolChoice?.names).toEqual(namesOf(conversation.tools))
  })
})
