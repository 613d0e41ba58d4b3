import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatStream } from '../../support/chat.ts'
import { dataOf } from '../../support/client.ts'
import { reconcile } from '../../support/reconcile.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel()
})
beforeEach(() => world.upstream.reset())

const QUOTA = 1_000_000
const reached = (count: number) => expect.poll(() => world.upstream.requests.length).toBe(count)

/** Starts a stream; returns it and its result. */
async function begun(person: Person) {
  const response = await fetch(`${world.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer sk-${await person.key()}`,
      'content-type': 'application/json',
      'accept-language': 'en',
    },
    body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'go on' }] }),
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('answer')) text += (await reader?.read())?.value ?? ''
  const rest = async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value
    return text
  }
  return { rest, text: () => text }
}

describe('requests that are running when their account is closed (docs/reference/accounts.md#managing-accounts)', () => {
  it.each([
    ['disabled', (id: number) => world.admin.post('/api/user/manage', { id, action: 'disable' })],
    ['deactivated', (id: number) => world.admin.post('/api/user/manage', { id, action: 'delete' })],
    ['removed', (id: number) => world.admin.delete(`/api/user/${id}`)],
  ])('end at once when it is %s: a stream with an error, charged for what was delivered', async (_, close) => {
    world.upstream.streams(chatStream(['a long', ' answer']).slice(0, 3), { hang: true })
    const [person, other] = [await world.user({ quota: QUOTA }), await world.user({ quota: QUOTA })]
    const [stream, others] = [await begun(person), await begun(other)]
    const { id } = dataOf(await person.get('/api/user/self'))
    const upstreamCall = world.upstream.requests[0]
    dataOf(await close(id))
    expect((await person.get('/api/user/self')).status).toBe(401)
    expect(await stream.rest()).toMatch(/"error"|error_event|event: error/)
    expect(await upstreamCall?.aborted).toBe(true)
    expect(others.text()).not.toContain('"error"')
    const { ledger, db } = world.gateway.inner
    await ledger.flush()
    const rows = await db
      .selectFrom('logs')
      .select(['quota', 'type'])
      .where('user_id', '=', id)
      .where('type', '=', 2)
      .execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]?.quota).toBeGreaterThan(0)
    expect(await reconcile(db)).toEqual([])
    dataOf(await world.admin.post('/api/user/manage', { id: other.id, action: 'disable' }))
    await others.rest()
  })

  it('are refused where they have no answer yet, cost nothing, and their upstream is disconnected', async () => {
    world.upstream.answers({ hang: true })
    const person = await world.user({ quota: QUOTA })
    const asked = person.asks('gpt-4o', 'hello')
    await reached(1)
    dataOf(await world.admin.post('/api/user/manage', { id: person.id, action: 'disable' }))
    expect(await asked).toMatchObject({ status: 403, json: { error: { code: 'user_banned' } } })
    expect(await world.upstream.last().aborted).toBe(true)
    expect(await person.quota()).toBe(QUOTA)
  })

  it.each([
    ['demoted', 401, (id: number) => world.admin.post('/api/user/manage', { id, action: 'demote' })],
    ['given another password', 401, (id: number) => world.admin.put('/api/user', { id, password: 'another-password' })],
    ['renamed', 200, (id: number) => world.admin.put('/api/user', { id, display_name: 'Ann' })],
  ])('continue where it is %s: the keys stay, and the answer to its open page is %i', async (_, status, change) => {
    world.upstream.streams(chatStream(['a long', ' answer']).slice(0, 3), { hang: true })
    const person = await world.user({ quota: QUOTA, role: 10 })
    const stream = await begun(person)
    dataOf(await change(person.id))
    expect((await person.get('/api/user/self')).status).toBe(status)
    expect(stream.text()).not.toContain('"error"')
    dataOf(await world.admin.post('/api/user/manage', { id: person.id, action: 'disable' }))
    expect(await stream.rest()).toContain('error')
  })
})
