import { beforeAll, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../support/chat.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'
import { aCaller, refused } from './websockets/caller.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ models: 'm' })
  alice = await world.user({ quota: 1_000_000 })
})

const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const key = await alice.key()
  const all = { authorization: `Bearer sk-${key}`, 'x-api-key': `sk-${key}`, 'content-type': 'application/json' }
  return fetch(world.url + path, { method: 'POST', headers: { ...all, ...headers }, body: JSON.stringify(body) })
}
const messages = [{ role: 'user', content: 'hello' }]
const SAYS = 'The operator of this gateway has paused it. Try again later.'

describe('a relay that its operator has paused (docs/reference/reliability.md#paused)', () => {
  it('refuses new requests in every dialect, with nothing charged, and accepts them again', async () => {
    const { shell } = world.gateway
    world.upstream.answers({ body: chatAnswer('hello') })
    shell.pause(true)
    expect(shell.isPaused()).toBe(true)
    const english = { 'accept-language': 'en' }
    const chat = await post('/v1/chat/completions', { model: 'm', messages }, english)
    expect([chat.status, chat.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await chat.json()).toMatchObject({ error: { message: expect.stringContaining(SAYS) } })
    const claude = await post('/v1/messages', { model: 'm', max_tokens: 5, messages }, english)
    expect([claude.status, await claude.json()]).toMatchObject([
      503,
      { type: 'error', error: { message: expect.stringContaining(SAYS) } },
    ])
    const gemini = await post('/v1beta/models/m:generateContent', { contents: [] }, english)
    expect([gemini.status, await gemini.json()]).toMatchObject([
      503,
      { error: { code: 503, message: expect.stringContaining(SAYS) } },
    ])
    expect((await refused(aCaller(world, '/v1/realtime?model=m', alice))).status).toBe(503)
    expect(world.upstream.requests).toEqual([])
    shell.pause(false)
    expect((await post('/v1/chat/completions', { model: 'm', messages })).status).toBe(200)
  })

  it('lets running requests and the console continue', async () => {
    const { shell } = world.gateway
    world.upstream.answers({ events: chatStream(['one ', 'two ', 'three ']), gapMs: 30 })
    const stream = await post('/v1/chat/completions', { model: 'm', stream: true, messages })
    shell.pause(true)
    expect(await stream.text()).toContain('[DONE]')
    expect((await world.admin.get('/api/status')).success).toBe(true)
    shell.pause(false)
  })

  it('uses new connections once the machine has slept, and reports today’s requests', async () => {
    const { shell } = world.gateway
    world.upstream.answers({ body: chatAnswer('hello') })
    expect((await post('/v1/chat/completions', { model: 'm', messages })).status).toBe(200)
    shell.woke()
    expect((await post('/v1/chat/completions', { model: 'm', messages })).status).toBe(200)
    const { calls, errors, cost } = await shell.usageSince(Math.floor(world.clock.now() / 1000) - 3600)
    expect([calls, errors]).toEqual([4, 0])
    expect(cost).toMatch(/^\$0\.0/)
  })
})
