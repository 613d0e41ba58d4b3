import type { UseQueryResult } from '@tanstack/react-query'
import { type JobView, job } from '../../../shared/api/job.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'

/** While something runs, and while nothing does: what the clock has begun is seen, too. */
const RUNNING_MS = 1000
const QUIET_MS = 5000

/** The background jobs, asked for again as long as somebody looks. */
export const useJobs = (): UseQueryResult<JobView[]> =>
  usePolled({
    queryKey: [areaOf(job.list), job.list.path],
    read: (manner) => send(job.list, {}, manner),
    everyMs: (data) => (data?.some(({ running, is_elsewhere }) => running || is_elsewhere) ? RUNNING_MS : QUIET_MS),
  })
