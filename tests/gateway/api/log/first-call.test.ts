import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { dataOf } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel()
  alice = await world.user({ quota: 1_000_000 })
})

/** Waits as the console does; `text` resolves with the complete stream once it has ended. */
async function waitAs(headers: Record<string, string>) {
  const leave = new AbortController()
  onTestFinished(() => leave.abort())
  const response = await fetch(`${world.url}/api/first-call`, { headers, signal: leave.signal })
  return { response, leave, text: response.text().catch(() => 'cut') }
}
const eventIn = (text: string) =>
  JSON.parse(
    text
      .split('\n')
      .find((line) => line.startsWith('data: '))
      ?.slice(6) ?? '',
  )

describe('waiting for the first call from outside', () => {
  it('reports the call once it is charged, and ends', async () => {
    const { response, text } = await waitAs(alice.identity())
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const before = await alice.quota()
    expect((await alice.asks('gpt-4o', 'hi')).status).toBe(200)
    const event = eventIn(await text)
    expect(event).toMatchObject({ model: 'gpt-4o', tokens: 15, request_id: expect.any(String), at: expect.any(Number) })
    expect(event.quota).toBe(before - (await alice.quota()))
  })

  it('reports streams, too', async () => {
    const { text } = await waitAs(alice.identity())
    await alice.asks('gpt-4o', 'hi', { stream: true })
    expect(eventIn(await text).model).toBe('gpt-4o')
  })

  it('reports neither the playground nor calls of other accounts', async () => {
    const { text } = await waitAs(alice.identity())
    const bob = await world.user({ quota: 1_000_000 })
    await bob.asks('gpt-4o', 'hi')
    const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })
    const headers = { ...alice.identity(), 'content-type': 'application/json' }
    expect((await fetch(`${world.url}/pg/chat/completions`, { method: 'POST', headers, body })).status).toBe(200)
    const early = await Promise.race([text, new Promise((resolve) => setTimeout(resolve, 150, 'still waiting'))])
    expect(early).toBe('still waiting')
    await alice.asks('gpt-4o', 'hi')
    expect(eventIn(await text).model).toBe('gpt-4o')
  })

  it('is closed to the anonymous', async () => {
    expect((await fetch(`${world.url}/api/first-call`)).status).toBe(401)
  })

  it('drops consoles that have left, and lets ten of one person wait', async () => {
    const carol = await world.user()
    const waits = await Promise.all(Array.from({ length: 10 }, () => waitAs(carol.identity())))
    expect((await carol.get('/api/first-call')).status).toBe(429)
    for (const { leave } of waits) leave.abort()
    await expect.poll(async () => (await waitAs(carol.identity())).response.status).toBe(200)
  })

  it('ends when the gateway stops', async () => {
    const other = await aWorld()
    const response = await fetch(`${other.url}/api/first-call`, { headers: other.admin.identity() })
    const text = response.text().catch(() => 'cut')
    await other.gateway.stop()
    expect(await text).toBeTypeOf('string')
  })
})

describe('the last call from outside', () => {
  it('is empty for a user who has made none, and the newest otherwise, with its details', async () => {
    // A fixed clock, so that no time passes between the calls.
    const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } }, clock: aClock(Date.now()) })
    await world.channel()
    const dora = await world.user({ quota: 1_000_000 })
    const last = async () => dataOf(await dora.get('/api/first-call/last'))
    expect(await last()).toBeNull()
    const before = await dora.quota()
    await dora.asks('gpt-4o', 'hi')
    const at = Math.floor(world.clock.now() / 1000)
    expect(await last()).toEqual({ model: 'gpt-4o', tokens: 15, quota: before - (await dora.quota()), at })
    world.clock.advanceSeconds(90)
    await dora.asks('gpt-4o', 'again', { stream: true })
    expect(await last()).toMatchObject({ model: 'gpt-4o', at: at + 90 })
    const other = dataOf(await dora.post('/api/token', { name: 'other', unlimited_quota: true }))
    expect(dataOf(await dora.get(`/api/first-call/last?token_id=${other.id}`))).toBeNull()
  })

  it('does not count the playground, and keeps its time where the log was cleared', async () => {
    const eve = await world.user({ quota: 1_000_000 })
    const headers = { ...eve.identity(), 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })
    await fetch(`${world.url}/pg/chat/completions`, { method: 'POST', headers, body })
    expect(dataOf(await eve.get('/api/first-call/last'))).toBeNull()
    await eve.asks('gpt-4o', 'hi')
    const { at } = dataOf(await eve.get('/api/first-call/last'))
    await world.gateway.inner.db.deleteFrom('logs').where('user_id', '=', eve.id).execute()
    expect(dataOf(await eve.get('/api/first-call/last'))).toEqual({ model: null, tokens: null, quota: null, at })
  })
})
