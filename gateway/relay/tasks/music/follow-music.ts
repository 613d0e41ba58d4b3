import { taskStatus } from '../../../../shared/enums.ts'
import { formatMessage } from '../../../../shared/messages/format.ts'
import { unixSeconds } from '../../../base/clock.ts'
import { isObject, type JsonObject, objectsIn, textIn } from '../../../base/json/json.ts'
import type { ActiveChannel } from '../../../channels/registry/active-channel.ts'
import { type TaskChange, taskStore } from '../../../store/requests/tasks.ts'
import type { TaskRow } from '../../../store/schema/schema-tasks.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { queryVendor, type VendorQueryDeps } from '../ask-vendor.ts'
import { type FinishDeps, failTask } from '../finish.ts'
import { type Followed, MAX_LIST_MIB, newFollowTimes } from '../poll-channels.ts'
import { differing, jsonOf, progressOf, textOf, timeOf } from '../response-fields.ts'

/** The name of Suno's tasks in the table and in responses. */
export const SUNO = 'suno'
const WAIT_MS = 15_000
const MAX_SECONDS = 86_400

/** How Suno tasks are polled (docs/reference/tasks.md#polling). */
export function followedMusic(deps: FinishDeps & VendorQueryDeps): Followed<TaskRow> {
  const { db, clock } = deps
  const finish = (row: TaskRow, change: Partial<TaskChange>) =>
    failTask(deps, {
      name: row.task_id,
      userId: row.user_id,
      requestId: row.request_id,
      orderedAt: row.submit_time,
      quota: row.quota,
      write: (transaction) =>
        taskStore(transaction).change(row.id, {
          finish_time: unixSeconds(clock),
          ...change,
          updated_at: unixSeconds(clock),
          status: taskStatus.failure,
          progress: '100%',
        }),
    })
  return {
    unfinished: (after, limit) => taskStore(db).unfinished(SUNO, after, limit),
    idOf: ({ task_id }) => task_id,
    async query(channel, ids, signal) {
      const path = '/suno/fetch'
      const request = { channel, endpoint: 'task', method: 'POST', path, body: { ids } } as const
      const json = await queryVendor(deps, { ...request, waitMs: WAIT_MS, maxMib: MAX_LIST_MIB, signal })
      if (!isObject(json) || json.code !== 'success') throw new UpstreamError(502, 'the upstream reported no tasks')
      return new Map(
        objectsIn(json.data).flatMap((one) => (textIn(one.task_id) ? [[textIn(one.task_id) ?? '', one] as const] : [])),
      )
    },
    async apply(row, answer, channel) {
      const { change, hasFailed } = changeFrom(row, answer, channel, unixSeconds(clock))
      if (hasFailed) return finish(row, change)
      const differences = differing(row, change)
      if (differences) await taskStore(db).change(row.id, { ...differences, updated_at: unixSeconds(clock) })
    },
    fail: (row, reason) => finish(row, { fail_reason: formatMessage('en', reason) }),
    isOverdue: ({ submit_time }) => unixSeconds(clock) - submit_time > MAX_SECONDS,
    times: newFollowTimes(),
  }
}

const statuses: ReadonlySet<string> = new Set(Object.values(taskStatus).filter((status) => status !== ''))

/** Returns what a vendor's description changes in a task, and whether it has failed; empty members change nothing. */
function changeFrom(row: TaskRow, answer: JsonObject, channel: ActiveChannel, now: number) {
  const status = textIn(answer.status)?.toUpperCase() ?? ''
  const failReason = textOf(answer, 'fail_reason', channel) || undefined
  const isDone = status === taskStatus.success
  const hasFailed = status === taskStatus.failure || failReason !== undefined
  const change: Partial<TaskChange> = {
    start_time: timeOf(answer, 'start_time'),
    finish_time: timeOf(answer, 'finish_time') ?? (isDone && row.finish_time === 0 ? now : undefined),
    status: statuses.has(status) ? status : undefined,
    progress: isDone ? '100%' : progressOf(answer),
    fail_reason: failReason,
    data: jsonOf(answer, 'data', channel, row.data),
  }
  return { change, hasFailed }
}
