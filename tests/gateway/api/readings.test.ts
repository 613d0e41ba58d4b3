import { describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { aWorld } from '../../support/world.ts'

describe('readings of one account (docs/reference/tables.md#readers)', () => {
  it('are as many as a page requests', async () => {
    const world = await aWorld()
    const person = await world.user()
    const to = Math.floor(world.clock.now() / 1000)
    const calls = Array.from({ length: 10 }, (_, index) =>
      person.get(`/api/data/self/summary?start_timestamp=${to - 86_400 - index * 3600}&end_timestamp=${to}`),
    )
    for (const response of await Promise.all(calls)) expect(dataOf(response)).toBeDefined()
  })
})
