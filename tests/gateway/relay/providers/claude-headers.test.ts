import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../../../shared/channel-types.ts'
import { messageAnswer } from '../../../support/anthropic.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({
    type: channelTypes.anthropic.id,
    models: 'claude-a,claude-b',
    model_mapping: '{"claude-b":"claude-up"}',
  })
  await world.channel({
    type: channelTypes.aws.id,
    models: 'claude-on-bedrock',
    key: 'AKIA|secret|us-east-1',
    model_mapping: '{"claude-on-bedrock":"claude-3-5-haiku-20241022"}',
  })
  await world.channel({
    type: channelTypes.anthropic.id,
    models: 'claude-warm',
    param_override: '{"temperature":0.5,"top_k":5,"stop_sequences":["."]}',
  })
  await world.option('claude.model_headers_settings', {
    'claude-a': {
      'anthropic-beta': ['context-1m-2025-08-07', 'output-128k-2025-02-19,context-1m-2025-08-07'],
      'Anthropic-Version': ['2024-01-01'],
      'x-own': ['one', 'two'],
      Host: ['elsewhere.example'],
      'Transfer-Encoding': ['chunked'],
    },
    'claude-up': { 'x-own': ['by the upstream’s name'.replace('’', "'")] },
    'claude-on-bedrock': { 'anthropic-beta': ['context-1m-2025-08-07', 'oauth-2025-04-20'] },
  })
  alice = await world.user({ quota: 100_000_000 })
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers({ body: messageAnswer({ texts: ['Hello'] }) })
})

const ask = (model: string, headers: Record<string, string> = {}) =>
  alice.calls(
    '/v1/messages',
    { model, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] },
    { headers: { 'anthropic-version': '2023-06-01', ...headers } },
  )

describe('the version of the API that a caller names (docs/reference/channel-types.md#anthropic)', () => {
  it.each([
    ['2023-06-01', { temperature: 0.5, top_k: 5 }, null],
    ['2026-10-21', {}, 'temperature, top_k'],
    ['2027-03-01', {}, 'temperature, top_k'],
  ])('is passed on, and parameters it does not support are left out: %s', async (version, sampling, dropped) => {
    const { headers } = await ask('claude-warm', { 'anthropic-version': version })
    expect(headers.get('x-switchyard-dropped')).toBe(dropped)
    const { json, headers: sent } = world.upstream.last()
    expect(sent['anthropic-version']).toBe(version)
    const { model: _, max_tokens: __, messages: ___, ...rest } = json
    expect(rest).toEqual({ stop_sequences: ['.'], ...sampling })
  })

  it('lets a caller see the effect of its own parameters', async () => {
    const body = { model: 'claude-warm', max_tokens: 10, temperature: 1, messages: [{ role: 'user', content: 'hi' }] }
    await alice.calls('/v1/messages', body, { headers: { 'anthropic-version': '2026-10-21' } })
    expect(world.upstream.last().json.temperature).toBe(1)
  })
})

describe('headers that the options set for a Claude model (`claude.model_headers_settings`)', () => {
  it('are sent: lists with the caller’s own values, each once, all others replacing existing ones', async () => {
    expect((await ask('claude-a', { 'anthropic-beta': 'context-1m-2025-08-07, fine-1' })).status).toBe(200)
    const { headers } = world.upstream.last()
    expect(headers).toMatchObject({
      'anthropic-beta': 'context-1m-2025-08-07,fine-1,output-128k-2025-02-19',
      'anthropic-version': '2024-01-01',
      'x-own': 'one, two',
      'x-api-key': 'upstream-key',
      host: new URL(world.upstream.url).host,
    })
    expect(headers['transfer-encoding']).toBeUndefined()
  })

  it('are those of the upstream’s name where the caller’s has none, and never those of another model', async () => {
    await ask('claude-b')
    expect(world.upstream.last().headers['x-own']).toBe("by the upstream's name")
    expect(world.upstream.last().headers['anthropic-version']).toBe('2023-06-01')
  })

  it('apply to a caller of another dialect', async () => {
    expect((await alice.asks('claude-a', 'hi')).content).toBe('Hello')
    expect(world.upstream.last().headers['x-own']).toBe('one, two')
  })
})
