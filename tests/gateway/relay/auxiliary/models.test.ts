import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { CHAT, onTheWire } from '../delivery/wire.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({
    options: {
      ModelRatio: { 'gpt-4o': 1, 'claude-3': 1, secret: 1 },
      ModelPrice: { 'my/model': 1 },
      GroupRatio: { default: 1, vip: 1 },
      UserUsableGroups: { default: 'Default', vip: 'VIP', auto: 'Auto' },
      AutoGroups: ['vip', 'hidden', 'default'],
    },
  })
  await world.channel({ models: 'gpt-4o,unpriced,my/model' })
  await world.channel({ models: 'gpt-4o,claude-3', group: 'vip' })
  await world.channel({ models: 'secret', group: 'hidden' })
  const off = await world.channel({ models: 'switched-off' })
  await world.admin.put('/api/channel', { id: off, status: 2 })
  alice = await world.user({ quota: 1 })
})

const get = async (path: string, fields: object = {}, headers: Record<string, string> = {}) => {
  const { key } = await world.token(alice, fields)
  const answer = await onTheWire(world, path, { method: 'GET', key, headers })
  return { ...answer, json: JSON.parse(answer.text) }
}
const names = async (fields: object = {}) =>
  (await get('/v1/models', fields)).json.data.map(({ id }: { id: string }) => id)

describe('the model list (docs/reference/endpoints.md#model-lists)', () => {
  it('contains the models of the group that have a price', async () => {
    expect(await names()).toEqual(['gpt-4o', 'my/model'])
    expect(await names({ group: 'vip' })).toEqual(['claude-3', 'gpt-4o'])
    expect(await names({ group: 'auto' })).toEqual(['claude-3', 'gpt-4o', 'my/model'])
  })

  it('contains models without a price in self-use mode', async () => {
    await world.option('SelfUseModeEnabled', true)
    expect(await names()).toEqual(['gpt-4o', 'my/model', 'unpriced'])
    await world.option('SelfUseModeEnabled', false)
  })

  it('is exactly the limits of a token that has them', async () => {
    expect(await names({ model_limits_enabled: true, model_limits: 'strange,gpt-4o' })).toEqual(['strange', 'gpt-4o'])
    expect(await names({ model_limits_enabled: true, model_limits: '' })).toEqual([])
  })

  it('speaks as OpenAI, Anthropic or Gemini, as the caller does', async () => {
    const { key } = await world.token(alice, { group: 'vip' })
    const list = async (headers: Record<string, string>, query = '') =>
      JSON.parse((await onTheWire(world, `/v1/models${query}`, { method: 'GET', headers })).text)
    expect(await list({ authorization: `Bearer ${key}` })).toMatchObject({
      success: true,
      object: 'list',
      data: [
        {
          id: 'claude-3',
          object: 'model',
          created: 1_626_777_600,
          owned_by: 'anthropic',
          root: 'claude-3',
          parent: null,
        },
        {},
      ],
    })
    expect(await list({ 'x-api-key': key, 'anthropic-version': '2023-06-01' })).toEqual({
      data: ['claude-3', 'gpt-4o'].map((id) => ({
        id,
        created_at: '2021-07-20T10:40:00.000Z',
        display_name: id,
        type: 'model',
      })),
      first_id: 'claude-3',
      has_more: false,
      last_id: 'gpt-4o',
    })
    for (const gemini of [await list({ 'x-goog-api-key': key }), await list({}, `?key=${key}`)]) {
      expect(gemini.nextPageToken).toBeNull()
      expect(gemini.models[0]).toMatchObject({
        name: 'models/claude-3',
        supportedGenerationMethods: expect.arrayContaining(['generateContent']),
      })
    }
  })
})

