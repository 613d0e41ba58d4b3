import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { answered } from '../parity/vendors.ts'

const CLAUDE = 'claude-opus-5-5'
const GEMINI = 'gemini-3-flash-preview'
const GPT = 'gpt-5.6-sol'
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, 'claude.automatic_cache_enabled': false } })
  alice = await world.user({ quota: 1_000_000_000 })
  await world.channel({ type: 14, models: CLAUDE })
  await world.channel({ type: 24, models: GEMINI })
  await world.channel({ models: GPT })
})
beforeEach(() => world.upstream.reset())

const says = (request: Recorded): Script => answered(request, { texts: ['Well.'] }, {})
const refuses = (message: string, more: object = {}): Script => ({
  status: 400,
  body: { type: 'error', error: { type: 'invalid_request_error', message, ...more } },
})
const bound = refuses(
  'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
)
const sent = () => world.upstream.requests.map(({ json }) => json)
const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2VhbA==' }
const use = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '21' }] }
const tools = [{ name: 'weather', input_schema: { type: 'object', properties: {} } }]

describe('thoughts that their vendor refuses (docs/reference/conversion.md#sealed-thoughts)', () => {
  it('are left out of a converted request to Claude, which is sent once more', async () => {
    world.upstream.answers(bound, says)
    const answer = await alice.calls('/v1/responses', {
      model: CLAUDE,
      input: [
        { role: 'user', content: 'Hi' },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [],
          encrypted_content: `switchyard:anthropic::${thinking.signature}`,
        },
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: '21' },
      ],
    })
    expect(answer.status, answer.text).toBe(200)
    const [first, second] = sent().map(({ messages }) => messages[1].content.map(({ type }: { type: string }) => type))
    expect(first).toEqual(['thinking', 'tool_use'])
    expect(second).toEqual(['tool_use'])
  })

  it('are left out of a request in Anthropic’s own dialect, and reported', async () => {
    world.upstream.answers(bound, says)
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [thinking, use] },
      result,
      { role: 'assistant', content: [thinking] },
      { role: 'user', content: 'And?' },
    ]
    const answer = await alice.calls('/v1/messages', { model: CLAUDE, max_tokens: 100, tools, messages })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('x-switchyard-dropped')).toBe('content.thinking')
    const [first, second] = sent()
    expect(first.messages).toEqual(messages)
    expect(second.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [use] },
      result,
      { role: 'user', content: 'And?' },
    ])
    expect({ ...second, messages: 0 }).toEqual({ ...first, messages: 0 })
  })

  it('remove the thinking budget with them where the turn continues', async () => {
    world.upstream.answers(bound, says)
    const messages = [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: [thinking, use] }, result]
    const budget = { type: 'enabled', budget_tokens: 1024 }
    await alice.calls('/v1/messages', { model: CLAUDE, max_tokens: 2000, thinking: budget, tools, messages })
    expect(sent().map((json) => json.thinking)).toEqual([budget, undefined])
  })

  it('are left out of a request in the dialect of Responses', async () => {
    const error = { code: 'invalid_encrypted_content', param: null }
    world.upstream.answers(refuses('The encrypted content could not be verified.', error), says)
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ELSE' },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: '21' },
    ]
    const answer = await alice.calls('/v1/responses', { model: GPT, input, store: false })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('x-switchyard-dropped')).toBe('input.reasoning')
    expect(sent().map((json) => json.input.length)).toEqual([4, 3])
  })

  it('have their signatures left out of a request in Google’s dialect', async () => {
    const body = { error: { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' } }
    world.upstream.answers({ status: 400, body }, says)
    const call = (name: string) => ({ functionCall: { name, args: {} } })
    const contents = [
      { role: 'user', parts: [{ text: 'Hi' }] },
      {
        role: 'model',
        parts: [{ ...call('a'), thoughtSignature: 'QUJD' }, call('b'), { text: 'x', thoughtSignature: 'REVG' }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'a', response: {} } }] },
    ]
    const answer = await alice.calls(`/v1beta/models/${GEMINI}:generateContent`, { contents })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('x-switchyard-dropped')).toBe('contents.thoughtSignature')
    expect(sent()[1].contents[1].parts).toEqual([
      { ...call('a'), thoughtSignature: 'skip_thought_signature_validator' },
      call('b'),
      { text: 'x' },
    ])
  })

  it('are left to the caller where its body is sent unchanged', async () => {
    await world.channel({
      type: 14,
      models: 'claude-opus-5-6',
      setting: JSON.stringify({ pass_through_body_enabled: true }),
    })
    world.upstream.answers(bound)
    const messages = [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: [thinking, use] }, result]
    const answer = await alice.calls('/v1/messages', { model: 'claude-opus-5-6', max_tokens: 100, tools, messages })
    expect(answer.status).toBe(400)
    expect(world.upstream.requests).toHaveLength(1)
  })
})

describe('instructions between messages (docs/reference/conversion.md#append-only)', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Yes?' },
    { role: 'developer', content: 'Read only.' },
    { role: 'user', content: 'Go' },
  ]
  const refused = refuses("role 'system' is not supported on this model")

  it('are given by the user where a service of the model does not know them', async () => {
    world.upstream.answers(refused, says)
    const answer = await alice.calls('/v1/chat/completions', { model: CLAUDE, messages })
    expect(answer.status, answer.text).toBe(200)
    const [first, second] = sent()
    expect(first.messages.at(-1)).toEqual({ role: 'system', content: 'Read only.' })
    expect(second.messages.at(-1)).toEqual({
      role: 'user',
      content: ['Read only.', 'Go'].map((text) => ({ type: 'text', text })),
    })
    expect(second.system).toBe('Be brief.')
  })

  it('are given by the user in Anthropic’s own dialect as well', async () => {
    world.upstream.answers(refused, says)
    const own = [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Read only.' },
    ]
    const answer = await alice.calls('/v1/messages', { model: CLAUDE, max_tokens: 100, messages: own })
    expect(answer.status, answer.text).toBe(200)
    expect(sent()[1].messages).toEqual([own[0], { role: 'user', content: 'Read only.' }])
  })

  it('are not treated as leading ones, which a channel or a format adds', async () => {
    await world.channel({ type: 14, models: 'claude-opus-5-7', setting: JSON.stringify({ system_prompt: 'Be kind.' }) })
    world.upstream.answers(says)
    await alice.calls('/v1/chat/completions', { model: 'claude-opus-5-7', messages: messages.slice(1) })
    expect(sent()[0].system).toBe('Be kind.')
  })
})
