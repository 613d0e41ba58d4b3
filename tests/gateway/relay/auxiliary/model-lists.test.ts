import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type World } from '../../../support/world.ts'
import { onTheWire } from '../delivery/wire.ts'
import { gathered } from './gathered.ts'

const names = Array.from({ length: 25 }, (_, index) => `model-${String(index).padStart(2, '0')}`)
let world: World
let apiKey: string

beforeAll(async () => {
  world = await aWorld({
    options: { ModelRatio: Object.fromEntries([...names, 'org/model'].map((name) => [name, 1])) },
  })
  await world.channel({ models: [...names, 'org/model'].join(',') })
  apiKey = `sk-${await world.admin.key()}`
})

const openai = () => new OpenAI({ apiKey, baseURL: `${world.url}/v1`, maxRetries: 0 })
const anthropic = () => new Anthropic({ apiKey, baseURL: world.url, maxRetries: 0 })
const google = () => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: world.url } })
const all = [...names, 'org/model']

const namesIn = async <T>(pages: AsyncIterable<T>, name: (item: T) => string | undefined) =>
  (await gathered(pages)).map(name)

describe('the model list, as the official SDKs read it (docs/reference/endpoints.md#model-lists)', () => {
  it('openai: list and retrieve, under /v1 and under Gemini’s OpenAI path', async () => {
    const compatible = new OpenAI({ apiKey, baseURL: `${world.url}/v1beta/openai`, maxRetries: 0 })
    for (const client of [openai(), compatible]) {
      expect(await namesIn(await client.models.list(), ({ id }) => id)).toEqual(all)
      expect(await client.models.retrieve('org/model')).toMatchObject({ id: 'org/model', object: 'model' })
    }
    await expect(openai().models.retrieve('nothing')).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('@anthropic-ai/sdk: whole, page by page in both directions, and one', async () => {
    const { models } = anthropic()
    expect(await namesIn(models.list(), ({ id }) => id)).toEqual(all)
    expect(await namesIn(models.list({ limit: 7 }), ({ id }) => id)).toEqual(all)
    const page = await models.list({ limit: 7, after_id: 'model-06' })
    expect(page).toMatchObject({ first_id: 'model-07', last_id: 'model-13', has_more: true })
    const before = await models.list({ limit: 3, before_id: 'model-02' })
    expect(before).toMatchObject({ first_id: 'model-00', last_id: 'model-01', has_more: false })
    expect(await models.retrieve('model-03')).toMatchObject({ type: 'model', id: 'model-03', display_name: 'model-03' })
    await expect(models.retrieve('nothing')).rejects.toBeInstanceOf(Anthropic.NotFoundError)
    await expect(models.list({ after_id: 'nothing' })).rejects.toBeInstanceOf(Anthropic.BadRequestError)
  })

  it('@anthropic-ai/sdk with a bearer token reads it too', async () => {
    const client = new Anthropic({ authToken: apiKey, apiKey: null, baseURL: world.url, maxRetries: 0 })
    expect(await namesIn(client.models.list(), ({ id }) => id)).toEqual(all)
  })

  it('@google/genai: whole, page by page, and one', async () => {
    const { models } = google()
    const told = all.map((name) => `models/${name}`)
    expect(await namesIn(await models.list(), ({ name }) => name)).toEqual(told)
    expect(await namesIn(await models.list({ config: { pageSize: 10 } }), ({ name }) => name)).toEqual(told)
    expect(await models.get({ model: 'model-04' })).toMatchObject({ name: 'models/model-04', displayName: 'model-04' })
    await expect(models.get({ model: 'nothing' })).rejects.toMatchObject({ name: 'ApiError', status: 404 })
  })
})

describe('the forms of a request for a list', () => {
  const ask = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    onTheWire(world, path, { method, headers: { authorization: `Bearer ${apiKey}`, ...headers } })

  it.each(['/v1/models', '/v1beta/models', '/v1beta/openai/models'])('%s with a slash, and as HEAD', async (path) => {
    const plain = await ask(path)
    expect(plain.status).toBe(200)
    expect((await ask(`${path}/`)).text).toBe(plain.text)
    const head = await ask(path, 'HEAD')
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', plain.headers['content-length']])
  })

  it.each([
    ['/v1beta/models?pageSize=x', 400, 'INVALID_ARGUMENT'],
    ['/v1beta/models?pageToken=nothing', 400, 'INVALID_ARGUMENT'],
    ['/v1beta/models/nothing', 404, 'NOT_FOUND'],
    ['/v1beta/nothing', 404, 'NOT_FOUND'],
  ])('%s is refused as Gemini would', async (path, code, status) => {
    expect((await ask(path)).error).toMatchObject({ code, status })
  })

  it('no size and a size of 0 mean the vendor’s own, which is everything', async () => {
    for (const path of ['/v1beta/models?pageSize=0', '/v1beta/models?pageSize=5000'])
      expect(JSON.parse((await ask(path)).text)).toMatchObject({ nextPageToken: null, models: { length: all.length } })
  })

  it.each([
    [{ 'anthropic-version': '2023-06-01' }, { type: 'not_found_error' }],
    [{ 'x-goog-api-key': 'none' }, { status: 'NOT_FOUND' }],
    [{}, { type: 'invalid_request_error' }],
  ])('an unknown path is answered in the dialect of the headers %o', async (headers, error) => {
    const answer = await ask('/v1/nothing', 'POST', headers)
    expect([answer.status, answer.error]).toEqual([404, expect.objectContaining(error)])
    expect(answer.error.message).toContain('POST /v1/nothing')
  })
})
