import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import { reconcile } from '../../../support/reconcile.ts'
import type { Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { aCaller } from '../websockets/caller.ts'
import { aSocketVendor } from '../websockets/socket-vendor.ts'

let world: World
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1, 'gpt-realtime': 1 } } })
  await world.channel()
})
beforeEach(() => world.upstream.reset())

const QUOTA = 1_000_000
const endless = () => world.upstream.streams(chatStream(['a long', ' answer']).slice(0, 2), { hang: true })

/** Starts a stream with a key; returns it and its result. */
async function begun(key: string) {
  const body = { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'go on' }] }
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json', 'accept-language': 'en' }
  const response = await fetch(`${world.url}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
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

type Key = Readonly<{ id: number; key: string }>

describe('requests that run with a key that ends (docs/reference/accounts.md#api-tokens)', () => {
  it.each<[string, (person: Person, key: Key) => Promise<unknown>]>([
    ['disabled', (person, { id }) => person.put('/api/token?status_only=true', { id, status: 2 })],
    ['deleted', (person, { id }) => person.delete(`/api/token/${id}`)],
    ['given another key', (person, { id }) => person.post(`/api/token/${id}/key`)],
    ['revoked by the super administrator', (_, { id }) => world.admin.post(`/api/share/keys/${id}/revoke`)],
  ])('end at once when it is %s: an error within the stream, charged for what was delivered', async (_, end) => {
    endless()
    const person = await world.user({ quota: QUOTA })
    const [key, other] = [await world.token(person), await world.token(person)]
    const [stream, others] = [await begun(key.key), await begun(other.key)]
    const [upstreamCall] = world.upstream.requests
    dataOf((await end(person, key)) as never)
    expect(await stream.rest()).toMatch(/"error"|event: error/)
    expect(await upstreamCall?.aborted).toBe(true)
    expect(others.text()).not.toContain('"error"')
    expect(await person.asks('gpt-4o', 'again', { key: key.key })).toMatchObject({ status: 401 })
    const { ledger, db } = world.gateway.inner
    await ledger.flush()
    const rows = await db
      .selectFrom('logs')
      .select('quota')
      .where('token_id', '=', key.id)
      .where('type', '=', 2)
      .execute()
    expect(rows.map(({ quota }) => quota > 0)).toEqual([true])
    dataOf(await person.delete(`/api/token/${other.id}`))
    await others.rest()
    expect(await reconcile(db)).toEqual([])
  })

  it('are refused where they have no answer yet, and charged as if their caller had hung up', async () => {
    const { promise, resolve } = Promise.withResolvers<Script>()
    world.upstream.answers(() => promise)
    const person = await world.user({ quota: QUOTA })
    const key = await world.token(person)
    const asked = person.asks('gpt-4o', 'hello', { key: key.key })
    await expect.poll(() => world.upstream.requests.length).toBe(1)
    dataOf(await person.put('/api/token?status_only=true', { id: key.id, status: 2 }))
    expect(await asked).toMatchObject({ status: 401, json: { error: { code: 'token_disabled' } } })
    resolve({ body: chatAnswer('hi') })
    expect(await world.upstream.last().aborted).toBe(false)
    await expect.poll(() => person.quota()).toBeLessThan(QUOTA)
  })

  it('continue where the key was only renamed', async () => {
    endless()
    const person = await world.user({ quota: QUOTA })
    const key = await world.token(person)
    const stream = await begun(key.key)
    dataOf(await person.put('/api/token', { id: key.id, name: 'another name' }))
    expect(stream.text()).not.toContain('"error"')
    dataOf(await person.delete(`/api/token/${key.id}`))
    expect(await stream.rest()).toContain('error')
  })

  it('include sockets, which are closed with the reason', async () => {
    const vendor = await aSocketVendor()
    await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
    const person = await world.user({ quota: QUOTA * 1000 })
    const key = await world.token(person)
    const caller = await aCaller(world, '/v1/realtime?model=gpt-realtime', person, { key: key.key })
    dataOf(await person.put('/api/token?status_only=true', { id: key.id, status: 2 }))
    expect(await caller.closed).toEqual({ code: 1008, reason: 'token_disabled' })
    await vendor.stop()
  })
})
