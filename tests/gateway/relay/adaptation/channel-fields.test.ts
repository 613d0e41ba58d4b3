import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person

const paying = { allow_service_tier: true, allow_safety_identifier: true, allow_inference_geo: true, allow_speed: true }

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  alice = await world.user({ quota: 1_000_000_000 })
  const { channel } = world
  const setting = (members: object) => JSON.stringify(members)
  await channel({ models: 'shut' })
  await channel({ models: 'open', setting: setting(paying) })
  await channel({ models: 'unstored', setting: setting({ disable_store: true }) })
  await channel({ models: 'whole', setting: setting({ pass_through_body_enabled: true }) })
  await channel({ type: 14, models: 'claude-shut' })
  await channel({ type: 14, models: 'claude-open', setting: setting({ ...paying, claude_beta_query: true }) })
  await channel({ type: 3, models: 'azure-dated', setting: setting({ azure_responses_version: '2025-03-01-preview' }) })
  await channel({ type: 3, models: 'azure' })
  await channel({
    type: 41,
    models: 'gemini-express',
    other: 'global',
    setting: setting({ vertex_key_type: 'api_key' }),
  })
})
beforeEach(() => world.upstream.reset())

const messages = [{ role: 'user', content: 'hi' }]
const dropped = (headers: Headers) => headers.get('x-switchyard-dropped')

describe('fields that cost the operator more than callers pay (docs/reference/selection.md#channel-settings)', () => {
  it('are left out and named, unless the channel allows them', async () => {
    const asked = { messages, service_tier: 'priority', safety_identifier: 'somebody', seed: 7 }
    const answer = await alice.calls('/v1/chat/completions', { model: 'shut', ...asked })
    expect(answer.status).toBe(200)
    expect(world.upstream.last().json).toEqual({ model: 'shut', messages, seed: 7 })
    expect(dropped(answer.headers)).toBe('service_tier, safety_identifier')
    const open = await alice.calls('/v1/chat/completions', { model: 'open', ...asked })
    expect(world.upstream.last().json).toEqual({ model: 'open', ...asked })
    expect(dropped(open.headers)).toBeNull()
  })

  it('are those of Anthropic as well, in its dialect and from another', async () => {
    const asked = { messages, max_tokens: 9, service_tier: 'auto', inference_geo: 'us', speed: 'fast' }
    const answer = await alice.calls('/v1/messages', { model: 'claude-shut', ...asked })
    expect(world.upstream.last().json).toEqual({ model: 'claude-shut', messages, max_tokens: 9 })
    expect(dropped(answer.headers)).toBe('service_tier, inference_geo, speed')
    await alice.calls('/v1/messages', { model: 'claude-open', ...asked })
    expect(world.upstream.last().json).toEqual({ model: 'claude-open', ...asked })
    await alice.calls('/v1/responses', { model: 'shut', input: 'hi', service_tier: 'flex' })
    expect(world.upstream.last().json.service_tier).toBeUndefined()
  })

  it('are sent where the body passes unchanged', async () => {
    const body = { model: 'whole', messages, service_tier: 'priority' }
    await alice.calls('/v1/chat/completions', body)
    expect(world.upstream.last().json).toEqual(body)
  })
})

describe('further settings of a channel (docs/reference/selection.md#channel-settings)', () => {
  it('prevent its vendor from storing answers', async () => {
    const answer = await alice.calls('/v1/chat/completions', { model: 'unstored', messages, store: true })
    expect(dropped(answer.headers)).toBe('store')
    expect(world.upstream.last().json.store).toBe(false)
    await alice.calls('/v1/responses', { model: 'unstored', input: 'hi' })
    expect(world.upstream.last().json.store).toBe(false)
    await alice.calls('/v1/chat/completions', { model: 'open', messages, store: true })
    expect(world.upstream.last().json.store).toBe(true)
  })

  it('set the version of Azure that answers Responses', async () => {
    await alice.calls('/v1/responses', { model: 'azure-dated', input: 'hi' })
    expect(world.upstream.last().path).toContain('/openai/v1/responses?api-version=2025-03-01-preview')
    await alice.calls('/v1/responses', { model: 'azure', input: 'hi' })
    expect(world.upstream.last().path).toContain('/openai/v1/responses?api-version=preview')
  })

  it('send the beta header to Anthropic', async () => {
    await alice.calls('/v1/messages', { model: 'claude-open', messages, max_tokens: 9 })
    expect(world.upstream.last().path).toBe('/v1/messages?beta=true')
    await alice.calls('/v1/messages', { model: 'claude-shut', messages, max_tokens: 9 })
    expect(world.upstream.last().path).toBe('/v1/messages')
  })

  it('use an API key for Vertex instead of a service account', async () => {
    await alice.calls('/v1beta/models/gemini-express:generateContent', {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    })
    const { path, headers } = world.upstream.last()
    expect(path).toBe('/v1/publishers/google/models/gemini-express:generateContent')
    expect(headers['x-goog-api-key']).toBe('upstream-key')
    expect(headers.authorization).toBeUndefined()
  })
})
