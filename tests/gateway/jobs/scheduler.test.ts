import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Job, nothingDue } from '../../../gateway/base/jobs.ts'
import type { Logger } from '../../../gateway/base/log/logger.ts'
import { createScheduler, MAX_SHUTDOWN_MS } from '../../../gateway/jobs/scheduler.ts'
import { ownJobs } from '../../../gateway/shared-state/job-locks.ts'
import { jobRunStore } from '../../../gateway/store/job-runs.ts'
import { aClock } from '../../support/clock.ts'
import { anSqlite, type TestDatabase } from '../../support/databases.ts'

describe('the scheduler (docs/reference/jobs.md#stopping)', () => {
  let opened: TestDatabase
  beforeEach(async () => {
    opened = await anSqlite()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await opened.close()
  })

  const aScheduler = () => {
    const said: string[] = []
    const say = (message: string, fields: object = {}) => void said.push(`${message} ${JSON.stringify(fields)}`)
    const log: Logger = { debug: say, info: say, warn: say, error: say }
    const clock = aClock(1_800_000_000_000)
    const scheduler = createScheduler({
      db: opened.db,
      clock,
      locks: ownJobs,
      log,
      clockWatch: { refusal: async () => undefined },
    })
    const begin = (name: Job['name'], work: Job['work'], everyMs = 1000) => scheduler.begin({ name, everyMs, work })
    return { scheduler, begin, said, clock }
  }
  const rows = async () => (await jobRunStore(opened.db).all()).map(({ name, outcome }) => `${name} ${outcome}`)
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  it('runs no job by schedule on an idle node, but runs one on request', async () => {
    const said: string[] = []
    const log: Logger = { debug() {}, info() {}, warn() {}, error: (message) => void said.push(message) }
    const clock = aClock(1_800_000_000_000)
    const scheduler = createScheduler({
      db: opened.db,
      clock,
      locks: ownJobs,
      log,
      clockWatch: { refusal: async () => undefined },
      isIdle: true,
    })
    let turns = 0
    const count = () => {
      turns += 1
      return undefined
    }
    scheduler.begin({ name: 'sessions', everyMs: 1000, work: count })
    await later(10_000)
    expect(turns).toBe(0)
    await scheduler.runNow('sessions', 'root')
    await scheduler.stop()
    expect([turns, said]).toEqual([1, []])
  })

  it('aborts the running job when it stops, waits for it, and starts nothing more', async () => {
    const { scheduler, begin } = aScheduler()
    let turns = 0
    begin('sessions', ({ signal }) => {
      turns += 1
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
    })
    await later(3000)
    expect(turns).toBe(1)
    await scheduler.stop()
    expect(await rows()).toEqual(['sessions stopped'])
    await later(5000)
    expect(turns).toBe(1)
    await expect(scheduler.runNow('sessions', 'root')).rejects.toThrow('job.running')
  })

  it('abandons a job that does not end, and logs which', async () => {
    const { scheduler, begin, said } = aScheduler()
    const job = begin('sessions', () => new Promise(() => {}))
    await later(1000)
    let isOver = false
    const over = Promise.all([scheduler.stop(), job.stop()]).then(() => {
      isOver = true
    })
    await later(MAX_SHUTDOWN_MS - 1)
    expect(isOver).toBe(false)
    await later(1)
    await over
    expect(said).toEqual(['background jobs did not end in time {"jobs":["sessions"]}'])
  })

  it('continues where a job throws at once, later, or never ends', async () => {
    const { scheduler, begin, said } = aScheduler()
    let turns = 0
    begin('sessions', () => {
      throw new Error('the password is hunter2')
    })
    begin('conversations', () => Promise.reject(new Error('no disk')))
    begin('retention', () => new Promise(() => {}))
    begin('stored-responses', () => {
      turns += 1
      return { key: 'job.removed', params: { n: turns } }
    })
    await later(3000)
    await vi.waitFor(async () => expect((await rows()).length).toBe(3))
    expect(turns).toBe(3)
    expect((await rows()).sort()).toEqual(['conversations failed', 'sessions failed', 'stored-responses done'])
    const kept = await jobRunStore(opened.db).all()
    expect(JSON.stringify(kept)).not.toContain('hunter2')
    expect(said.filter((line) => line.startsWith('background job failed')).length).toBeGreaterThan(1)
    void scheduler.stop()
    await later(MAX_SHUTDOWN_MS)
  })

  it('records a frequent job with equal results once a minute, changes at once, and the rest at its end', async () => {
    const { scheduler, begin, clock } = aScheduler()
    let answer: () => ReturnType<Job['work']> = () => ({ key: 'job.written', params: { n: 1 } })
    begin('client-usage', () => answer())
    const kept = async () => (await jobRunStore(opened.db).all())[0]
    const turn = async () => {
      clock.advance(1000)
      await later(1000)
      await opened.db.selectFrom('job_runs').selectAll().execute()
    }
    await turn()
    const first = (await kept())?.started_at
    await turn()
    expect((await kept())?.started_at).toBe(first)
    answer = () => Promise.reject(new Error('no disk'))
    await turn()
    await vi.waitFor(async () => expect((await kept())?.outcome).toBe('failed'))
    // After a failure, a run without work is recorded as a success; the next one is not recorded.
    answer = () => nothingDue
    await turn()
    await vi.waitFor(async () => expect((await kept())?.outcome).toBe('done'))
    const quiet = (await kept())?.started_at
    answer = () => ({ key: 'job.written', params: { n: 2 } })
    await turn()
    expect((await kept())?.started_at).toBe(quiet)
    await scheduler.stop()
    expect(await kept()).toMatchObject({ started_at: (quiet ?? 0) + 1, params: '{"n":2}' })
  })
})
