import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type World } from '../../../support/world.ts'

const KEY = 'sk-proj-very-secret-key'
const MODELS = { object: 'list', data: [{ id: 'text-embedding-3-small' }, { id: 'gpt-4o-mini' }, { id: 'gpt-4o' }] }

let world: World
beforeAll(async () => {
  world = await aWorld()
})
beforeEach(() => world.upstream.reset())

/** A vendor that supports every request. */
const goodVendor = ({ path, json }: Recorded): Script => {
  if (path === '/v1/models') return { body: MODELS }
  if (path !== '/v1/chat/completions') return { status: 404, body: { error: { message: 'no such route' } } }
  if (json.stream) return { events: chatStream(['Hello']) }
  return { body: json.tools ? calling : chatAnswer('Hello') }
}
const calling = {
  ...chatAnswer(''),
  choices: [{ index: 0, message: { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function' }] } }],
}
const refusing = (status: number, error: object | string) => () => ({ status, body: { error } })

const probe = async (fields: object = {}) =>
  dataOf(await world.admin.post('/api/channel/probe', { type: 1, key: KEY, base_url: world.upstream.url, ...fields }))
const codes = ({ list, plain, stream, tool }: Record<string, { code: string }>) =>
  [list, plain, stream, tool].map((verdict) => verdict?.code)

describe('trying a channel out before it is saved', () => {
  it('lists the models and makes a plain call, a stream and a tool call', async () => {
    world.upstream.answers(goodVendor)
    const answer = await probe()
    expect(codes(answer)).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(answer).toMatchObject({
      url: `${world.upstream.url}/v1/chat/completions`,
      base_url: world.upstream.url,
      models: ['text-embedding-3-small', 'gpt-4o-mini', 'gpt-4o'],
      model: expect.stringMatching(/^gpt-4o/),
    })
    const chats = world.upstream.requests.filter(({ path }) => path === '/v1/chat/completions')
    const asked = chats.map(({ json }) => json)
    expect(asked.map(({ stream, tools }) => [stream, tools?.length ?? 0]).sort()).toEqual([
      [false, 0],
      [false, 1],
      [true, 0],
    ])
    expect(world.upstream.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true)
  })

  it.each(['/v1', '/v1/', '/v1/chat/completions', '/v1/models'])('mends an address that ends with %s', async (end) => {
    world.upstream.answers(goodVendor)
    const answer = await probe({ base_url: world.upstream.url + end })
    expect(answer).toMatchObject({ base_url: world.upstream.url, plain: { ok: true } })
  })

  it('finds out whether a server at a custom address has Responses, which Codex needs', async () => {
    world.upstream.answers(goodVendor)
    expect((await probe()).api_format).toBe('chat')
    world.upstream.answers((recorded) =>
      recorded.path === '/v1/responses' ? { body: { id: 'r', object: 'response', output: [] } } : goodVendor(recorded),
    )
    expect((await probe()).api_format).toBe('auto')
  })

  it.each(['', '/v1', '/v1/chat/completions'])('lists the models for a full URL: %s', async (end) => {
    world.upstream.answers(goodVendor)
    const answer = await probe({ type: 8, base_url: world.upstream.url + end })
    expect(codes(answer)).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(answer).toMatchObject({ models: expect.arrayContaining(['gpt-4o']), api_format: 'auto' })
  })

  it('tests a full URL of another kind with the chosen models', async () => {
    world.upstream.answers(({ json }) =>
      json.stream ? { events: chatStream(['Hello']) } : { body: chatAnswer('Hello') },
    )
    const answer = await probe({ type: 8, base_url: `${world.upstream.url}/deployments/{model}/chat`, models: ['own'] })
    expect([answer.list.code, answer.plain.code]).toEqual(['no_list', 'ok'])
  })

  it('saves and logs nothing', async () => {
    world.upstream.answers(goodVendor)
    await probe()
    const { db, ledger } = world.gateway.inner
    await ledger.flush()
    expect(await db.selectFrom('channels').select('id').execute()).toEqual([])
    expect(await db.selectFrom('logs').select('id').where('type', '=', 2).execute()).toEqual([])
  })

  it('tests the named model, else the first chosen one that supports chat', async () => {
    world.upstream.answers(goodVendor)
    expect((await probe({ model: 'my-own' })).model).toBe('my-own')
    expect((await probe({ models: ['text-embedding-3-small', 'o3-mini'] })).model).toBe('o3-mini')
    const chat = world.upstream.requests.findLast(({ path }) => path === '/v1/chat/completions')
    expect(chat?.json).toMatchObject({ model: 'o3-mini', max_completion_tokens: expect.any(Number) })
  })

  it.each([
    [401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }, 'bad_key'],
    [400, { message: 'API key not valid. Please pass a valid API key.' }, 'bad_key'],
    [403, { message: 'forbidden' }, 'bad_key'],
    [404, 'Not Found', 'bad_path'],
    [405, { message: 'method not allowed' }, 'bad_path'],
    [404, { message: 'The model `x` does not exist', code: 'model_not_found' }, 'no_model'],
    [400, { message: 'Model Not Exist' }, 'no_model'],
    [402, { message: 'Insufficient Balance' }, 'no_credit'],
    [429, { message: 'You exceeded your current quota', type: 'insufficient_quota' }, 'no_credit'],
    [429, { message: 'slow down' }, 'rate_limited'],
    [504, { message: 'late' }, 'timeout'],
    [500, { message: 'oops' }, 'failed'],
  ] as const)('reads %i %o as %s', async (status, error, code) => {
    world.upstream.answers(refusing(status, error))
    expect((await probe({ model: 'gpt-4o' })).plain).toMatchObject({ ok: false, code })
  })

  it('reads a page as a wrong path and other text as unreadable', async () => {
    world.upstream.answers({ body: '<!doctype html><title>Welcome</title>' })
    expect(codes(await probe({ model: 'gpt-4o' }))).toEqual(['bad_path', 'bad_path', 'bad_path', 'bad_path'])
    world.upstream.reset()
    world.upstream.answers({ body: 'hello' })
    expect((await probe({ model: 'gpt-4o' })).plain.code).toBe('unreadable')
  })

  it('distinguishes a model that only answers from one that calls tools', async () => {
    world.upstream.answers((asked) => (asked.json?.tools ? { body: chatAnswer('It is noon.') } : goodVendor(asked)))
    expect(codes(await probe())).toEqual(['ok', 'ok', 'ok', 'no_tool_call'])
  })

  it('reports an unreachable vendor once, and stops', async () => {
    const answer = await probe({ base_url: 'http://127.0.0.1:1', model: 'gpt-4o' })
    expect(codes(answer)).toEqual(['unreachable', 'unreachable', 'unreachable', 'unreachable'])
  })

  it('shows the vendor’s words without the key and without addresses', async () => {
    world.upstream.answers(refusing(401, { message: `key ${KEY} is unknown at http://10.1.2.3/admin` }))
    const answer = await probe({ model: 'gpt-4o' })
    expect(answer.plain.message).toContain('is unknown')
    expect(JSON.stringify(answer)).not.toMatch(/very-secret|10\.1\.2\.3/)
  })

  it('refuses metadata addresses, invalid addresses, and dialects the relay does not support', async () => {
    for (const fields of [{ base_url: 'http://169.254.169.254' }, { base_url: 'nonsense' }, { type: 2, base_url: '' }])
      expect((await world.admin.post('/api/channel/probe', { type: 1, key: KEY, ...fields })).success).toBe(false)
    expect(world.upstream.requests).toEqual([])
  })

  it('is only for administrators', async () => {
    const person = await world.user()
    for (const path of ['probe', 'prices'])
      expect((await person.post(`/api/channel/${path}`, { type: 1, key: KEY, models: [] })).success).toBe(false)
    expect((await person.get('/api/channel/vendors')).success).toBe(false)
  })
})

describe('the choices for a new channel', () => {
  it('offers the vendors the relay speaks to', async () => {
    const vendors = dataOf(await world.admin.get('/api/channel/vendors'))
    expect(vendors).toEqual(expect.arrayContaining([1, 8, 20, 43]))
    expect(vendors).not.toContain(2)
    expect(vendors).not.toContain(6)
  })

  it('prices models in dollars, and reports those without a price', async () => {
    await world.option('ModelRatio', { 'gpt-4o': 1.25 })
    await world.option('CompletionRatio', { 'gpt-4o': 4 })
    await world.option('ModelPrice', { 'by-call': 0.1 })
    const models = ['gpt-4o', 'by-call', 'unknown']
    expect(dataOf(await world.admin.post('/api/channel/prices', { models }))).toEqual([
      { model: 'gpt-4o', input: 2.5, output: 10, fixed: null },
      { model: 'by-call', input: null, output: null, fixed: 0.1 },
      { model: 'unknown', input: null, output: null, fixed: null },
    ])
  })
})
