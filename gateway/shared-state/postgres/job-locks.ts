import type { Logger } from '../../base/log/logger.ts'
import type { Connections } from '../../store/postgres/connections.ts'
import type { JobLocks } from '../job-locks.ts'

type RowLocksDeps = Readonly<{
  run: Connections['run']
  log: Pick<Logger, 'warn'>
  node: string
  extendEveryMs?: number
}>

const LEASE_SECONDS = 30
const EXTEND_MS = 10_000

const NOW = 'extract(epoch from clock_timestamp())'
const UNTIL = `ceil(${NOW})::bigint + ${LEASE_SECONDS}`

/** Of two nodes that insert at once, one waits for the other's row and then finds that it has not expired. */
const TAKE = `insert into locks as l (name, owner, until) values ($1, $2, ${UNTIL})
  on conflict (name) do update set owner = excluded.owner, until = excluded.until where l.until <= ${NOW} returning name`
const EXTEND = `update locks set until = ${UNTIL} where name = $1 and owner = $2 returning name`
const LEAVE = 'delete from locks where name = $1 and owner = $2'

/** Leases in the table `locks`, by the database's clock, which are extended while their job runs. */
export function createRowLocks({ run, log, node, extendEveryMs = EXTEND_MS }: RowLocksDeps): JobLocks {
  const timers = new Map<string, NodeJS.Timeout>()
  const stop = (job: string) => {
    clearInterval(timers.get(job))
    timers.delete(job)
  }
  const extend = async (job: string): Promise<void> => {
    try {
      if ((await run(EXTEND, [job, node])).length > 0 || !timers.has(job)) return
      stop(job)
      log.warn('the lock of a background job was lost to another node', { job })
    } catch (error) {
      log.warn('the lock of a background job could not be extended', { job, error })
    }
  }
  return {
    async take(job) {
      const isTaken = (await run(TAKE, [job, node])).length > 0
      if (isTaken) timers.set(job, setInterval(() => void extend(job), extendEveryMs).unref())
      return isTaken
    },
    async leave(job) {
      stop(job)
      // A failure must not hide the job's result: the lease expires.
      await run(LEAVE, [job, node]).catch((error: unknown) => {
        log.warn('the lock of a background job could not be released', { job, error })
      })
    },
  }
}
