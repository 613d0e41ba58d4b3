import { describe, expect, it } from 'vitest'
import { createAccountTurns } from '../../../gateway/api/account-turns.ts'
import { dataOf } from '../../support/client.ts'
import { aWorld } from '../../support/world.ts'

describe('readings behind the dashboards of an account (docs/reference/tables.md#who-reads)', () => {
  it('run two at once, wait in turn, hold up no other account, and are refused beyond twenty', async () => {
    const inTurn = createAccountTurns()
    const { promise, resolve } = Promise.withResolvers<void>()
    const begun: number[] = []
    const work = (name: number) => async () => {
      begun.push(name)
      await promise
      return name
    }
    const own = Array.from({ length: 22 }, (_, name) => inTurn(1, work(name)))
    const other = inTurn(2, work(100))
    await expect(inTurn(1, work(22))).rejects.toMatchObject({ kind: 'limited', key: 'read.busy' })
    expect(begun).toEqual([0, 1, 100])
    resolve()
    expect(await Promise.all(own)).toEqual(Array.from({ length: 22 }, (_, name) => name))
    expect(await other).toBe(100)
    expect(await inTurn(1, work(23))).toBe(23)
  })

  it('all come to an answer, as many as a page asks for', async () => {
    const world = await aWorld()
    const person = await world.user()
    const to = Math.floor(world.clock.now() / 1000)
    const asked = Array.from({ length: 10 }, (_, place) =>
      person.get(`/api/data/self/summary?start_timestamp=${to - 86_400 - place * 3600}&end_timestamp=${to}`),
    )
    for (const answer of await Promise.all(asked)) expect(dataOf(answer)).toBeDefined()
  })
})
