import type { Run } from '../../../shared/api/channel-runs.ts'
import { role } from '../../../shared/enums.ts'
import { type JobHandle, type JobReport, type JobRun, type Jobs, nothingDue } from '../../base/jobs.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { ChannelBalance } from './balance.ts'
import type { RunKind, Runs } from './runs.ts'
import type { ChannelTest, TestInitiator } from './test.ts'

/** Intervals of scheduled channel checks in minutes; 0 is never (docs/reference/channels.md#background-jobs). */
type Frequencies = Readonly<{ testMinutes: number; balanceMinutes: number }>

type ChannelJobsDeps = Readonly<{
  db: Db
  jobs: Jobs
  runs: Runs
  test: ChannelTest
  balance: ChannelBalance
}>

const MINUTE_MS = 60_000
const RECOVERY_MINUTES = 5
/** The language of scheduled runs. */
const LOCALE = 'en'

/**
 * Starts the background jobs: tests and balances of all channels at the configured intervals, and every 5 minutes the
 * passive recovery of channels the system disabled. A run is skipped while one of the same kind is running and, for
 * tests, before there is a root user, under whose name they are logged.
 */
export function beginJobs(deps: ChannelJobsDeps, { testMinutes, balanceMinutes }: Frequencies): JobHandle {
  const { db, jobs, runs, test, balance } = deps
  const started = [
    jobs.begin({
      name: 'channel-tests',
      everyMs: testMinutes * MINUTE_MS,
      async work(run) {
        const tester = await rootTester(db)
        if (!tester || runs.isRunning('test')) return nothingDue
        return overAll(deps, 'test', run, () => test.all(tester, true))
      },
    }),
    jobs.begin({
      name: 'channel-balances',
      everyMs: balanceMinutes * MINUTE_MS,
      async work(run) {
        if (runs.isRunning('balance')) return nothingDue
        return overAll(deps, 'balance', run, () => balance.all(LOCALE))
      },
    }),
    jobs.begin({
      name: 'channel-recovery',
      everyMs: RECOVERY_MINUTES * MINUTE_MS,
      async work({ signal }) {
        const tester = await rootTester(db)
        if (!tester) return nothingDue
        const n = await test.recover(tester, signal)
        return n === 0 ? nothingDue : { key: 'job.recovery', params: { n } }
      },
    }),
  ]
  return { stop: async () => void (await Promise.all(started.map((job) => job.stop()))) }
}

/** Runs over all channels and returns a report; an abort does not wait for running items. */
async function overAll(
  { runs }: ChannelJobsDeps,
  kind: RunKind,
  { signal }: JobRun,
  begin: () => void,
): Promise<JobReport> {
  begin()
  const ended = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => {
    runs.cancel(kind)
    ended.resolve()
  })
  await Promise.race([runs.idle(kind), ended.promise])
  const items = runs.list().find((run) => run.kind === kind)?.items ?? []
  return { key: reports[kind], params: { n: items.length, failed: items.filter(({ ok }) => !ok).length } }
}

const reports = { test: 'job.tested', balance: 'job.balances' } as const satisfies Record<Run['kind'], string>

/** The root user, under whose name scheduled tests are logged; undefined before there is one. */
async function rootTester(db: Db): Promise<TestInitiator | undefined> {
  const [root] = await userStore(db).withRole(role.root)
  return root && { id: root.id, username: root.username, group: root.group, ip: '', locale: LOCALE }
}
