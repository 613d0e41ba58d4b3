import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WhatIfChannel, WhatIfReport, WhatIfRequest } from '../../../../shared/api/what-if.ts'
import { dataOf } from '../../../support/client.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 2 } })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(async () => {
  // Each test has a day of its own.
  world.clock.advanceSeconds(8 * 86_400)
})

const now = () => Math.floor(world.clock.now() / 1000)
const whatIf = async (ask: WhatIfRequest = {}): Promise<WhatIfReport> =>
  dataOf(await world.admin.post('/api/channel/what-if', ask))

type Attempt = Readonly<{ channel: number; status?: number; reason?: string }>
type Logged = Readonly<{
  model: string
  attempts: readonly Attempt[]
  /** A row of type 5, with this code. */
  failed?: string
  secondsAgo?: number
  tookMs?: number
  quota?: number
  group?: string
  facts?: object
  skipped?: readonly object[]
  promptTokens?: number
  tokenName?: string
}>

/** Writes log rows as the relay does, so many of each. */
async function logged(row: Logged, times = 1): Promise<void> {
  const { model, attempts, failed, secondsAgo = 3600, tookMs = 1000, quota = 0, group = 'default' } = row
  const plain = attempts.length < 2 && attempts[0]?.status === undefined
  const admin_info = {
    use_channel: attempts.map(({ channel }) => String(channel)),
    ...(plain ? {} : { tried: attempts }),
    ...(row.skipped ? { skipped: row.skipped } : {}),
  }
  const other = { duration_ms: tookMs, admin_info, ...(failed ? { error_code: failed } : { ended: 'complete' }), ...row.facts }
  const values = {
    user_id: alice.id,
    created_at: now() - secondsAgo,
    type: failed ? 5 : 2,
    model_name: model,
    quota,
    prompt_tokens: row.promptTokens ?? 0,
    use_time: Math.round(tookMs / 1000),
    channel_id: attempts.at(-1)?.channel ?? 0,
    token_name: row.tokenName ?? 'a token',
    group,
    other: JSON.stringify(other),
  }
  const { db } = world.gateway.inner
  for (let left = times; left > 0; left -= 100)
    await db
      .insertInto('logs')
      .values(Array.from({ length: Math.min(left, 100) }, () => values))
      .execute()
}

const failure = (channel: number, status = 503): Attempt => ({ channel, status, reason: 'down' })
const of = ({ channels }: WhatIfReport, id: number): WhatIfChannel => {
  const found = channels.find(({ channel_id }) => channel_id === id)
  if (!found) throw new Error(`nothing is told of channel ${id}`)
  return found
}
/** Every request ends in one way. */
const ended = ({ answered, failed, no_channel }: WhatIfReport['would']) => answered + failed + no_channel

describe('a what-if (docs/reference/what-if.md)', () => {
  it('with nothing changed and one channel a model answers exactly what was', async () => {
    const one = await world.channel({ models: 'p1' })
    const two = await world.channel({ models: 'p2,p3' })
    await logged({ model: 'p1', attempts: [{ channel: one }], tookMs: 900, quota: 120 }, 37)
    await logged({ model: 'p1', attempts: [{ channel: one }], tookMs: 4000, quota: 31, secondsAgo: 9000 }, 3)
    await logged({ model: 'p1', attempts: [failure(one)], failed: 'upstream' }, 7)
    await logged({ model: 'p1', attempts: [failure(one, 504)], failed: 'upstream' }, 2)
    await logged({ model: 'p1', attempts: [{ channel: one, status: 400, reason: 'no' }], failed: 'invalid' }, 5)
    await logged({ model: 'p2', attempts: [{ channel: two }], tookMs: 50, quota: 9, secondsAgo: 80_000 }, 11)
    await logged({ model: 'p3', attempts: [{ channel: two }], facts: { ended: 'upstream-broken' }, tookMs: 70 }, 2)
    await logged({ model: 'p3', attempts: [{ channel: two }], tookMs: 70 }, 1)
    const told = await whatIf()
    expect(told).toMatchObject({ calls: 68, rows: 68, is_cut: false, refused: 0, cached: 0, lost: [], gained: [] })
    expect(told.was).toMatchObject({ answered: 52, failed: 16, no_channel: 0, attempts: 68, quota: 120 * 37 + 31 * 3 + 99 })
    expect(told.would).toEqual(told.was)
    expect(told.unchanged).toEqual(told.was)
    for (const { was, would, unchanged } of told.channels) expect([would, unchanged]).toEqual([was, was])
    expect(of(told, one).was).toMatchObject({ attempts: 54, failed: 14, busiest_hour: 51 })
  })
})
