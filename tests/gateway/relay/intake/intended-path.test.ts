import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person
let key: string
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel({ models: 'gpt-4o' })
  alice = await world.user({ quota: 1_000_000_000 })
  key = `sk-${await alice.key()}`
})

const asks = (method: string, path: string, headers: Record<string, string> = {}) => {
  const body =
    method === 'POST' ? JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }) : null
  const json = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  return fetch(world.url + path, { method, body, headers: { ...json, ...headers } })
}

describe('a path with too many or too few prefixes is served (docs/reference/endpoints.md#other-paths)', () => {
  it.each([
    '/chat/completions',
    '/chat/completions/',
    '//chat/completions',
    '//v1/chat/completions',
    '/v1//chat/completions',
    '/v1/v1/chat/completions',
    '/v1/v1/v1/chat/completions',
    '/v1beta/v1/chat/completions',
    '/v1/v1beta/openai/chat/completions',
    '/messages',
    '/v1/v1/messages',
  ])('POST %s', async (path) => {
    const answer = await asks('POST', path)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Hello there')])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('speaks the dialect of the path that was meant, and reads the key where its clients put it', async () => {
    const answer = await asks('POST', '/messages', { authorization: '', 'x-api-key': 'sk-none' })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'))
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
  })

  it.each(['/models', '/v1/v1/models', '/v1/v1beta/models'])('GET %s', async (path) => {
    const answer = await asks('GET', path)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('gpt-4o')])
  })

  it('answers preflight requests of browsers', async () => {
    const answer = await fetch(`${world.url}/chat/completions`, { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-headers')).toContain('authorization')
  })
})

/** Wrong request paths, and the path suggested for each. */
const wrong = [
  ['POST', '/v1beta/chat/completions', 'POST /v1/chat/completions'],
  ['POST', '/v2/messages', 'POST /v1/messages'],
  ['POST', '/v2/responses', 'POST /v1/responses'],
  ['GET', '/v1/chat/completions', 'POST /v1/chat/completions'],
  ['GET', '/chat/completions', 'POST /v1/chat/completions'],
  ['POST', '/v1/models', 'GET /v1/models'],
  ['POST', '/v1/openai/v1/chat/completions', 'POST /v1/chat/completions'],
  ['POST', '/openai/v1/chat/completions', 'POST /v1/chat/completions'],
  ['POST', '/anthropic/v1/messages', 'POST /v1/messages'],
  ['POST', '/api/v1/chat/completions', 'POST /v1/chat/completions'],
  ['POST', '/v1/chat/completion', 'POST /v1/chat/completions'],
  ['POST', '/v1/chat', 'POST /v1/chat/completions'],
  ['POST', '/v1/message', 'POST /v1/messages'],
] as const

describe('an unknown path similar to a known one is answered with that', () => {
  it.each(wrong)('%s %s: did you mean %s?', async (method, path, meant) => {
    const answer = await asks(method, path)
    const { error } = await answer.json()
    expect(answer.status).toBe(404)
    expect(error.message).toContain(`Invalid URL (${method} ${path})`)
    expect(error.message).toContain(`Did you mean ${meant}?`)
  })

  it('does so in the dialect of the proposal', async () => {
    const answer = await asks('POST', '/v2/messages')
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
  })

  it.each([
    ['GET', '/v1/nonsense'],
    ['POST', '/v1/nonsense'],
    ['POST', '/v1/pg/chat/completions/x'],
    ['POST', '/nonsense'],
  ])('%s %s is proposed nothing', async (method, path) => {
    const answer = await asks(method, path)
    expect(answer.status).toBe(404)
    expect((await answer.json()).error.message).not.toContain('Did you mean')
  })

  it.each(['/v1/pg/chat/completions', '//pg/chat/completions', '/v1/v1/dashboard/billing/usage'])(
    'a path that is not for programs, or is counted by address, has no other name: %s',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const answer = await asks(method, path)
        expect(await answer.text()).not.toMatch(/Hello there|total_usage/)
      }
    },
  )

  it('pages of the console stay its own', async () => {
    for (const path of ['/chat', '/log', '/token', '/messages-of-mine']) {
      const answer = await fetch(world.url + path)
      expect(answer.headers.get('content-type')).not.toContain('json')
    }
  })
})
