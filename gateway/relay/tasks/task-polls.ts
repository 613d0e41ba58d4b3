import type { JobName } from '../../../shared/jobs.ts'
import type { Clock } from '../../base/clock.ts'
import { type Jobs, nothingDue } from '../../base/jobs.ts'
import { drawingStore } from '../../store/requests/drawings.ts'
import type { VendorQueryDeps } from './ask-vendor.ts'
import { followedDrawings } from './drawings/follow-drawings.ts'
import type { FinishDeps } from './finish.ts'
import { followedMusic } from './music/follow-music.ts'
import { type Followed, type FollowedRow, type PollDeps, pollAll, pollRows } from './poll-channels.ts'

/** The jobs that poll unfinished tasks, on one node at a time. */
export interface TaskPolls {
  /**
   * After a notice, polls the unfinished drawings with this id; only the vendor's own response is used. Calls within a
   * short time of the last poll have no effect. Never throws.
   */
  drawing(mjId: string): Promise<void>
  stop(): Promise<void>
}

export type TaskPollsDeps = FinishDeps &
  VendorQueryDeps &
  PollDeps &
  Readonly<{
    jobs: Jobs
    clock: Clock
    /** Milliseconds between two polls; 0 if this process does not poll (UPDATE_TASK). */
    everyMs: number
  }>

/** Min milliseconds between polls of a drawing due to notices, and max drawings for which this is tracked. */
const QUIET_MS = 3000
const MAX_REMEMBERED = 1000

export function createTaskPolls(deps: TaskPollsDeps): TaskPolls {
  const { log, clock, everyMs } = deps
  const drawings = followedDrawings(deps)
  const jobs = [job('follow-drawings', drawings), job('follow-tasks', followedMusic(deps))]
  const polledAt = new Map<string, number>()

  function job<Row extends FollowedRow>(name: JobName, followed: Followed<Row>) {
    let after = 0
    return deps.jobs.begin({
      name,
      everyMs,
      work: async ({ signal }) => {
        const { polled: n, next } = await pollAll(deps, followed, after, signal)
        after = next
        return n > 0 ? { key: 'job.followed', params: { n } } : nothingDue
      },
    })
  }
  const isTooSoon = (mjId: string): boolean => {
    const now = clock.monotonic()
    for (const [id, at] of polledAt) if (now - at >= QUIET_MS) polledAt.delete(id)
    if (polledAt.has(mjId) || polledAt.size >= MAX_REMEMBERED) return true
    polledAt.set(mjId, now)
    return false
  }
  return {
    async drawing(mjId) {
      try {
        const rows = await drawingStore(deps.db).unfinishedOf(mjId)
        if (rows.length > 0 && !isTooSoon(mjId)) await pollRows(deps, drawings, rows)
      } catch (error) {
        log.error('a drawing could not be queried', { error })
      }
    },
    async stop() {
      await Promise.all(jobs.map((one) => one.stop()))
    },
  }
}
