import { describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { aWorld } from '../../support/world.ts'

describe('how many use a group (docs/reference/api.md#groups-and-models)', () => {
  it('counts the channels, accounts and tokens of each, whether or not it has a ratio', async () => {
    const world = await aWorld()
    await world.channel({ group: 'default,team' })
    await world.channel({ group: 'team' })
    const alice = await world.user({ username: 'alice', group: 'vip' })
    await world.token(alice, { name: 'own' })
    await world.token(alice, { name: 'shared', group: 'vip' })
    const gone = await world.token(alice, { name: 'gone', group: 'vip' })
    dataOf(await alice.delete(`/api/token/${gone.id}`))
    expect(dataOf(await world.admin.get('/api/group/usage'))).toEqual({
      default: { channels: 1, users: 1, tokens: 0 },
      team: { channels: 2, users: 0, tokens: 0 },
      vip: { channels: 0, users: 1, tokens: 1 },
    })
    expect((await alice.get('/api/group/usage')).body).toMatchObject({ success: false })
  })
})
