import { sql } from 'kysely'
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
  world.clock.advanceSeconds(90_001)
})

const now = () => Math.floor(world.clock.now() / 1000)
const whatIf = async (ask: WhatIfRequest = {}): Promise<WhatIfReport> =>
  dataOf(await world.admin.post('/api/channel/what-if', ask))

type Attempt = Readonly<{ channel: number; key?: number; status?: number; reason?: string }>
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
  /** Taken over from another gateway. */
  isForeign?: boolean
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
  const other = {
    duration_ms: tookMs,
    admin_info,
    ...(failed ? { error_code: failed } : { ended: 'complete' }),
    ...row.facts,
  }
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
    request_id: row.isForeign ? '' : 'a-request',
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
    expect(told.was).toMatchObject({
      answered: 52,
      failed: 16,
      no_channel: 0,
      attempts: 68,
      quota: 120 * 37 + 31 * 3 + 99,
    })
    expect(told.would).toEqual(told.was)
    expect(told.unchanged).toEqual(told.was)
    for (const { was, would, unchanged } of told.channels) expect([would, unchanged]).toEqual([was, was])
    expect(of(told, one).was).toMatchObject({ attempts: 54, failed: 14, busiest_hour: 51 })
  })

  it('reads what the relay itself writes: retries, failures, what the caller did wrong, and where there was no channel', async () => {
    const first = await world.channel({ models: 'real', priority: 9, name: 'first' })
    const second = await world.channel({ models: 'real', name: 'second' })
    const gone = await world.channel({ models: 'real-2' })
    world.upstream.answers({ body: { choices: [{ message: { content: 'hi' } }] } })
    await alice.asks('real', 'hi')
    world.upstream.answers(
      { status: 500, body: { error: { message: 'down' } } },
      { body: { choices: [{ message: { content: 'hi' } }] } },
    )
    await alice.asks('real', 'hi')
    world.upstream.answers({ status: 400, body: { error: { message: 'what is this' } } })
    await alice.asks('real', 'hi')
    world.upstream.reset()
    await world.admin.put('/api/channel', { id: gone, status: 2 })
    await alice.asks('real-2', 'hi')
    const told = await whatIf({ start_timestamp: now() - 600 })
    expect(told.was).toMatchObject({ answered: 2, failed: 1, no_channel: 1, attempts: 4 })
    expect(of(told, first).was).toMatchObject({ attempts: 3, failed: 2 })
    expect(of(told, second).was).toMatchObject({ attempts: 1, failed: 0 })
    // Of three requests for the first channel half of those that could be answered fail, and go on to the second.
    expect(told.would).toMatchObject({ answered: 2, failed: 1, no_channel: 1, attempts: 4 })
    const on = await whatIf({ start_timestamp: now() - 600, channels: [{ id: gone, status: 1 }] })
    expect(on.would).toMatchObject({ no_channel: 0 })
    expect(on.gained).toEqual([{ group: 'default', model: 'real-2', calls: 1 }])
  })

  it('shares by the weights as they would be, exactly, and as the explanation says of those that are', async () => {
    const heavy = await world.channel({ models: 'w', weight: 20 })
    const light = await world.channel({ models: 'w' })
    await logged({ model: 'w', attempts: [{ channel: heavy }], tookMs: 1000 }, 55)
    await logged({ model: 'w', attempts: [{ channel: light }], tookMs: 3000 }, 45)
    const told = await whatIf({ channels: [{ id: light, weight: 80 }] })
    const why = dataOf(await world.admin.post('/api/channel/explain', { model: 'w' })).channels
    expect(why.map(({ share }: { share: number }) => share)).toEqual([0.75, 0.25])
    expect([of(told, heavy).unchanged.share, of(told, light).unchanged.share]).toEqual([0.75, 0.25])
    expect([of(told, heavy).would.share, of(told, light).would.share]).toEqual([0.25, 0.75])
    expect([of(told, heavy).now, of(told, light).now, of(told, light).changed]).toEqual([
      { status: 1, weight: 20, priority: 0 },
      { status: 1, weight: 0, priority: 0 },
      { status: 1, weight: 80, priority: 0 },
    ])
    expect(told.would).toMatchObject({ answered: 100, failed: 0, average_ms: 2500 })
    expect(told.was).toMatchObject({ average_ms: 1900 })
  })

  it('leads everything elsewhere where a channel is off, with the failures and the time of who is asked then', async () => {
    const quick = await world.channel({ models: 'off', priority: 5 })
    const slow = await world.channel({ models: 'off' })
    const only = await world.channel({ models: 'off,only-1', priority: -1, group: 'default,vip' })
    await logged({ model: 'off', attempts: [{ channel: quick }], tookMs: 100, quota: 10 }, 80)
    await logged({ model: 'off', attempts: [failure(quick), { channel: slow }], tookMs: 2000, quota: 10 }, 15)
    await logged({ model: 'off', attempts: [failure(quick), failure(slow), failure(only)], failed: 'upstream' }, 5)
    await logged({ model: 'only-1', attempts: [{ channel: only }] }, 4)
    const told = await whatIf({
      channels: [
        { id: quick, status: 2 },
        { id: only, status: 2 },
      ],
    })
    expect(of(told, quick).would).toMatchObject({ attempts: 0, share: 0, average_ms: null })
    // 5 of 20 requests to it failed; nobody else is left to be asked.
    expect(of(told, slow).would).toMatchObject({ attempts: 100, share: 1, failed: 25, average_ms: 2000 })
    expect(told.would).toMatchObject({ answered: 75, failed: 25, no_channel: 4, quota: 750 })
    expect(told.lost).toEqual([
      { group: 'default', model: 'only-1', calls: 4 },
      { group: 'vip', model: 'off', calls: 0 },
      { group: 'vip', model: 'only-1', calls: 0 },
    ])
    expect(told.lost_models).toBe(3)
    expect(ended(told.would)).toBe(told.calls)
  })

  it('asks the higher priority first, and the next one as often as RetryTimes lets it', async () => {
    const one = await world.channel({ models: 'pr', priority: 2 })
    const two = await world.channel({ models: 'pr', priority: 1 })
    const three = await world.channel({ models: 'pr' })
    await logged({ model: 'pr', attempts: [{ channel: one }] }, 50)
    await logged({ model: 'pr', attempts: [failure(one), { channel: two }] }, 25)
    await logged({ model: 'pr', attempts: [failure(one), failure(two), { channel: three }] }, 15)
    await logged({ model: 'pr', attempts: [failure(one), failure(two), failure(three)], failed: 'upstream' }, 10)
    const attempts = (told: WhatIfReport) => [one, two, three].map((id) => of(told, id).would.attempts)
    const same = await whatIf({ retry_times: 2 })
    expect([attempts(same), same.would.failed]).toEqual([[100, 50, 25], 10])
    const none = await whatIf({ retry_times: 0 })
    expect(none.retry_times).toEqual({ now: 2, changed: 0 })
    expect([attempts(none), none.would.failed, none.unchanged.failed]).toEqual([[100, 0, 0], 50, 10])
    const turned = await whatIf({ retry_times: 1, channels: [{ id: three, priority: 9 }] })
    // 10 of 25 failed at the third, half of all at the first.
    expect([attempts(turned), turned.would.failed]).toEqual([[40, 0, 100], 20])
  })

  it('follows draws without putting back: each retry is shared by the weights of those that are left', async () => {
    const weights = [10, 20, 50]
    const odds = [0.5, 0.25, 0.8]
    const ids: number[] = []
    for (const weight of weights) ids.push(await world.channel({ models: 'draws', weight }))
    const [a = 0, b = 0, c = 0] = ids
    for (const [place, id] of ids.entries()) {
      const failed = Math.round(20 * (odds[place] ?? 0))
      await logged({ model: 'draws', attempts: [{ channel: id }] }, 20 - failed)
      await logged({ model: 'draws', attempts: [failure(id)], failed: 'upstream' }, failed)
    }
    const told = await whatIf({ retry_times: 1 })
    const all = 20 + 30 + 60
    const second = (id: number, before: number[]) =>
      before.reduce((sum, one) => {
        const [weight, of] = [(weights[one] ?? 0) + 10, (weights[id] ?? 0) + 10]
        return sum + (weight / all) * (odds[one] ?? 0) * (of / (all - weight))
      }, 0)
    expect(of(told, a).would.attempts).toBeCloseTo(60 * (20 / all + second(0, [1, 2])), 2)
    expect(of(told, b).would.attempts).toBeCloseTo(60 * (30 / all + second(1, [0, 2])), 2)
    expect(of(told, c).would.attempts).toBeCloseTo(60 * (60 / all + second(2, [0, 1])), 2)
  })

  it('follows the first draw of many exactly, and draws what is hardly likely by a fixed series', async () => {
    const ids: number[] = []
    for (let place = 0; place < 30; place += 1) ids.push(await world.channel({ models: 'crowd', weight: 0 }))
    for (const id of ids) await logged({ model: 'crowd', attempts: [failure(id)], failed: 'upstream' }, 10)
    const first = await whatIf({ retry_times: 0 })
    for (const id of ids) expect(of(first, id).would.attempts).toBe(10)
    const told = await whatIf({ retry_times: 4 })
    expect(told.would).toMatchObject({ answered: 0, failed: 300, no_channel: 0, attempts: 1500 })
    for (const id of ids) expect(Math.abs(of(told, id).would.attempts - 50)).toBeLessThan(5)
    expect((await whatIf({ retry_times: 4 })).channels).toEqual(told.channels)
  })

  it('has every request end in one way, whatever is changed (seeded)', async () => {
    const ids: number[] = []
    for (const weight of [0, 5, 10, 40, 90])
      ids.push(await world.channel({ models: 'any,other', weight, priority: weight % 4 }))
    let state = 7
    const upTo = (most: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % most
    }
    const one = () => ids[upTo(ids.length)] ?? 0
    for (let row = 0; row < 60; row += 1) {
      const model = upTo(3) === 0 ? 'other' : 'any'
      const secondsAgo = upTo(86_000)
      if (upTo(3) === 0)
        await logged({ model, attempts: [failure(one()), failure(one())], failed: 'upstream', secondsAgo })
      else await logged({ model, attempts: [failure(one()), { channel: one() }], secondsAgo, tookMs: upTo(9000) }, 3)
    }
    for (let round = 0; round < 12; round += 1) {
      const changed = ids.filter(() => upTo(2) === 0)
      const channels = changed.map((id) => ({
        id,
        status: upTo(3) === 0 ? (2 as const) : (1 as const),
        weight: upTo(100),
        priority: upTo(3),
      }))
      const told = await whatIf({ channels, retry_times: upTo(5) })
      expect(ended(told.would)).toBeCloseTo(told.calls, 1)
      expect(ended(told.unchanged)).toBeCloseTo(told.calls, 1)
      const sent = told.channels.reduce((sum, { would }) => sum + would.attempts, 0)
      expect(sent).toBeCloseTo(told.would.attempts, 0)
      for (const { status } of told.channels.map((channel) => ({ status: channel.changed?.status, ...channel.would })))
        expect(status).toBeDefined()
      for (const channel of told.channels) if (channel.changed?.status === 2) expect(channel.would.attempts).toBe(0)
      const again = await whatIf({ channels, retry_times: told.retry_times.changed })
      expect([again.would, again.unsure]).toEqual([told.would, told.unsure])
    }
  })

  it('with nothing changed and one channel a model answers what was, whatever that was (seeded)', async () => {
    let state = 11
    const upTo = (most: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % most
    }
    const models = ['q1', 'q2', 'q3', 'q4', 'q5']
    const channels = new Map<string, number>()
    for (const model of models)
      channels.set(model, await world.channel({ models: model, weight: upTo(50), priority: upTo(9) }))
    for (let row = 0; row < 80; row += 1) {
      const model = models[upTo(models.length)] ?? ''
      const channel = channels.get(model) ?? 0
      const facts = { model, secondsAgo: upTo(86_000), tookMs: upTo(20_000) }
      const times = 1 + upTo(4)
      if (upTo(4) > 0) await logged({ ...facts, attempts: [{ channel }], quota: upTo(3) * 100 }, times)
      else
        await logged(
          { ...facts, attempts: [failure(channel, [400, 429, 500, 504][upTo(4)])], failed: 'upstream' },
          times,
        )
    }
    const told = await whatIf({ retry_times: 0 })
    expect(told.would).toEqual(told.was)
    expect(told.unchanged).toEqual(told.was)
    for (const { was, would } of told.channels) expect(would).toEqual(was)
  })

  it('fails what its caller got wrong wherever it goes, and blames no channel for it', async () => {
    const one = await world.channel({ models: 'bad', priority: 1 })
    const two = await world.channel({ models: 'bad' })
    await logged({ model: 'bad', attempts: [{ channel: one, status: 422, reason: 'no' }], failed: 'invalid' }, 10)
    await logged({ model: 'bad', attempts: [{ channel: one }], failed: 'client_gone' }, 4)
    await logged({ model: 'bad', attempts: [{ channel: one }] }, 30)
    const told = await whatIf({ channels: [{ id: one, status: 2 }] })
    expect(of(told, two).would).toMatchObject({ attempts: 44, failed: 14 })
    expect(told.would).toMatchObject({ answered: 30, failed: 14 })
  })

  it('passes over who cooled down or was full at that moment', async () => {
    const one = await world.channel({ models: 'cool', priority: 1 })
    const two = await world.channel({ models: 'cool' })
    const skip = (reason: string, seconds?: number) => [{ channel: one, reason, status: 503, seconds }]
    await logged({ model: 'cool', attempts: [{ channel: one }] }, 10)
    await logged({ model: 'cool', attempts: [{ channel: two }], skipped: skip('limited', 100), secondsAgo: 5000 }, 5)
    // Nothing is told of the channel by these, but its wait went on.
    await logged({ model: 'cool', attempts: [{ channel: two }], secondsAgo: 4910 }, 5)
    await logged({ model: 'cool', attempts: [{ channel: two }], skipped: skip('at_capacity'), secondsAgo: 9000 }, 2)
    const told = await whatIf()
    expect([of(told, one).unchanged.attempts, of(told, two).unchanged.attempts]).toEqual([10, 12])
    const alone = await whatIf({ channels: [{ id: two, status: 2 }] })
    expect(alone.would).toMatchObject({ answered: 10, no_channel: 12 })
  })

  it('asks who merely cools down where nothing else is left, and another key of who was refused with one', async () => {
    const one = await world.channel({ models: 'last', priority: 1 })
    const two = await world.channel({ models: 'last' })
    const skipped = [{ channel: one, reason: 'cooldown', status: 503, seconds: 30 }]
    await logged({ model: 'last', attempts: [{ channel: two }], skipped }, 4)
    expect(of(await whatIf(), two).unchanged.attempts).toBe(4)
    expect((await whatIf({ channels: [{ id: two, status: 2 }] })).would).toMatchObject({ answered: 4, no_channel: 0 })

    const pool = await world.channel({ models: 'keys', key: 'one\ntwo', key_mode: 'pool' })
    const limited = { channel: pool, key: 1, status: 429, reason: 'slow down' }
    await logged({ model: 'keys', attempts: [limited, { channel: pool, key: 2 }] }, 10)
    // Half of what was sent to it was refused, and went on to the other key.
    expect(of(await whatIf({ retry_times: 1 }), pool).would).toMatchObject({ attempts: 15, failed: 7.5 })
    expect(of(await whatIf({ retry_times: 0 }), pool).would).toMatchObject({ attempts: 10, failed: 5 })
  })

  it('looks at endpoint, length and automatic group as the relay does', async () => {
    await world.option('GroupRatio', { default: 1, vip: 1 })
    await world.option('UserUsableGroups', { default: 'Default', vip: 'VIP', auto: 'Automatic' })
    await world.option('AutoGroups', ['default', 'vip'])
    const token = await world.token(alice, { name: 'automatic', group: 'auto' })
    const short = await world.channel({ models: 'auto-1', priority: 1, max_input_tokens: 100 })
    const long = await world.channel({ models: 'auto-1' })
    const vip = await world.channel({ models: 'auto-1', group: 'vip' })
    const drawing = await world.channel({ models: 'auto-1', priority: 5, type: 2, key: 'x' })
    await logged({ model: 'auto-1', attempts: [{ channel: short }], promptTokens: 100 }, 6)
    await logged({ model: 'auto-1', attempts: [{ channel: long }], promptTokens: 101 }, 3)
    await world.gateway.inner.db
      .updateTable('logs')
      .set({ token_id: token.id })
      .where('model_name', '=', 'auto-1')
      .execute()
    const told = await whatIf()
    expect([short, long].map((id) => of(told, id).unchanged.attempts)).toEqual([6, 3])
    const off = [short, long].map((id) => ({ id, status: 2 as const }))
    const moved = await whatIf({ channels: off })
    // The group still offers the model, by a channel that draws alone.
    expect(moved.channels.map(({ channel_id }) => channel_id)).not.toContain(vip)
    expect(moved.would.no_channel).toBe(9)
    const group = await whatIf({ channels: [...off, { id: drawing, status: 2 }] })
    expect(of(group, vip).would.attempts).toBe(9)
  })

  it('leaves out what no routing decided, and counts folded rows for what they stand for', async () => {
    const one = await world.channel({ models: 'left' })
    await logged({ model: 'left', attempts: [], failed: 'insufficient_user_quota', facts: { folded: { count: 12 } } })
    await logged({ model: 'left', attempts: [] }, 3)
    await logged({ model: 'left', attempts: [{ channel: one }], tokenName: 'model test' }, 5)
    await logged({ model: 'left', attempts: [{ channel: one }], isForeign: true }, 5)
    await logged({ model: 'left', attempts: [failure(one)], failed: 'upstream', facts: { folded: { count: 30 } } })
    await logged({ model: 'left', attempts: [{ channel: one }] }, 10)
    await logged({ model: 'left', attempts: [{ channel: one }], secondsAgo: 90_000 }, 10)
    const told = await whatIf()
    expect(told).toMatchObject({ rows: 15, calls: 40, refused: 12, cached: 3 })
    expect(of(told, one).was).toMatchObject({ attempts: 40, failed: 30 })
  })

  it('warns of several times the usual peak, and says where there is too little to go by', async () => {
    const main = await world.channel({ models: 'peak,rare', priority: 1 })
    const spare = await world.channel({ models: 'peak' })
    const fresh = await world.channel({ models: 'peak', priority: -1 })
    await logged({ model: 'peak', attempts: [{ channel: main }] }, 90)
    await logged({ model: 'rare', attempts: [{ channel: main }], secondsAgo: 7200 }, 2)
    await logged({ model: 'peak', attempts: [{ channel: spare }], secondsAgo: 3 * 86_400 }, 30)
    const told = await whatIf({ channels: [{ id: main, status: 2 }] })
    expect(of(told, spare)).toMatchObject({ peak: 30, load: 'several', evidence: 'none', would: { busiest_hour: 90 } })
    expect(told.unsure).toBe(90)
    const off = [main, spare].map((id) => ({ id, status: 2 as const }))
    expect(of(await whatIf({ channels: off }), fresh)).toMatchObject({ peak: 0, load: 'new', evidence: 'none' })
    const begun = now()
    const calm = await whatIf()
    expect(of(calm, main)).toMatchObject({ peak: 90, load: 'usual', evidence: 'enough' })
    expect(calm.unsure).toBe(2)
    expect(calm.peak_since).toBeGreaterThanOrEqual(begun - 7 * 86_400)
    expect(calm.peak_since).toBeLessThanOrEqual(now() - 7 * 86_400)
  })

  it('changes nothing and asks nobody', async () => {
    const one = await world.channel({ models: 'still' })
    await logged({ model: 'still', attempts: [failure(one, 429)], failed: 'upstream' }, 30)
    const { db, registry, settings } = world.gateway.inner
    const state = async () => ({
      channels: await db.selectFrom('channels').selectAll().execute(),
      logs: await db
        .selectFrom('logs')
        .select(({ fn }) => fn.countAll().as('n'))
        .execute(),
      registry: [...registry.all()],
      retries: settings.get('RetryTimes'),
      cooldowns: dataOf(await world.admin.get('/api/channel/cooldowns')),
      asked: world.upstream.requests.length,
    })
    const before = await state()
    await whatIf({ channels: [{ id: one, status: 2, weight: 50, priority: 7 }], retry_times: 5 })
    expect(await state()).toEqual(before)
  })

  it('is refused for channels that there are not, for too long a time, and to whom it does not belong', async () => {
    const refusal = async (ask: object) => (await world.admin.post('/api/channel/what-if', ask)).message
    expect(await refusal({ channels: [{ id: 999_999, weight: 1 }] })).toBe(
      'There is no channel #999999. Refresh and try again.',
    )
    const one = await world.channel({ models: 'twice' })
    expect(await refusal({ channels: [{ id: one }, { id: one, weight: 3 }] })).toContain(
      'A channel can be changed once only',
    )
    expect(await refusal({ start_timestamp: now() - 86_401 })).toBe(
      'Choose a time range of at most 24 hours that ends in the past',
    )
    expect(await refusal({ start_timestamp: now() + 60 })).toContain('at most 24 hours')
    expect((await world.admin.post('/api/channel/what-if', { retry_times: 11 })).success).toBe(false)
    expect((await alice.post('/api/channel/what-if', {})).success).toBe(false)
    expect((await world.visitor.post('/api/channel/what-if', {})).success).toBe(false)
    expect(await whatIf()).toMatchObject({ calls: 0, rows: 0, channels: [], was: { answered: 0, average_ms: null } })
  })

  it('looks at the newest 50,000 rows and says so; one at a time, and none for who has hung up', async () => {
    const one = await world.channel({ models: 'many' })
    const { db } = world.gateway.inner
    const other = JSON.stringify({ duration_ms: 5, admin_info: { use_channel: [String(one)] } })
    const at = now() - 70_000
    await sql`insert into logs (user_id, created_at, type, model_name, channel_id, "group", other, request_id)
      with recursive n(i) as (select 1 union all select i + 1 from n where i <= 50009)
      select ${alice.id}, ${at} + i, 2, 'many', ${one}, 'default', ${other}, 'a-request' from n`.execute(db)
    const whole = await whatIf()
    expect(whole).toMatchObject({ rows: 50_000, calls: 50_000, is_cut: true, from: at + 11 })

    const headers = { ...world.admin.identity(), 'content-type': 'application/json' }
    const ask = { method: 'POST', headers, body: '{}' }
    const again = () => world.admin.post('/api/channel/what-if', { start_timestamp: now() - 1 })
    for (let isBusy = false; !isBusy; ) {
      const hangUp = new AbortController()
      const asked = fetch(`${world.url}/api/channel/what-if`, { ...ask, signal: hangUp.signal }).catch((gone) => gone)
      const reply = await again()
      isBusy = reply.status === 429
      if (isBusy) {
        expect(reply.message).toBe('Your last replay is still running. Wait until it is over, or cancel it.')
        hangUp.abort()
        expect(await asked).toBeInstanceOf(Error)
      } else await asked
    }
    let reply = await again()
    while (reply.status === 429) reply = await again()
    expect(reply.data.rows).toBe(0)
  })
})
