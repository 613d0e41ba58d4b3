import { type DrawingView, drawing, type TaskView, task } from '../../../shared/api/task.ts'
import { mapYielding } from '../../base/fair-yield.ts'
import { objectIn, parsed, textIn } from '../../base/json/json.ts'
import type { ImageLinks } from '../../relay/tasks/image-links.ts'
import { pageAtIndex } from '../../store/page.ts'
import { drawingStore } from '../../store/requests/drawings.ts'
import { MAX_TASKS_COUNTED, type TaskFilter, taskStore } from '../../store/requests/tasks.ts'
import type { DrawingRow, TaskRow } from '../../store/schema/schema-tasks.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import type { ApiCaller } from '../actor.ts'
import { serve } from '../serve.ts'

type TaskApiDeps = Readonly<{
  /** Used for lists, which may be long: the tables of drawings and tasks are never pruned. */
  reader: Pick<Reader, 'until'>
  imageLinks: ImageLinks
}>

type Span = Readonly<{ start_timestamp: number; end_timestamp: number }>
type Paging = Readonly<{ p: number; page_size: number }>

/**
 * The lists of drawings and of other tasks (docs/reference/tasks.md#lists). Users without permission only see their own
 * rows, without the channel.
 */
export function taskApi({ reader, imageLinks }: TaskApiDeps) {
  const drawings = async (filter: TaskFilter, paging: Paging, caller: ApiCaller, isAdmin: boolean) => {
    const { rows, total } = await drawingStore(reader.until(caller)).page(filter, rangeOf(paging))
    return answerOf(
      await mapYielding(rows, (row) => drawingView(row, imageLinks, isAdmin), ROWS_AT_ONCE),
      total,
      paging,
    )
  }
  const tasks = async (filter: TaskFilter, paging: Paging, caller: ApiCaller, isAdmin: boolean) => {
    const { rows, total } = await taskStore(reader.until(caller)).page(filter, rangeOf(paging))
    return answerOf(await mapYielding(rows, (row) => taskView(row, isAdmin), ROWS_AT_ONCE), total, paging)
  }
  return [
    ...serve(drawing, {
      list: ({ query, caller }) =>
        drawings({ ...spanOf(query), taskId: query.mj_id, channelId: query.channel_id }, query, caller, true),
      own: ({ query, actor, caller }) =>
        drawings({ ...spanOf(query), taskId: query.mj_id, userId: actor.id }, query, caller, false),
    }),
    ...serve(task, {
      list: ({ query, caller }) =>
        tasks({ ...query, ...spanOf(query), taskId: query.task_id, channelId: query.channel_id }, query, caller, true),
      own: ({ query, actor, caller }) =>
        tasks({ ...query, ...spanOf(query), taskId: query.task_id, userId: actor.id }, query, caller, false),
    }),
  ]
}

/** The number of rows parsed before yielding; each has up to 32 KiB of JSON. */
const ROWS_AT_ONCE = 10

const spanOf = ({ start_timestamp: from, end_timestamp: to }: Span) => ({ from, to })
const rangeOf = ({ p, page_size }: Paging) => pageAtIndex(p, page_size)

/** The database counts at most one row more than `MAX_TASKS_COUNTED`; that row means that there are more. */
const answerOf = <View>(data: View[], counted: number, { p, page_size }: Paging) => ({
  data,
  extras: {
    total: Math.min(counted, MAX_TASKS_COUNTED),
    has_more: counted > MAX_TASKS_COUNTED,
    page: p,
    page_size,
  },
})

function drawingView(row: DrawingRow, links: ImageLinks, isAdmin: boolean): DrawingView {
  const { token_id: _token, request_id: _request, key_id: _key, ...view } = row
  return {
    ...view,
    created_at: Math.floor(row.submit_time / 1000),
    image_url: links.imageUrl(row),
    video_urls: links.videoUrls(row),
    channel_id: isAdmin ? row.channel_id : 0,
  }
}

function taskView(row: TaskRow, isAdmin: boolean): TaskView {
  const { token_id: _token, request_id: _request, key_id: _key, channel_id, properties, data, ...view } = row
  return {
    ...view,
    ...(isAdmin ? { channel_id } : {}),
    properties: { input: textIn(objectIn(parsed(properties)).input) ?? '' },
    data: parsed(data) ?? null,
  }
}
