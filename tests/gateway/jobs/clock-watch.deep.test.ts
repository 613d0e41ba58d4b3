import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { restoreHere } from '../../../gateway/backup/restore-here.ts'
import { UNDOUBTED_S } from '../../../gateway/base/jobs.ts'
import { createVault } from '../../../gateway/base/secrets/ciphers.ts'
import { STEADY_S } from '../../../gateway/jobs/clock-watch.ts'
import { chatAnswer } from '../../support/chat.ts'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type World } from '../../support/world.ts'

const DAY_S = 86_400

describe('a job that deletes by age, while the clock is ahead (docs/reference/reliability.md#clocks)', () => {
  afterEach(() => vi.useRealTimers())

  /** A gateway whose background jobs run when the test triggers them, with log rows of today. */
  const aWorldOfToday = async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const world = await aWorld({ clock: aClock(Date.parse('2026-11-18T10:00:00Z')) })
    world.gateway.inner.auditLog.record({ user_id: 1, created_at: world.clock.now() / 1000, type: 4, content: 'today' })
    await world.gateway.inner.ledger.flush()
    return world
  }
  /** Lets the job run a minute later; returns the result. */
  const turn = async ({ clock, gateway }: World, name = 'retention', minutes = 1) => {
    clock.advanceSeconds(minutes * 60)
    await vi.advanceTimersByTimeAsync(minutes * 60_000)
    const started_at = clock.now() / 1000
    const runs = () => gateway.inner.db.selectFrom('job_runs').select(['outcome', 'message', 'started_at'])
    const ended = () => runs().where('name', '=', name).where('started_at', '=', started_at).executeTakeFirst()
    await expect.poll(ended).toBeDefined()
    return ended()
  }
  const hasToday = async ({ gateway }: World) => {
    const { db } = gateway.inner
    return (await db.selectFrom('logs').select('id').where('content', '=', 'today').execute()).length === 1
  }

  it('deletes nothing after a start, reports that in the list of jobs, and continues once the clock is set right', async () => {
    const old = await aWorldOfToday()
    old.clock.setSeconds(400 * DAY_S)
    const world = await old.restart()
    expect(await turn(world)).toMatchObject({ outcome: 'failed' })
    const seen = dataOf(await world.admin.get('/api/job')).find(({ name }: { name: string }) => name === 'retention')
    expect(seen.last.message).toContain('The clock shows 2027-12-23T10:01Z, far ahead of 2026-11-18T10:00Z')
    const again = await world.restart()
    expect([(await turn(again))?.outcome, await hasToday(again)]).toEqual(['failed', true])
    again.clock.setSeconds(-400 * DAY_S)
    expect(await turn(again)).toMatchObject({ outcome: 'done' })
    expect(await hasToday(again)).toBe(true)
  })

  it('deletes no conversation or response that has not expired at the right time, although the clock is ahead without doubt', async () => {
    const world = await aWorldOfToday()
    await world.channel({ models: 'gpt-4o' })
    const alice = await world.user({ quota: 1_000_000_000 })
    const { json: conversation } = await alice.calls('/v1/conversations', {})
    world.upstream.answers({ body: chatAnswer('ok') })
    const { json: response } = await alice.calls('/v1/responses', { model: 'gpt-4o', input: 'hi', store: true })
    const statuses = () =>
      Promise.all(
        [`/v1/conversations/${conversation.id}`, `/v1/responses/${response.id}`].map(async (path) => {
          const headers = { authorization: `Bearer sk-${await alice.key()}` }
          return (await fetch(world.url + path, { headers })).status
        }),
      )
    expect(await statuses()).toEqual([200, 200])
    world.clock.advanceSeconds(2 * 3600)
    world.clock.setSeconds(3 * DAY_S - 3600)
    for (const name of ['conversations', 'stored-responses'])
      expect(await turn(world, name, 10)).toMatchObject({ outcome: 'done' })
    world.clock.setSeconds(3600 - 3 * DAY_S)
    expect(await statuses()).toEqual([200, 200])
  })

  it('deletes nothing after further starts and commands with that clock, whose rows have its time', async () => {
    const old = await aWorldOfToday()
    old.clock.setSeconds(400 * DAY_S)
    const world = await old.restart()
    world.gateway.inner.auditLog.record({ user_id: 1, created_at: world.clock.now() / 1000, type: 4, content: 'ahead' })
    await world.gateway.inner.ledger.flush()
    const again = await world.restart()
    expect([(await turn(again))?.outcome, await hasToday(again)]).toEqual(['failed', true])
  })

  it('deletes nothing after a restore of a database that has seen only the right time', async () => {
    const world = await aWorldOfToday()
    const { name } = await world.gateway.backUp()
    world.clock.setSeconds(400 * DAY_S)
    await world.gateway.stop()
    const vault = createVault(Buffer.alloc(32))
    const restoring = { folder: world.folder, clock: world.clock, vault, mayDiffer: false, by: 'root' }
    await restoreHere(join(world.folder, 'backups', name), restoring)
    const again = await world.restart()
    expect([(await turn(again))?.outcome, await hasToday(again)]).toEqual(['failed', true])
  })

  it('deletes nothing where the clock jumps while the gateway runs, and stays calm where both clocks advanced', async () => {
    const world = await aWorldOfToday()
    world.clock.advanceSeconds(20 * DAY_S)
    expect(await turn(world)).toMatchObject({ outcome: 'done' })
    world.clock.setSeconds(400 * DAY_S)
    expect([(await turn(world))?.outcome, await hasToday(world)]).toEqual(['failed', true])
  })

  it('accepts a clock that has advanced steadily for a day, over starts as well', async () => {
    const off = await aWorldOfToday()
    off.clock.setSeconds(400 * DAY_S)
    const world = await off.restart()
    await turn(world)
    world.clock.advanceSeconds(STEADY_S / 2)
    expect([(await turn(world))?.outcome, await hasToday(world)]).toEqual(['failed', true])
    const again = await world.restart()
    again.clock.advanceSeconds(STEADY_S / 2)
    expect([(await turn(again))?.outcome, await hasToday(again)]).toEqual(['done', false])
  })

  it('accepts a machine that was off over a weekend, and a start by hand', async () => {
    const friday = await aWorldOfToday()
    friday.clock.setSeconds(UNDOUBTED_S)
    const monday = await friday.restart()
    expect(await turn(monday)).toMatchObject({ outcome: 'done' })
    monday.clock.setSeconds(400 * DAY_S)
    const world = await monday.restart()
    expect(await turn(world)).toMatchObject({ outcome: 'failed' })
    dataOf(await world.admin.post('/api/job/retention/run'))
    await expect.poll(() => hasToday(world)).toBe(false)
  })

  it('applies to every other job that deletes by age as well', async () => {
    const old = await aWorldOfToday()
    old.clock.setSeconds(400 * DAY_S)
    const world = await old.restart()
    await turn(world, 'sessions', 60)
    const { db } = world.gateway.inner
    const refused = () => db.selectFrom('job_runs').select('name').where('message', '=', 'job.clock_doubted').execute()
    const names = ['conversations', 'kept-bodies', 'retention', 'sessions', 'stored-responses', 'unpaid-orders']
    await expect.poll(async () => (await refused()).map(({ name }) => name).sort()).toEqual(names)
  })
})
