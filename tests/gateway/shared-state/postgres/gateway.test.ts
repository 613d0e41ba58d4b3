import { expect, it } from 'vitest'
import { aWorld } from '../../../support/world.ts'
import { aNode } from './two-nodes.ts'

/** The test writes as another node does; the gateway's clock stands still, so that nothing expires. */
it('a gateway follows what another node writes', async () => {
  const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1, late: 1 } } })
  const other = aNode(world.databaseUrl)
  await world.channel()
  const alice = await world.user({ quota: 1_000_000 })
  const token = await world.token(alice)
  const asked = async (model = 'gpt-4o') => (await alice.asks(model, 'hi', { key: token.key })).status
  expect([await asked(), await asked('late')]).toEqual([200, 503])

  await other.run(`update channels set models = 'gpt-4o,late'`)
  await expect.poll(() => asked('late')).toBe(200)
  await other.run('update tokens set status = 2 where id = $1', [token.id])
  await expect.poll(() => asked()).toBe(401)
  await other.run('update tokens set status = 1 where id = $1', [token.id])
  await expect.poll(() => asked()).toBe(200)
  await other.run('update users set status = 2 where id = $1', [alice.id])
  await expect.poll(() => asked()).toBe(403)
  await other.run(`insert into options (key, value) values ('RetryTimes', '4')`)
  await expect.poll(() => world.gateway.inner.settings.get('RetryTimes')).toBe(4)
})

it('a gateway ends the running requests of a key that another node has disabled', async () => {
  const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  const other = aNode(world.databaseUrl)
  await world.channel()
  const alice = await world.user({ quota: 1_000_000 })
  const token = await world.token(alice)
  world.upstream.answers({ delayMs: 30_000 })
  const running = alice.asks('gpt-4o', 'hi', { key: token.key })
  await expect.poll(() => world.upstream.requests.length).toBe(1)
  await other.run('update tokens set status = 2 where id = $1', [token.id])
  await other.run(`insert into changes (topic, name) values ('endings', $1)`, [String(token.id)])
  expect((await running).status).toBe(401)
})
