import { beforeAll, describe, expect, it } from 'vitest'
import { keyFrom } from '../../../../gateway/relay/admission/credentials.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { onTheWire } from '../delivery/wire.ts'

let world: World
let key: string

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel({ type: 43 })
  key = await world.admin.key()
})

const messages = [{ role: 'user', content: 'Hi' }]
type ResponseLocation = (key: string) => { headers?: Record<string, string>; query?: string }
const anywhere: readonly ResponseLocation[] = [
  (sent) => ({ headers: { authorization: `Bearer ${sent}` } }),
  (sent) => ({ headers: { authorization: `bEARER   ${sent}  ` } }),
  (sent) => ({ headers: { authorization: sent } }),
  (sent) => ({ headers: { 'mj-api-secret': `Bearer ${sent}` } }),
]
const anthropic: readonly ResponseLocation[] = [
  (sent) => ({ headers: { 'x-api-key': sent } }),
  (sent) => ({ headers: { 'x-api-key': sent, 'anthropic-version': '2023-06-01' } }),
  (sent) => ({ headers: { 'x-api-key': sent, 'anthropic-version': '2099-12-31' } }),
  (sent) => ({ headers: { authorization: `Bearer ${sent}`, 'anthropic-version': 'whatever' } }),
]
const google: readonly ResponseLocation[] = [
  (sent) => ({ headers: { 'x-goog-api-key': sent } }),
  (sent) => ({ query: `?key=${sent}` }),
  (sent) => ({ query: `?alt=json&key=${sent}`, headers: { authorization: '' } }),
]
const gemini = { contents: [{ parts: [{ text: 'Hi' }] }] }

/** Every kind of route with its request, and the key locations of the vendors whose clients call it. */
const routes: readonly (readonly [
  path: string,
  body: object | undefined,
  ...vendors: (readonly ResponseLocation[])[],
])[] = [
  ['/v1/chat/completions', { model: 'gpt-4o', messages }],
  ['/v1/responses', { model: 'gpt-4o', input: 'Hi' }],
  ['/v1/responses/input_tokens', { model: 'gpt-4o', input: 'Hi' }],
  ['/v1/messages', { model: 'gpt-4o', messages, max_tokens: 9 }, anthropic],
  ['/v1/messages/count_tokens', { model: 'gpt-4o', messages }, anthropic],
  ['/v1beta/models/gpt-4o:generateContent', gemini, google],
  ['/v1/models/gpt-4o:countTokens', gemini, google],
  ['/v1/models', undefined, anthropic, google],
  ['/v1/models/gpt-4o', undefined, anthropic, google],
  ['/v1beta/models', undefined, google],
  ['/v1beta/openai/models/gpt-4o', undefined],
  ['/v1/dashboard/billing/usage', undefined],
  ['/dashboard/billing/subscription', undefined],
]

describe('a key is found where clients of the route’s vendor put it (docs/reference/endpoints.md#api-key)', () => {
  const cells = routes.flatMap(([path, body, ...vendors]) =>
    [anywhere, ...vendors].flat().map((place) => [path, JSON.stringify(place('KEY')), body, place] as const),
  )

  it.each(cells)('%s with %s', async (path, _, body, place) => {
    const { headers = {}, query = '' } = place(`sk-${key}`)
    const sent = body ? { body: JSON.stringify(body) } : { method: 'GET' }
    const json = { 'content-type': 'application/json' }
    expect((await onTheWire(world, path + query, { ...sent, headers: { ...json, ...headers } })).status).toBe(200)
    const none = place(`sk-${'0'.repeat(48)}`)
    const refused = await onTheWire(world, path + (none.query ?? ''), {
      ...sent,
      headers: { ...json, ...none.headers },
    })
    expect(refused.status).toBe(401)
  })
})

describe('the key from the first source that applies', () => {
  const of = (path: string, headers: Record<string, string>, query = '') => keyFrom(headers, path, query)?.key

  it.each([
    ['/v1/chat/completions', { authorization: 'Bearer a', 'x-api-key': 'b', 'x-goog-api-key': 'c' }, 'key=d', 'a'],
    ['/v1/messages', { authorization: 'Bearer a', 'x-api-key': 'b', 'x-goog-api-key': 'c' }, 'key=d', 'b'],
    ['/v1beta/models/x:generateContent', { authorization: 'Bearer a', 'x-goog-api-key': 'c' }, 'key=d', 'c'],
    ['/v1beta/models/x:generateContent', { authorization: 'Bearer a' }, 'key=d', 'd'],
    ['/v1beta/openai/models', { authorization: 'Bearer a' }, '', 'a'],
    ['/v1/models', { authorization: 'Bearer a', 'x-api-key': 'b' }, 'key=d', 'b'],
    ['/v1/responses', { authorization: 'midjourney-proxy', 'mj-api-secret': 'e' }, '', 'e'],
    ['/v1/realtime', { 'sec-websocket-protocol': 'realtime, openai-insecure-api-key.sk-f' }, 'key=d', 'f'],
    ['/v1/chat/completions', { authorization: 'Bearer' }, 'key=', undefined],
    ['/v1/chat/completions', { 'x-api-key': 'b', 'x-goog-api-key': 'c' }, 'key=d', undefined],
  ])('of %s with %o and %s is %s', (path, headers, query, key) => {
    expect(of(path, headers, query)).toBe(key)
  })
})
