import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RESPONSES_SEAL } from '../../../support/responses.ts'
import type { Said } from '../../../support/said.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { answered } from '../parity/vendors.ts'
import { type AskName, askNames, asks, CALL_ID } from './api-format-asks.ts'

let world: World
let alice: Person

const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'

/** Models of the plain channel: those that the table knows, and some that it does not. */
const models = [
  'gpt-5.6-sol',
  'gpt-5.6-chat-latest',
  'gpt-6-astra',
  'gpt-5.4',
  'gpt-5.5-2026-04-23',
  'gpt-5.2',
  'gpt-5',
  'gpt-4o',
  'gpt-5-codex',
  'gpt-5.4-pro',
  'o3-pro',
  'gpt-4o-mini-search-preview',
  'gpt-audio',
]

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  alice = await world.user({ quota: 1_000_000_000 })
  const { channel } = world
  const setting = (members: object) => JSON.stringify(members)
  await channel({ models: models.join(',') })
  await channel({ models: 'gpt-5.6-luna-high,gpt-5.6-luna-none' })
  await channel({
    models: 'forced-chat',
    model_mapping: '{"forced-chat":"gpt-5.6-sol"}',
    setting: setting({ api_format: 'chat' }),
  })
  await channel({ models: 'forced-responses', setting: setting({ api_format: 'responses' }) })
  await channel({
    models: 'passed-gpt',
    model_mapping: '{"passed-gpt":"gpt-5.6-sol"}',
    setting: setting({ pass_through_body_enabled: true }),
  })
  await channel({
    models: 'overridden',
    model_mapping: '{"overridden":"gpt-5.6-sol"}',
    param_override: JSON.stringify({
      reasoning_effort: 'low',
      verbosity: 'low',
      max_completion_tokens: 900,
      seed: 7,
      temperature: 1,
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' }, strict: true } },
    }),
  })
  await channel({
    models: 'overridden-none',
    model_mapping: '{"overridden-none":"gpt-5.6-sol"}',
    param_override: '{"reasoning_effort":"none"}',
  })
  await channel({ type: 3, models: 'gpt-5.6-terra', model_mapping: '{"gpt-5.6-terra":"prod-1"}' })
  await channel({ models: 'gpt-5.6-other', model_mapping: '{"gpt-5.6-other":"some-other-model"}' })
  await channel({ type: 48, models: 'grok-4,grok-4.20-multi-agent' })
})
beforeEach(() => world.upstream.reset())

const said: Said = { thoughts: 'Hm.', calls: [{ id: CALL_ID, name: 'weather', arguments: { city: 'Paris' } }] }

/** Asks in a dialect and answers what the vendor got. */
async function sent(name: AskName | 'responses', model: string, ...how: readonly [thinks?: boolean, members?: object]) {
  const [thinks, members] = how
  world.upstream.answers((request) => answered({ ...request, path: request.path.replace('/openai', '') }, said, {}))
  const isOwn = name === 'responses'
  const body = isOwn ? { model, input: 'How warm is it?', tools: [tool] } : asks[name].body(model, false, thinks)
  const answer = await alice.calls(isOwn ? RESPONSES : asks[name].path(model, false), { ...body, ...members })
  expect(answer.status, answer.text).toBe(200)
  const { path, json, text } = world.upstream.last()
  return { path: path.replace(/\?.*/, ''), json, text, answer }
}

const tool = { type: 'function', name: 'weather', parameters: { type: 'object' } }

