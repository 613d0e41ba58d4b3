import { beforeAll, describe, expect, it } from 'vitest'
import { aClient, dataOf } from '../../support/client.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../support/world.ts'

const HIDDEN = 'a\u200bb'
const unseen = 'invisible characters'

let world: World
let alice: Person
beforeAll(async () => {
  world = await aWorld()
  alice = await world.user()
})

describe('a name with invisible characters (docs/reference/api.md#names)', () => {
  it.each([
    ['POST', '/api/user', { username: HIDDEN, password: PASSWORD }],
    ['POST', '/api/user', { username: 'ann', password: PASSWORD, display_name: HIDDEN }],
    ['PUT', '/api/user', { id: 2, remark: HIDDEN }],
    ['PUT', '/api/user/self', { username: HIDDEN }],
    ['PUT', '/api/user/self', { display_name: HIDDEN }],
    ['POST', '/api/token', { name: HIDDEN }],
    ['POST', '/api/channel', { type: 1, key: 'k', name: HIDDEN, models: 'm', group: 'default' }],
    ['POST', '/api/redemption', { name: HIDDEN, quota: 1 }],
    ['POST', '/api/invitation', { note: HIDDEN }],
    ['POST', '/api/user/register', { username: HIDDEN, password: PASSWORD }],
    ['PUT', '/api/option', { key: 'GroupRatio', value: JSON.stringify({ default: 1, [HIDDEN]: 2 }) }],
  ])('is refused by %s %s %j in both languages', async (method, path, body) => {
    const said = await world.admin.send(method, path, body)
    expect(said).toMatchObject({ success: false, message: expect.stringContaining(unseen) })
    const chinese = aClient(world.url, { ...world.admin.identity(), 'accept-language': 'zh-CN' })
    expect((await chinese.send(method, path, body)).message).toContain('不可见字符')
  })

  it('does not prevent its owner from changing other fields', async () => {
    const { db } = world.gateway.inner
    const hidden = { display_name: HIDDEN, remark: HIDDEN, group: HIDDEN }
    await db.updateTable('users').set(hidden).where('id', '=', alice.id).execute()
    dataOf(await world.admin.put('/api/user', { id: alice.id, quota: 5 }))
    dataOf(await alice.put('/api/user/self', { username: 'alice2' }))
    const token = dataOf(await alice.post('/api/token', { name: 'one' }))
    await db.updateTable('tokens').set({ name: HIDDEN }).execute()
    dataOf(await alice.put('/api/token', { id: token?.id ?? 1, remain_quota: 7 }))
  })
})
