import { role } from '../../../shared/enums.ts'
import { type IntervalJob, intervalJob } from '../../base/interval-job.ts'
import type { Logger } from '../../base/logger.ts'
import { type JobLocks, onOneNode } from '../../shared-state/job-locks.ts'
import type { Db } from '../../store/database.ts'
import { userStore } from '../../store/users.ts'
import type { ChannelBalance } from './balance.ts'
import type { Runs } from './runs.ts'
import type { ChannelTest, TestInitiator } from './test.ts'

/**
 * How often channels are looked after without anybody asking, in minutes; 0 is never
 * (docs/reference/channels.md#background-jobs).
 */
export type Frequencies = Readonly<{ testMinutes: number; balanceMinutes: number }>

export type JobsDeps = Readonly<{
  db: Db
  locks: JobLocks
  log: Logger
  runs: Runs
  test: ChannelTest
  balance: ChannelBalance
}>

const MINUTE_MS = 60_000
const RECOVERY_MINUTES = 5
/** The language of what nobody has asked for. */
const LOCALE = 'en'

/**
 * Starts the background jobs: tests and balances of all channels as often as is wanted, and every 5 minutes the passive
 * recovery of what the system has switched off. A turn is left out while a run of the same kind is on its way, and
 * before there is a root user, under whose name tests are logged.
 */
export function startJobs(deps: JobsDeps, { testMinutes, balanceMinutes }: Frequencies): IntervalJob {
  const { db, locks, log, runs, test, balance } = deps
  const ending = new AbortController()
  const testAll = async () => {
    const tester = await rootTester(db)
    if (!tester || runs.isRunning('test')) return
    test.all(tester, true)
    await test.idle()
  }
  const updateAll = async () => {
    if (runs.isRunning('balance')) return
    balance.all(LOCALE)
    await balance.idle()
  }
  const recover = async () => {
    const tester = await rootTester(db)
    if (tester) await test.recover(tester, ending.signal)
  }
  const every = (name: string, minutes: number, work: () => Promise<void>) =>
    minutes > 0 ? [intervalJob(name, minutes * MINUTE_MS, onOneNode(locks, name, work), log)] : []
  const jobs = [
    ...every('test of all channels', testMinutes, testAll),
    ...every('update of all balances', balanceMinutes, updateAll),
    ...every('recovery of channels', RECOVERY_MINUTES, recover),
  ]
  return {
    async stop() {
      ending.abort()
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}

/** The root user, in whose name nobody's tests are made; undefined before there is one. */
async function rootTester(db: Db): Promise<TestInitiator | undefined> {
  const [root] = await userStore(db).withRole(role.root)
  return root && { id: root.id, username: root.username, group: root.group, ip: '', locale: LOCALE }
}