describe('the API format a model needs (docs/reference/conversion.md#chat-or-responses)', () => {
  const cases: readonly (readonly [model: string, thinks: boolean | undefined, path: string])[] = [
    ['gpt-5.6-sol', true, RESPONSES],
    ['gpt-5.6-sol', undefined, RESPONSES],
    ['gpt-5.6-sol', false, CHAT],
    ['gpt-6-astra', undefined, RESPONSES],
    ['gpt-5.6-chat-latest', undefined, CHAT],
    ['gpt-5.4', true, RESPONSES],
    ['gpt-5.4', undefined, CHAT],
    ['gpt-5.4', false, RESPONSES],
    ['gpt-5.5-2026-04-23', true, RESPONSES],
    ['gpt-5.2', true, CHAT],
    ['gpt-5', true, CHAT],
    ['gpt-4o', undefined, CHAT],
    ['gpt-5-codex', undefined, RESPONSES],
    ['gpt-5.4-pro', undefined, RESPONSES],
    ['o3-pro', undefined, RESPONSES],
  ]
  describe.each(askNames)('asked in %s with a tool', (name) => {
    it.each(cases)('%s, thinking %s: %s', async (model, thinks, path) => {
      expect((await sent(name, model, thinks)).path).toBe(path)
    })
  })

  it.each(askNames)('is the caller’s own without tools, asked in %s', async (name) => {
    expect((await sent(name, 'gpt-5.6-sol', true, { tools: [] })).path).toBe(CHAT)
    expect((await sent(name, 'gpt-5-codex', true, { tools: [] })).path).toBe(RESPONSES)
  })

  it('lets a caller of Responses through, but for models that have Chat Completions alone', async () => {
    for (const model of ['gpt-5.6-sol', 'gpt-5.4', 'gpt-4o', 'gpt-5-codex'])
      expect((await sent('responses', model)).path).toBe(RESPONSES)
    for (const model of ['gpt-4o-mini-search-preview', 'gpt-audio'])
      expect((await sent('responses', model)).path).toBe(CHAT)
  })

  it('knows the tools and the thinking of every dialect’s clients', async () => {
    const functions = [{ name: 'weather', parameters: { type: 'object' } }]
    expect((await sent('chat', 'gpt-5.6-sol', undefined, { tools: undefined, functions })).path).toBe(RESPONSES)
    const chat = [{ reasoning: { effort: 'low' } }, { reasoning: { enabled: true } }, { thinking: { type: 'enabled' } }]
    for (const members of chat) expect((await sent('chat', 'gpt-5.4', undefined, members)).path).toBe(RESPONSES)
    const adaptive = [{ thinking: { type: 'adaptive' } }, { output_config: { effort: 'high' } }]
    for (const members of adaptive) expect((await sent('messages', 'gpt-5.4', undefined, members)).path).toBe(RESPONSES)
    const configs = [{ thinkingLevel: 'HIGH' }, { includeThoughts: true }, { thinking_budget: -1 }]
    for (const thinkingConfig of configs) {
      const generationConfig = { thinkingConfig }
      expect((await sent('generate', 'gpt-5.4', undefined, { generationConfig })).path).toBe(RESPONSES)
    }
  })

  it('asks for what OpenAI runs itself where it does', async () => {
    const search = [{ type: 'web_search' }]
    const code = [{ type: 'code_interpreter', container: { type: 'auto' } }]
    const cases: readonly (readonly [AskName, object, object[]])[] = [
      ['chat', { tools: undefined, web_search_options: {} }, search],
      ['messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, search],
      ['messages', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }, code],
      ['generate', { tools: [{ googleSearch: {} }] }, search],
      ['generate', { tools: [{ codeExecution: {} }] }, code],
    ]
    for (const [name, members, tools] of cases)
      for (const model of ['gpt-4o', 'gpt-5', 'gpt-5.4', 'gpt-5.6-sol']) {
        const { path, json, answer } = await sent(name, model, false, members)
        expect([path, json.tools]).toEqual([RESPONSES, tools])
        expect(json.reasoning?.effort).not.toBe('minimal')
        const dropped = answer.headers.get('x-switchyard-dropped') ?? ''
        expect(dropped).not.toContain('tools')
      }
    expect((await sent('chat', 'gpt-4o-mini-search-preview', undefined, { web_search_options: {} })).path).toBe(CHAT)
  })

  it('follows the effort in a model’s name and in a channel’s overrides', async () => {
    const named = await sent('chat', 'gpt-5.6-luna-high')
    expect([named.path, named.json.model, named.json.reasoning]).toEqual([
      RESPONSES,
      'gpt-5.6-luna',
      { effort: 'high' },
    ])
    expect((await sent('chat', 'gpt-5.6-luna-none')).path).toBe(CHAT)
    expect((await sent('chat', 'overridden-none', true)).path).toBe(CHAT)
  })

  it('says a channel’s overrides in the words of Responses, and tells what it has none for', async () => {
    const { path, json, answer } = await sent('chat', 'overridden', undefined, { verbosity: 'high' })
    expect(path).toBe(RESPONSES)
    expect(json).toMatchObject({
      reasoning: { effort: 'low' },
      max_output_tokens: 900,
      temperature: 1,
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'a', schema: { type: 'object' }, strict: true } },
    })
    for (const name of ['reasoning_effort', 'verbosity', 'max_completion_tokens', 'seed', 'response_format'])
      expect(json).not.toHaveProperty(name)
    expect(answer.headers.get('x-switchyard-dropped')).toBe('seed')
    const plain = await sent('chat', 'overridden', undefined, { tools: [] })
    expect([plain.path, plain.json.reasoning_effort, plain.json.seed]).toEqual([CHAT, 'low', 7])
  })

  it('knows an Azure deployment by the caller’s name, and no other vendor’s model', async () => {
    const { path, json } = await sent('messages', 'gpt-5.6-terra', true)
    expect([path, json.model, json.include]).toEqual([
      '/openai/v1/responses',
      'prod-1',
      ['reasoning.encrypted_content'],
    ])
    expect((await sent('messages', 'gpt-5.6-other', true)).path).toBe(CHAT)
  })

  it('asks xAI in Chat Completions but for the models that have Responses alone', async () => {
    for (const name of [...askNames, 'responses'] as const) {
      expect((await sent(name, 'grok-4', true)).path).toBe(CHAT)
      expect((await sent(name, 'grok-4.20-multi-agent', true)).path).toBe(RESPONSES)
    }
  })
})

