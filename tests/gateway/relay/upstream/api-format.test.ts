import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Said } from '../../../support/said.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { answered } from '../parity/vendors.ts'
import { type AskName, askNames, asks, CALL_ID } from './api-format-asks.ts'

let world: World
let alice: Person

const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'

/** Models of the plain channel, both listed in the table and not. */
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

/** Sends a request in a dialect; returns the upstream request. */
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
  describe.each(askNames)('requested in %s with a tool', (name) => {
    it.each(cases)('%s, thinking %s: %s', async (model, thinks, path) => {
      expect((await sent(name, model, thinks)).path).toBe(path)
    })
  })

  it.each(askNames)('is the caller’s own without tools, requested in %s', async (name) => {
    expect((await sent(name, 'gpt-5.6-sol', true, { tools: [] })).path).toBe(CHAT)
    expect((await sent(name, 'gpt-5-codex', true, { tools: [] })).path).toBe(RESPONSES)
  })

  it('passes requests in Responses unchanged, except for models that only have Chat Completions', async () => {
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

  it('uses OpenAI’s hosted tools where they run', async () => {
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

  it('converts a channel’s overrides to Responses, and reports those without an equivalent', async () => {
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

  it('uses Chat Completions for xAI except for the models that only have Responses', async () => {
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

  it('leaves a body that passes unchanged in its caller’s format, unless it requires another', async () => {
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
