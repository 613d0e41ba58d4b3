import type { Run } from '../../../shared/api/channel-runs.ts'
import { role } from '../../../shared/enums.ts'
import { type BegunJob, type JobReport, type JobRun, type Jobs, nothingDue } from '../../base/jobs.ts'
import type { Db } from '../../store/database.ts'
import { userStore } from '../../store/users.ts'
import type { ChannelBalance } from './balance.ts'
import type { RunKind, Runs } from './runs.ts'
import type { ChannelTest, TestInitiator } from './test.ts'

/**
 * How often channels are looked after without anybody asking, in minutes; 0 is never
 * (docs/reference/channels.md#background-jobs).
 */
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
/** The language of what nobody has asked for. */
const LOCALE = 'en'

/**
 * Begins the background jobs: tests and balances of all channels as often as is wanted, and every 5 minutes the passive
 * recovery of what the system has switched off. A turn is left out while a run of the same kind is on its way, and
 * before there is a root user, under whose name tests are logged.
 */
export function beginJobs(deps: ChannelJobsDeps, { testMinutes, balanceMinutes }: Frequencies): BegunJob {
  const { db, jobs, runs, test, balance } = deps
  const begun = [
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
  return { stop: async () => void (await Promise.all(begun.map((job) => job.stop()))) }
}

/** A run over all channels, and what came of it; who ends it does not wait for what is on its way. */
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

/** The root user, in whose name nobody's tests are made; undefined before there is one. */
async function rootTester(db: Db): Promise<TestInitiator | undefined> {
  const [root] = await userStore(db).withRole(role.root)
  return root && { id: root.id, username: root.username, group: root.group, ip: '', locale: LOCALE }
}
