import { describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { aWorld } from '../../support/world.ts'

describe('several API tokens at once (docs/reference/accounts.md#api-tokens)', () => {
  it('are disabled and deleted, those of others and those that are gone passed over', async () => {
    const world = await aWorld()
    const [alice, bob] = [await world.user(), await world.user()]
    const [one, two, three] = [await world.token(alice), await world.token(alice), await world.token(alice)]
    const theirs = await world.token(bob)
    const ids = [one.id, two.id, two.id, theirs.id, 999_999]
    expect(dataOf(await alice.post('/api/token/batch/disable', { ids }))).toBe(2)
    expect(dataOf(await alice.post('/api/token/batch/disable', { ids }))).toBe(0)
    const statuses = async (person: typeof alice) =>
      dataOf(await person.get('/api/token?size=100')).map(({ id, status }: { id: number; status: number }) => [
        id,
        status,
      ])
    expect(await statuses(alice)).toEqual([
      [three.id, 1],
      [two.id, 2],
      [one.id, 2],
    ])
    expect(dataOf(await alice.post('/api/token/batch', { ids }))).toBe(2)
    expect(await statuses(alice)).toEqual([[three.id, 1]])
    expect(await statuses(bob)).toEqual([[theirs.id, 1]])
    for (const wrong of [{ ids: [] }, { ids: ['1'] }, {}, { ids: Array.from({ length: 101 }, (_, n) => n + 1) }])
      expect((await alice.post('/api/token/batch', wrong)).success).toBe(false)
  })
})
