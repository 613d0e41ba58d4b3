import { beforeEach, describe, expect, it } from 'vitest'
import { aClock } from '../../../support/clock.ts'
import { aWorld, type World } from '../../../support/world.ts'

let world: World
beforeEach(async () => {
  world = await aWorld({ clock: aClock(1_700_000_000_000) })
})

type Begun = Readonly<{ id: string; verifier: string }>
const begin = (): Begun => world.gateway.handover()
const take = (begun: Begun) => world.visitor.post('/api/user/handover', begun)

describe('a hand-over to the desktop (docs/reference/accounts.md#hand-over-to-the-desktop)', () => {
  it('can be requested 240 times in ten minutes', async () => {
    const begun = begin()
    const replies = await Promise.all(Array.from({ length: 241 }, () => take(begun)))
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(1)
    world.clock.advance(600_000)
    expect((await take(begin())).status).toBe(200)
  })
})
