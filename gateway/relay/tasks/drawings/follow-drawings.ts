import { drawingStatus } from '../../../../shared/enums.ts'
import { formatMessage } from '../../../../shared/messages/format.ts'
import { type JsonObject, objectsIn, textIn } from '../../../base/json/json.ts'
import type { ActiveChannel } from '../../../channels/registry/active-channel.ts'
import { type DrawingChange, drawingStore } from '../../../store/requests/drawings.ts'
import type { DrawingRow } from '../../../store/schema/schema-tasks.ts'
import { queryVendor, type VendorQueryDeps } from '../ask-vendor.ts'
import { type FinishDeps, failTask } from '../finish.ts'
import { type Followed, MAX_LIST_MIB, newFollowTimes } from '../poll-channels.ts'
import {
  differing,
  jsonOf,
  MAX_ADDRESS,
  progressOf,
  propertiesOf,
  textOf,
  timeOf,
  videosIn,
} from '../response-fields.ts'

const WAIT_MS = 15_000
const MAX_MS = 3_600_000

/** How drawings are polled (docs/reference/tasks.md#polling). */
export function followedDrawings(deps: FinishDeps & VendorQueryDeps): Followed<DrawingRow> {
  const { db, clock } = deps
  const finish = (row: DrawingRow, change: DrawingChange) =>
    failTask(deps, {
      name: row.mj_id,
      userId: row.user_id,
      requestId: row.request_id,
      orderedAt: Math.floor(row.submit_time / 1000),
      quota: row.quota,
      write: (transaction) =>
        drawingStore(transaction).change(row.id, {
          finish_time: clock.now(),
          ...change,
          status: drawingStatus.failure,
          progress: '100%',
        }),
    })
  return {
    unfinished: (after, limit) => drawingStore(db).unfinished(after, limit),
    idOf: ({ mj_id }) => mj_id,
    async query(channel, ids, signal) {
      const path = '/mj/task/list-by-condition'
      const request = { channel, endpoint: 'drawing', method: 'POST', path, body: { ids } } as const
      const answer = objectsIn(await queryVendor(deps, { ...request, waitMs: WAIT_MS, maxMib: MAX_LIST_MIB, signal }))
      return new Map(answer.flatMap((one) => (textIn(one.id) ? [[textIn(one.id) ?? '', one] as const] : [])))
    },
    async apply(row, answer, channel) {
      const { change, hasFailed } = changeFrom(row, answer, channel, clock.now())
      if (hasFailed) return finish(row, change)
      const differences = differing(row, change)
      if (differences) await drawingStore(db).change(row.id, differences)
    },
    fail: (row, reason) => finish(row, { fail_reason: formatMessage('en', reason) }),
    isOverdue: ({ submit_time }) => clock.now() - submit_time > MAX_MS,
    times: newFollowTimes(),
  }
}

const statuses: ReadonlySet<string> = new Set(Object.values(drawingStatus))

/**
 * Returns what a vendor's description changes in a drawing, and whether it has failed. The submission time is our own.
 */
function changeFrom(row: DrawingRow, answer: JsonObject, channel: ActiveChannel, nowMs: number) {
  const status = textIn(answer.status)?.toUpperCase() ?? ''
  const failReason = textOf(answer, 'failReason', channel)
  const isDone = status === drawingStatus.success
  const hasFailed = status === drawingStatus.failure || (!isDone && (failReason ?? '') !== '')
  const change: DrawingChange = {
    prompt_en: textOf(answer, 'promptEn', channel),
    description: textOf(answer, 'description', channel),
    state: textOf(answer, 'state', channel),
    start_time: timeOf(answer, 'startTime'),
    finish_time: timeOf(answer, 'finishTime') ?? (isDone && row.finish_time === 0 ? nowMs : undefined),
    image_url: textIn(answer.imageUrl)?.slice(0, MAX_ADDRESS),
    video_urls: videosIn(answer),
    status: statuses.has(status) ? status : undefined,
    progress: isDone ? '100%' : progressOf(answer),
    fail_reason: failReason,
    buttons: jsonOf(answer, 'buttons', channel, row.buttons),
    properties: propertiesOf(answer.properties, channel, row.properties),
  }
  return { change, hasFailed }
}
