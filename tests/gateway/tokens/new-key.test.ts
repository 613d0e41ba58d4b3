import { beforeAll, describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

let world: World
let alice: Person
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel()
  alice = await world.user({ quota: 1_000_000_000 })
})

const askWith = (key: string) =>
  fetch(`${world.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(chat),
  })
const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }

describe('a new key for a token (docs/reference/accounts.md#api-tokens)', () => {
  it('is the only valid one from then on: the old one stops working, although it has just been used', async () => {
    const token = await world.token(alice, { name: 'laptop', remain_quota: 500_000 })
    expect((await askWith(token.key)).status).toBe(200)
    const changed = dataOf(await alice.post(`/api/token/${token.id}/key`))
    expect(changed.key).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(changed.key).not.toBe(token.key)
    const refused = await askWith(token.key)
    expect([refused.status, (await refused.json()).error.code]).toEqual([401, 'invalid_api_key'])
    expect((await askWith(changed.key)).status).toBe(200)
    const { key, used_quota, ...rest } = dataOf(await alice.get(`/api/token/${token.id}`))
    expect(key).toBe(changed.key)
    expect(rest).toMatchObject({ id: token.id, name: 'laptop', created_time: token.created_time })
    expect(used_quota).toBeGreaterThan(0)
  })

  it('is in the log, without the key', async () => {
    const token = await world.token(alice, { name: 'logged' })
    const { key } = dataOf(await alice.post(`/api/token/${token.id}/key`))
    await world.gateway.inner.ledger.flush()
    const { db } = world.gateway.inner
    const rows = await db.selectFrom('logs').selectAll().where('user_id', '=', alice.id).where('type', '=', 3).execute()
    const row = rows.find(({ content }) => content.includes('logged'))
    expect(JSON.parse(row?.other ?? '{}')).toEqual({
      admin_info: { token: token.id, actor: { id: alice.id, username: alice.username } },
    })
    expect(JSON.stringify(row)).not.toContain(key)
  })

  it('is only for the owner', async () => {
    const { id, key } = await world.token(alice)
    const bob = await world.user()
    for (const person of [bob, world.admin])
      expect(await person.post(`/api/token/${id}/key`)).toMatchObject({ success: false })
    expect(dataOf(await alice.get(`/api/token/${id}`)).key).toBe(key)
  })
})
