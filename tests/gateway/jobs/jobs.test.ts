import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Logger } from '../../../gateway/base/log/logger.ts'
import { ownState } from '../../../gateway/shared-state/shared-state.ts'
import { jobNames } from '../../../shared/jobs.ts'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { SQLITE } from '../../support/tables.ts'
import { aWorld, type World } from '../../support/world.ts'

describe('background jobs (docs/reference/jobs.md)', () => {
  afterEach(() => vi.useRealTimers())

  const aQuietWorld = async (wanted: Parameters<typeof aWorld>[0] = {}) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    return aWorld(wanted)
  }
  const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)
  const jobOf = async ({ admin }: Pick<World, 'admin'>, name: string) =>
    dataOf(await admin.get('/api/job')).find((one: { name: string }) => one.name === name)
  const run = ({ admin }: World, name: string) => admin.post(`/api/job/${name}/run`)
  const ended = async (world: World, name: string) => {
    await expect.poll(async () => (await jobOf(world, name)).running).toBe(null)
    return (await jobOf(world, name)).last
  }

  it('are all listed, with a title and their next run; jobs that are off have none', async () => {
    const world = await aQuietWorld({
      clock: aClock(1_800_000_000_000),
      config: { ...SQLITE, CHANNEL_TEST_FREQUENCY: '5' },
    })
    const jobs = dataOf(await world.admin.get('/api/job'))
    expect(jobs.map(({ name }: { name: string }) => name)).toEqual([...jobNames])
    const nowSeconds = Math.floor(world.clock.now() / 1000)
    const byName = new Map(jobs.map((one: { name: string }) => [one.name, one]))
    expect(byName.get('channel-tests')).toMatchObject({
      title: 'Test of all channels',
      every_seconds: 300,
      is_nightly: false,
      running: null,
      last: null,
      next_at: nowSeconds + 300,
    })
    expect(byName.get('channel-balances')).toMatchObject({ every_seconds: 0, next_at: null })
    expect(byName.get('failure-log')).toMatchObject({ is_on_every_node: true, every_seconds: 10 })
    const { next_at: night } = byName.get('ledger-check') as { next_at: number }
    expect(new Date(night * 1000).getHours()).toBe(3)
    expect(night).toBeGreaterThan(nowSeconds)
  })

  it('are seen and started only by administrators', async () => {
    const world = await aQuietWorld()
    const ann = await world.user()
    for (const person of [ann, world.visitor]) {
      expect((await person.get('/api/job')).success).not.toBe(true)
      expect((await person.post('/api/job/sessions/run')).success).not.toBe(true)
    }
    const boss = await world.user({ role: 10 })
    expect((await boss.post('/api/job/sessions/run')).success).toBe(true)
    expect(await boss.post('/api/job/backup/run')).toMatchObject({
      success: false,
      message: 'Only the super administrator can make backups',
    })
  })

  it('whose lock another node has are listed as running there, until it ends or has been silent for too long', async () => {
    const world = await aQuietWorld()
    const { db } = world.gateway.inner
    const until = Math.floor(world.clock.now() / 1000) + 60
    for (const name of ['channel-tests', 'failure-log', 'a-job-of-another-release'])
      await db.insertInto('locks').values({ name, owner: 'another node', until }).execute()
    const elsewhere = async () =>
      dataOf(await world.admin.get('/api/job')).flatMap(
        (one: { name: string; is_elsewhere: boolean; running: unknown }) =>
          one.is_elsewhere ? [[one.name, one.running]] : [],
      )
    // A job that each node runs for itself needs no lock.
    expect(await elsewhere()).toEqual([['channel-tests', null]])
    world.clock.advanceSeconds(60)
    expect(await elsewhere()).toEqual([])
    await db
      .updateTable('locks')
      .set({ until: until + 600 })
      .execute()
    expect(await elsewhere()).toHaveLength(1)
    await db.deleteFrom('locks').execute()
    expect(await elsewhere()).toEqual([])
  })

  it('run on request: with the name of the user, in the log, and once in ten seconds', async () => {
    const world = await aQuietWorld()
    const id = await world.channel()
    dataOf(await run(world, 'channel-tests'))
    expect(await ended(world, 'channel-tests')).toMatchObject({
      outcome: 'done',
      username: 'root',
      message: 'Channels tested: 1, failed: 0',
    })
    expect(world.upstream.requests).toHaveLength(1)
    const { db, ledger } = world.gateway.inner
    await ledger.flush()
    const rows = await db.selectFrom('logs').selectAll().where('type', '=', 3).execute()
    const note = rows.find(({ content }) => content.includes('Test of all channels'))
    expect(JSON.parse(note?.other ?? '{}').admin_info.actor.username).toBe('root')
    expect(id).toBeGreaterThan(0)
    const again = await run(world, 'channel-tests')
    expect(again.message).toMatch(/^This job was started a moment ago\. Try again in \d+ s\.$/)
    world.clock.advanceSeconds(10)
    expect((await run(world, 'channel-tests')).success).toBe(true)
    expect((await run(world, 'nothing-of-ours')).success).toBe(false)
  })

  it('are listed as running while they do, and do not run twice at once', async () => {
    const world = await aQuietWorld({ config: { CHANNEL_TEST_FREQUENCY: '1' } })
    world.upstream.answers({ hang: true })
    await world.channel()
    await minutes(1)
    await expect.poll(() => world.upstream.requests.length).toBe(1)
    expect((await jobOf(world, 'channel-tests')).running).toMatchObject({ username: '' })
    expect((await run(world, 'channel-tests')).body.message).toBe('This job is already running')
    await minutes(3)
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('that fail are reported without the message of the fault, and stop no other', async () => {
    const said: unknown[] = []
    const keep = (message: string, facts?: object) => void said.push({ message, ...facts })
    const log: Logger = { debug: keep, info: keep, warn: keep, error: keep }
    const world = await aQuietWorld({ log })
    const { db } = world.gateway.inner
    await db.schema.alterTable('conversations').renameTo('conversations_gone').execute()
    await minutes(10)
    await expect.poll(async () => (await jobOf(world, 'conversations')).last?.outcome).toBe('failed')
    const { message } = (await jobOf(world, 'conversations')).last
    const id = /See (\w{12}) in the gateway log/.exec(message)?.[1]
    expect(said).toContainEqual(expect.objectContaining({ message: 'background job failed', id }))
    expect(message).not.toContain('conversations')
    await expect.poll(async () => (await jobOf(world, 'stored-responses')).last?.outcome).toBe('done')
    // The next run still starts, and reports its result.
    await db.schema.alterTable('conversations_gone').renameTo('conversations').execute()
    world.clock.advanceSeconds(600)
    await minutes(10)
    await expect.poll(async () => (await jobOf(world, 'conversations')).last?.outcome).toBe('done')
    expect((await jobOf(world, 'conversations')).last.message).toBe('Removed: 0')
  })

  it('are remembered by the database, also after a restart', async () => {
    const world = await aQuietWorld()
    dataOf(await run(world, 'sessions'))
    const last = await ended(world, 'sessions')
    expect(last).toMatchObject({ outcome: 'done', username: 'root', message: 'Removed: 0' })
    const later = await world.restart()
    expect((await jobOf(later, 'sessions')).last).toEqual(last)
  })

  it('with nothing to do leave no run behind, except on request', async () => {
    const world = await aQuietWorld()
    await vi.advanceTimersByTimeAsync(20_000)
    expect((await jobOf(world, 'scheduled-prices')).last).toBe(null)
    // The last turn may not have released its lock in the database yet.
    while ((await jobOf(world, 'scheduled-prices')).running);
    dataOf(await run(world, 'scheduled-prices'))
    expect(await ended(world, 'scheduled-prices')).toMatchObject({
      message: 'There was nothing to do',
      username: 'root',
    })
  })

  it('of the night are done by hand as well: the ledger is checked, old entries go', async () => {
    const world = await aQuietWorld()
    dataOf(await run(world, 'ledger-check'))
    expect(await ended(world, 'ledger-check')).toMatchObject({ outcome: 'done', message: 'Differences found: 0' })
    const { checks } = dataOf(await world.admin.get('/api/ledger'))
    expect(checks[0]).toMatchObject({ started_by: 'user', username: 'root' })
    dataOf(await run(world, 'retention'))
    expect((await ended(world, 'retention')).message).toBe('Removed: 0 log entries, 0 ledger entries')
  })

  it('of another node are left to it: an interval counts as no run, and a request is refused with the reason', async () => {
    const held = new Set(['conversations'])
    const clock = aClock()
    const locks = { take: (job: string) => !held.has(job), leave: () => {} }
    const world = await aQuietWorld({ clock, between: { shared: { ...ownState(clock), locks } } })
    await minutes(10)
    expect((await jobOf(world, 'conversations')).last).toBe(null)
    const refused = await run(world, 'conversations')
    expect([refused.status, refused.body.message]).toEqual([200, 'Another node is running this job'])
    held.clear()
    dataOf(await run(world, 'conversations'))
    expect((await ended(world, 'conversations')).outcome).toBe('done')
  })
})