describe('a channel’s api_format (docs/reference/selection.md#channel-settings)', () => {
  it('wins over the table', async () => {
    for (const name of [...askNames, 'responses'] as const) {
      expect((await sent(name, 'forced-chat', true)).path).toBe(CHAT)
      expect((await sent(name, 'forced-responses')).path).toBe(RESPONSES)
    }
  })

  it('leaves a body that passes as it is in its caller’s format, unless it says otherwise', async () => {
    const { path, json } = await sent('chat', 'passed-gpt', true)
    expect([path, json.reasoning_effort]).toEqual([CHAT, 'high'])
  })

  it('is whose tokens are counted', async () => {
    world.upstream.answers({ body: { object: 'response.input_tokens', input_tokens: 79 } })
    const count = async (model: string) =>
      (await alice.calls('/v1/responses/input_tokens', { model, input: 'How warm is it?' })).json.input_tokens
    expect(await count('forced-responses')).toBe(79)
    expect(await count('forced-chat')).toBeLessThan(30)
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('is one of three', async () => {
    const id = await world.channel({ models: 'one-of-three', setting: '{"api_format":"chat"}' })
    const save = (api_format: unknown) =>
      world.admin.put('/api/channel/', { id, setting: JSON.stringify({ api_format }) })
    expect(await save('both')).toMatchObject({ success: false })
    expect(await save(7)).toMatchObject({ success: false })
    for (const choice of ['chat', 'responses', 'auto']) expect(await save(choice)).toMatchObject({ success: true })
  })
})

describe('thoughts that OpenAI has sealed, on their way to the client and back (docs/reference/conversion.md#sealed-thoughts)', () => {
  const ways = askNames.flatMap((name) => [false, true].map((stream) => [name, stream] as const))
  const secret: Said = { ...said, thoughts: '' }

  it.each(ways)('in %s, streamed: %s', async (name, stream) => {
    for (const spoken of [said, secret]) {
      world.upstream.reset()
      world.upstream.answers((request) => answered(request, spoken, {}))
      const { path, body, next } = asks[name]
      const asked = body('gpt-5.6-sol', stream, true)
      const first = await alice.calls(path('gpt-5.6-sol', stream), asked)
      expect(first.status, first.text).toBe(200)
      expect(world.upstream.last().json).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
      const second = await alice.calls(path('gpt-5.6-sol', stream), next(asked, first))
      expect(second.status, second.text).toBe(200)
      const [, thought, call, result] = world.upstream.last().json.input
      expect(thought).toEqual({
        type: 'reasoning',
        id: 'rs_resp_1',
        summary: spoken.thoughts && name !== 'generate' ? [{ type: 'summary_text', text: spoken.thoughts }] : [],
        encrypted_content: RESPONSES_SEAL,
      })
      expect(call).toMatchObject({ type: 'function_call', name: 'weather', arguments: '{"city":"Paris"}' })
      expect(result).toMatchObject({ type: 'function_call_output', call_id: call.call_id })
    }
  })
})

describe('thoughts for clients of Google’s dialect, whose calls have seals of their own', () => {
  const parts = async (spoken: Said, stream: boolean) => {
    world.upstream.answers((request) => answered(request, spoken, {}))
    const { path, body } = asks.generate
    const { json, events } = await alice.calls(path('gpt-5.6-sol', stream), body('', stream, true))
    return (stream ? events : [json]).flatMap(({ candidates }) => candidates[0].content.parts)
  }
  const seal = Buffer.from(`switchyard:responses:rs_resp_1:${RESPONSES_SEAL}`).toString('base64')

  it.each([false, true])(
    'are sealed on the next call, and on themselves unless it follows at once, streamed: %s',
    async (stream) => {
      const both = await parts({ ...said, texts: ['One moment.'] }, stream)
      expect(both.filter(({ thoughtSignature }) => thoughtSignature === seal)).toHaveLength(2)
      world.upstream.reset()
      const { path, body } = asks.generate
      const asked = body('', stream, true)
      const contents = [...(asked.contents as object[]), { role: 'model', parts: both }]
      await alice.calls(path('gpt-5.6-sol', stream), { ...asked, contents })
      const items = world.upstream.last().json.input.map(({ type = 'message' }) => type)
      expect(items).toEqual(['message', 'reasoning', 'message', 'function_call'])
      world.upstream.reset()
      const two = await parts(
        { ...said, calls: [...(said.calls ?? []), { id: 'call_2', name: 'weather', arguments: {} }] },
        stream,
      )
      const sealed = two.filter(({ functionCall }) => functionCall).map(({ thoughtSignature }) => thoughtSignature)
      expect(sealed).toEqual([seal, undefined])
      expect(two.filter(({ thought }) => thought)).toEqual([{ text: 'Hm.', thought: true }])
      world.upstream.reset()
      const text = await parts({ thoughts: 'Hm.', texts: ['21.'] }, stream)
      expect(text.filter(({ thoughtSignature }) => thoughtSignature === seal)).toHaveLength(1)
    },
  )
})

describe('what OpenAI refuses of a request it is asked in Responses (docs/reference/conversion.md#sealed-thoughts)', () => {
  const refusal = (error: object) => ({
    status: 400,
    body: { error: { message: 'No.', type: 'invalid_request_error', ...error } },
  })
  const unknown = refusal({ param: null, code: 'invalid_encrypted_content' })
  const unverified = refusal({ param: 'reasoning.summary', code: 'unsupported_value' })
  const asked = asks.messages.body('gpt-5.6-sol', false, true)
  const call = { type: 'tool_use', id: CALL_ID, name: 'weather', input: {} }
  const history = [
    {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Hm.', signature: 'switchyard:responses:rs_0:ELSE' }, call],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: CALL_ID, content: '21' }] },
    { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'switchyard:responses:rs_1:ELSE' }] },
    { role: 'user', content: 'And now?' },
  ]
  const kept = Buffer.from('switchyard:responses:rs_0:ELSE').toString('base64')
  const body = { ...asked, messages: [...(asked.messages as object[]), ...history] }

  const item = (message: string) => refusal({ message, param: 'input', code: null })
  const lone = item("Item 'rs_1' of type 'reasoning' was provided without its required following item.")
  const gone = {
    ...item("Item with id 'rs_1' not found. Items are not persisted when `store` is set to false."),
    status: 404,
  }

  it.each([unknown, lone, gone])('is asked again without seals that the vendor does not know, %#', async (refused) => {
    world.upstream.answers(refused, (request) => answered(request, said, {}))
    const answer = await alice.calls('/v1/messages', body)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('x-switchyard-dropped')).toBeNull()
    const [first, second] = world.upstream.requests.map(({ json }) => json.input.map(({ type = 'message' }) => type))
    expect(first).toEqual(['message', 'reasoning', 'function_call', 'function_call_output', 'reasoning', 'message'])
    expect(second).toEqual(['message', 'function_call', 'function_call_output', 'message'])
  })

  it('is asked again without those on calls', async () => {
    world.upstream.answers(unknown, (request) => answered(request, said, {}))
    const asking = asks.generate.body('', false, true)
    const parts = [{ functionCall: { name: 'weather', args: {} }, thoughtSignature: kept }]
    const answer = await alice.calls(asks.generate.path('gpt-5.6-sol', false), {
      ...asking,
      contents: [
        ...(asking.contents as object[]),
        { role: 'model', parts },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: {} } }] },
      ],
    })
    expect(answer.status, answer.text).toBe(200)
    const types = world.upstream.requests.map(({ json }) => json.input.map(({ type = 'message' }) => type))
    expect(types).toEqual([
      ['message', 'reasoning', 'function_call', 'function_call_output'],
      ['message', 'function_call', 'function_call_output'],
    ])
  })

  it('is asked again without a summary where the organization may have none, which is told', async () => {
    world.upstream.answers(unverified, (request) => answered(request, said, {}))
    const thinking = { type: 'enabled', budget_tokens: 4096, display: 'summarized' }
    const answer = await alice.calls('/v1/messages', { ...asked, thinking, stream: true })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('x-switchyard-dropped')).toBe('thinking.display')
    expect(world.upstream.requests.map(({ json }) => json.reasoning)).toEqual([
      { effort: 'medium', summary: 'auto' },
      { effort: 'medium' },
    ])
  })

  it('is asked again once', async () => {
    world.upstream.answers(unknown, unverified)
    const answer = await alice.calls('/v1/messages', body)
    expect([answer.status, world.upstream.requests.length]).toEqual([400, 2])
  })

  it('stays a refusal for a caller of Responses, who said it', async () => {
    world.upstream.answers(unverified)
    const answer = await alice.calls(RESPONSES, { model: 'gpt-5.6-sol', input: 'hi', reasoning: { summary: 'auto' } })
    expect([answer.status, world.upstream.requests.length]).toEqual([400, 1])
  })
})
