import { describe, expect, it } from 'vitest'
import { dataOf } from '../../../support/client.ts'
import { callRelay } from '../../../support/relay-client.ts'
import type { Person, World } from '../../../support/world.ts'
import { aKeptFixture, asked, askWith, bodiesOf, idOf } from './kept-fixture.ts'

const NONE = 'No request and response are stored under this request ID. They may have expired or been removed.'
const NOT_ALLOWED = 'You do not have permission to view stored requests and responses'

/** The audit log of administrators' access to bodies, newest first. */
async function looks({ admin }: World) {
  const { items } = dataOf(await admin.get('/api/log?type=3&page_size=100'))
  return items
    .map((row: { other: string; content: string; user_id: number }) => ({
      ...row,
      facts: JSON.parse(row.other).admin_info,
    }))
    .filter(({ facts }: { facts: { bodies?: object } }) => facts.bodies)
}

describe('permission to see bodies (docs/reference/bodies.md#viewers)', () => {
  it('belongs to the first administrator, all of them, or the caller as well, depending on the option', async () => {
    const { world, alice, key } = await aKeptFixture()
    const boss = await world.user({ role: 10 })
    const bob = await world.user()
    const answer = await askWith({ world }, key, asked('mine'))
    const people: Record<string, Person> = { root: world.admin, boss, alice, bob }
    const seenBy = async () => {
      const said = []
      for (const [name, person] of Object.entries(people)) {
        const { success, message } = await bodiesOf(person, answer)
        said.push([name, success || message])
      }
      return Object.fromEntries(said)
    }
    await world.option('KeepBodiesViewers', 'root')
    expect(await seenBy()).toEqual({ root: true, boss: NOT_ALLOWED, alice: NOT_ALLOWED, bob: NOT_ALLOWED })
    await world.option('KeepBodiesViewers', 'admin')
    expect(await seenBy()).toEqual({ root: true, boss: true, alice: NOT_ALLOWED, bob: NOT_ALLOWED })
    await world.option('KeepBodiesViewers', 'owner')
    expect(await seenBy()).toEqual({ root: true, boss: true, alice: true, bob: NONE })
  })

  it('does not reveal that calls of others exist: they answer as if they did not', async () => {
    const { world, key } = await aKeptFixture({ KeepBodiesViewers: 'owner' })
    const bob = await world.user()
    const answer = await askWith({ world }, key, asked('hers'))
    for (const method of ['GET', 'DELETE'] as const) {
      const others = await bob.send(method, `/api/bodies/${idOf(answer)}`)
      const none = await bob.send(method, '/api/bodies/202611211000000000000000AAAAAAAA')
      expect([others.success, others.message, others.data]).toEqual([none.success, none.message, none.data])
      expect(others.message).toBe(NONE)
    }
    expect((await bodiesOf(world.admin, answer)).success, 'nobody else has removed it').toBe(true)
    expect(await looks(world), 'and what is refused is no look').toHaveLength(1)
  })

  it('needs a login: a key of the gateway is refused', async () => {
    const { world, key } = await aKeptFixture({ KeepBodiesViewers: 'owner' })
    const answer = await askWith({ world }, key, asked('mine'))
    const url = `${world.url}/api/bodies/${idOf(answer)}`
    const withKey = await fetch(url, { headers: { authorization: `Bearer sk-${key}` } })
    expect([withKey.status, (await withKey.text()).includes('mine')]).toEqual([401, false])
    const replay = await callRelay(`${url}/replay`, { channel_id: 1 }, { key })
    expect(replay.status).toBe(401)
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('leaves a row in the log for each look, removal and replay, which only administrators see', async () => {
    const { world, alice, key, channelId } = await aKeptFixture({ KeepBodiesViewers: 'owner' })
    const answer = await askWith({ world }, key, asked('mine'))
    const id = idOf(answer)
    await bodiesOf(alice, answer)
    await bodiesOf(world.admin, answer)
    dataOf(await world.admin.post(`/api/bodies/${id}/replay`, { channel_id: channelId }))
    dataOf(await alice.delete(`/api/bodies/${id}`))
    dataOf(await world.admin.delete('/api/bodies'))
    const rows = await looks(world)
    const actors = rows.map(({ facts: { actor } }: { facts: { actor: { username: string } } }) => actor.username)
    expect(actors).toEqual(['root', alice.username, 'root', 'root', alice.username])
    const user = alice.id
    expect(rows.map(({ content }: { content: string }) => content)).toEqual([
      'root removed all stored requests and responses; requests: 0',
      `${alice.username} removed the bodies of request ${id} of user ${user}`,
      `root replayed request ${id} on channel #${channelId} upstream`,
      `root looked at the bodies of request ${id} of user ${user}`,
      `${alice.username} looked at the bodies of request ${id} of user ${user}`,
    ])
    expect(JSON.stringify(rows)).not.toContain('mine')
    const { items } = dataOf(await alice.get('/api/log/self?page_size=100'))
    expect(items.filter((row: { type: number }) => row.type === 3)).toEqual([])
  })

  it('may remove all of them only where that one sees all', async () => {
    const { world, alice } = await aKeptFixture({ KeepBodiesViewers: 'root' })
    const boss = await world.user({ role: 10 })
    expect((await boss.delete('/api/bodies')).message).toBe(NOT_ALLOWED)
    expect((await alice.delete('/api/bodies')).success).toBe(false)
    expect((await alice.get('/api/bodies')).success).toBe(false)
    expect((await world.admin.delete('/api/bodies')).success).toBe(true)
  })
})
