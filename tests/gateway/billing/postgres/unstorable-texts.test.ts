import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aWorld } from '../../../support/world.ts'
import { aNode, charge, leasedIn, someone, unequal } from './node.ts'

const request = (world: Awaited<ReturnType<typeof aWorld>>, key: string, path: string, body: string) =>
  fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body,
  })

it.each(['\\ud800', 'fine\\u0000', '\\udc00x'])(
  '%s in a field of an image request changes nothing of its price',
  async (text) => {
    const world = await aWorld({ options: { ModelPrice: { flux: 0.5 } } })
    await world.channel({ models: 'flux' })
    const alice = await world.user({ quota: 1_000_000 })
    const key = await alice.key()
    const before = await alice.quota()
    const body = `{"model":"flux","prompt":"a cat","quality":"${text}"}`
    expect((await request(world, key, '/v1/images/generations', body)).status).toBe(200)
    await world.gateway.inner.ledger.flush()
    expect(before - (await alice.quota())).toBe(250_000)
    expect(existsSync(join(world.folder, 'rejected.journal'))).toBe(false)
  },
)

it.each(['\\ud800', '\\u0000', '\\u001b'])('a model whose name contains %s is refused', async (text) => {
  const world = await aWorld()
  await world.channel({ models: 'gpt-4-gizmo-*' })
  const alice = await world.user({ quota: 1_000_000 })
  const body = `{"model":"gpt-4-gizmo-x${text}","messages":[{"role":"user","content":"hi"}]}`
  expect((await request(world, await alice.key(), '/v1/chat/completions', body)).status).toBe(400)
  expect(world.upstream.requests).toEqual([])
})

it('names that are equal in PostgreSQL are counted as one, and a log row that it refuses does not cancel its charge', async () => {
  const node = await aNode()
  const { id } = await node.db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
  const ledger = await node.open()
  await ledger.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId: '1' })
  const use = (model: string) => ({ username: 'ann', model, tookMs: 1, firstByteMs: 1 })
  const log = { user_id: id, created_at: 1, type: 2, other: '{"effort":"\\u0000","deep":["\\ud800"]}' }
  const charges = [
    { ...charge(10), use: use('m') },
    { ...charge(10), use: use('m\u0000'), log },
    { ...charge(10), use: use('m\ud800') },
    // No column takes this number.
    { ...charge(10), log: { ...log, quota: 2 ** 80 } },
  ]
  for (const [at, one] of charges.entries())
    (await ledger.hold({ requestId: String(at), userId: id, tokenId: 0, quota: 100 })).settle(one)
  await ledger.flush()
  expect(ledger.healthy()).toBe(true)
  const { quota } = await node.db.selectFrom('users').select('quota').where('id', '=', id).executeTakeFirstOrThrow()
  expect(quota).toBe(960)
  const rows = await node.db.selectFrom('logs').select('other').execute()
  expect(rows).toEqual([{ other: '{"effort":"","deep":["\ufffd"]}' }])
  const hours = await node.db.selectFrom('quota_data').select(['model_name', 'count']).orderBy('model_name').execute()
  expect(hours).toContainEqual({ model_name: 'm', count: 2 })
  await ledger.close()
  expect([await unequal(node.db), await leasedIn(node.db)]).toEqual([[], 0])
  await node.store.close()
})

it('a login with U+0000 in the name is refused, as the database would remove it', async () => {
  const world = await aWorld()
  const reply = await fetch(`${world.url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"username":"bob\\u0000by","password":"12345678"}',
  })
  expect(await reply.json()).toMatchObject({ success: false, message: expect.stringContaining('JSON') })
})
