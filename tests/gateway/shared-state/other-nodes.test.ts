import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChangedNames, Changes, Follower, Topic } from '../../../gateway/shared-state/changes.ts'
import { ownState, type SharedState } from '../../../gateway/shared-state/shared-state.ts'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type World } from '../../support/world.ts'

/**
 * The gateway is one node of several; the test plays the others: `told` are the notices that the gateway sends, and
 * `followers` receive those of others.
 */
const told: [Topic, ChangedNames][] = []
const followers = new Map<Topic, Follower>()
const changes: Changes = {
  publish: async (topic, names) => void told.push([topic, names]),
  follow(topic, follower) {
    followers.set(topic, follower)
  },
}
let servedElsewhere: number | undefined
const publish = (topic: Topic, ...names: string[]) => followers.get(topic)?.(names)

/** Delays every result that may be a promise. */
function answeringLater(own: SharedState): SharedState {
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return {
    ...own,
    changes,
    affinity: {
      ...own.affinity,
      channelOf: (key) => turn().then(() => servedElsewhere ?? own.affinity.channelOf(key)),
    },
    failures: { enough: (...of) => turn().then(() => own.failures.enough(...of)) },
    locks: { ...own.locks, take: (job) => turn().then(() => own.locks.take(job)) },
    rates: {
      window(terms) {
        const own_ = own.rates.window(terms)
        return { take: (key) => turn().then(() => own_.take(key)), clear: (key) => turn().then(() => own_.clear(key)) }
      },
    },
  }
}

let world: World
let shared: SharedState
beforeAll(async () => {
  const clock = aClock()
  shared = answeringLater(ownState(clock))
  world = await aWorld({
    clock,
    between: { shared },
    options: {
      ModelRatio: { 'gpt-4o': 1, late: 1, lonely: 1 },
      AutomaticDisableChannelEnabled: true,
      'monitor_setting.disable_after_failures': 2,
    },
    config: { CRITICAL_RATE_LIMIT: '30' },
  })
  await world.channel()
})
beforeEach(() => {
  told.length = 0
  world.upstream.reset()
})

describe('one node of several', () => {
  it('informs the others of what it has written', async () => {
    await world.option('RetryTimes', 1)
    const token = await world.token(world.admin)
    await world.channel({ name: 'told' })
    const [id] = await channelIds()
    expect(told).toEqual([
      ['options', ['RetryTimes']],
      ['answers', [String(token.id)]],
      ['tokens', [expect.stringMatching(/^[0-9a-f]{64}$/)]],
      ['channels', [String(id)]],
    ])
    expect(token.id).toBeGreaterThan(0)
  })

  it('follows changes written by others', async () => {
    const { db, settings } = world.gateway.inner
    await world.admin.key()
    expect((await world.admin.asks('gpt-4o', 'hi')).status).toBe(200)
    await db
      .insertInto('options')
      .values({ key: 'RetryTimes', value: '4', updated_at: 1 })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '4' }))
      .execute()
    await publish('options', 'RetryTimes')
    expect(settings.get('RetryTimes')).toBe(4)

    const [id = 0] = await channelIds()
    expect((await world.admin.asks('late', 'hi')).status).toBe(503)
    await db.updateTable('channels').set({ models: 'gpt-4o,late' }).where('id', '=', id).execute()
    await publish('channels', String(id))
    expect((await world.admin.asks('late', 'hi')).status).toBe(200)

    const rows = await db.selectFrom('tokens').select('key_hash').execute()
    await db.updateTable('tokens').set({ status: 2 }).execute()
    await publish('tokens', ...rows.map(({ key_hash }) => key_hash))
    expect((await world.admin.asks('gpt-4o', 'hi')).json.error.code).toBe('token_disabled')
    await db.updateTable('tokens').set({ status: 1 }).execute()
    await publish('tokens', ...rows.map(({ key_hash }) => key_hash))
  })

  it('clears cooldowns on the others, and those that others clear', async () => {
    const { cooldowns } = shared
    const [id = 0] = await channelIds()
    const entry = { channelId: id, keyId: '', model: '', status: 500, message: '', failures: 1, untilMs: 1e12 }
    const times = { failedMs: 0, failedAt: 0, trialUntilMs: 0, accountId: 1, tokens: 1, kind: 'failing' as const }
    cooldowns.put({ ...entry, ...times })
    await publish('cooldowns', `${id} another`)
    expect(cooldowns.list(id)).toHaveLength(1)
    await publish('cooldowns', String(id))
    expect(cooldowns.list(id)).toEqual([])
    await world.admin.delete(`/api/channel/cooldowns/${id}`)
    expect(told).toEqual([['cooldowns', [String(id)]]])
  })

  it('uses the channel that another node used for the conversation', async () => {
    for (const key of ['one', 'other']) await world.channel({ key, models: 'late' })
    const [other = 0, one = 0] = await channelIds()
    const asked = async (id: number) => {
      servedElsewhere = id
      await world.admin.asks('late', 'hi', { body: { prompt_cache_key: `a talk with ${id}` } })
      return world.upstream.last().headers.authorization
    }
    for (let turn = 0; turn < 4; turn += 1)
      expect([await asked(one), await asked(other)]).toEqual(['Bearer one', 'Bearer other'])
    servedElsewhere = undefined
  })

  it('switches a channel off after as many failures as are counted together', async () => {
    await world.channel({ name: 'failing', models: 'lonely' })
    const [id = 0] = await channelIds()
    const status = async () =>
      (
        await world.gateway.inner.db
          .selectFrom('channels')
          .select('status')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).status
    world.upstream.answers({ status: 401, body: { error: { message: 'no such key' } } })
    await world.admin.asks('lonely', 'hi')
    expect(await status()).toBe(1)
    await world.admin.asks('lonely', 'hi')
    expect(await status()).toBe(3)
  })

  it('limits calls also by results that arrive later', async () => {
    const wrong = { username: 'root', password: 'wrong-password' }
    const answers: unknown[] = []
    for (let attempt = 0; attempt < 12; attempt += 1)
      answers.push((await world.visitor.post('/api/user/login', { ...wrong, username: 'nobody' })).status)
    expect(answers.slice(-2)).toEqual([429, 429])
  })
})

const channelIds = async (): Promise<number[]> =>
  dataOf(await world.admin.get('/api/channel?id_sort=true&page_size=50')).map(({ id }: { id: number }) => id)