describe('a single model (docs/reference/endpoints.md#model-lists)', () => {
  it('is found, a slash in its name included', async () => {
    for (const path of ['/v1/models/gpt-4o', '/v1/models/gpt-4o/']) expect((await get(path)).json.id).toBe('gpt-4o')
    for (const path of ['/v1/models/my/model', '/v1/models/my%2Fmodel'])
      expect((await get(path)).json.id).toBe('my/model')
    const anthropic = { 'x-api-key': (await world.token(alice)).key, 'anthropic-version': '2023-06-01' }
    expect((await get('/v1/models/gpt-4o', {}, anthropic)).json).toMatchObject({
      type: 'model',
      display_name: 'gpt-4o',
    })
    expect((await get('/v1/models/gpt-4o?key=', {}, { 'x-goog-api-key': anthropic['x-api-key'] })).json.name).toBe(
      'models/gpt-4o',
    )
  })

  it.each(['nothing', 'claude-3', 'secret', 'switched-off', 'unpriced', '%E0%A4%A', 'constructor'])(
    'is 404 as %s',
    async (id) => {
      const { status, error } = await get(`/v1/models/${id}`)
      expect([status, error.code, error.param]).toEqual([404, 'model_not_found', 'model'])
    },
  )
})

describe('other paths (docs/reference/endpoints.md#other-paths)', () => {
  const as = (method: string, path: string) => onTheWire(world, path, { method })

  it.each([
    ['GET', '/v1/files'],
    ['POST', '/v1/files/x/content'],
    ['POST', '/v1/fine-tunes'],
    ['POST', '/v1/images/variations'],
    ['DELETE', '/v1/models/gpt-4o'],
  ])('%s %s is 501', async (method, path) => {
    const { status, error } = await as(method, path)
    expect([status, error.code, error.type]).toEqual([501, 'api_not_implemented', 'switchyard_error'])
  })

  it.each([
    ['GET', CHAT],
    ['POST', '/v1'],
    ['POST', '/v1/nothing'],
    ['POST', '/v1/models'],
    ['GET', '/pg/nothing'],
  ])('%s %s is 404 with the requested name', async (method, path) => {
    const { status, error } = await as(method, path)
    expect([status, error.type]).toEqual([404, 'invalid_request_error'])
    expect(error.message).toContain(method)
  })

  it('a path that cannot be decoded names no model', async () => {
    const path = '/v1/engines/%E0%A4%A/embeddings'
    expect((await onTheWire(world, path, { body: '{"input":"x"}' })).status).toBe(401)
    const { status, error } = await onTheWire(world, path, { key: await alice.key(), body: '{"input":"x"}' })
    expect([status, error.code]).toEqual([503, 'no_available_channel'])
  })
})

describe('browsers of other sites (docs/reference/security.md#same-origin-calls)', () => {
  const origin = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }

  it('may use keys on /v1, never credentials', async () => {
    const preflight = await onTheWire(world, CHAT, { method: 'OPTIONS', headers: origin })
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(preflight.headers['access-control-allow-headers']).toContain('authorization')
    const refused = await onTheWire(world, CHAT, { body: '{}', headers: { origin: origin.origin } })
    expect(refused.headers['access-control-allow-origin']).toBe('*')
    for (const { headers } of [preflight, refused]) expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('may not use /pg', async () => {
    for (const path of ['/pg/chat/completions', '/pg', '/pg/nothing'])
      for (const method of ['OPTIONS', 'POST', 'GET']) {
        const { headers } = await onTheWire(world, path, { method, headers: origin })
        expect(
          Object.keys(headers).filter((name) => name.startsWith('access-control')),
          path,
        ).toEqual([])
      }
  })

  it.each([CHAT, '/v1/models', '/pg/chat/completions'])('cannot come to %s by another name', async (path) => {
    for (const host of ['rebound.example', `rebound.example:${new URL(world.url).port}`, '127.0.0.1', ' ']) {
      const { status } = await onTheWire(world, path, { headers: { host }, key: await alice.key(), body: '{}' })
      expect(status, host).toBe(421)
    }
    const preflight = await onTheWire(world, path, {
      method: 'OPTIONS',
      headers: { ...origin, host: 'rebound.example' },
    })
    expect(preflight.status).toBe(421)
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
  })
})
