import { sql, type Updateable } from 'kysely'
import type { Db } from './database.ts'
import { countUpTo, type PageRange } from './page.ts'
import { isOwn, type RowOwner } from './row-owner.ts'
import type { NewTask, TaskRow, TasksTable } from './schema-tasks.ts'

/** Narrows a list of drawings or tasks; absent fields, empty text and 0 do not. */
export type TaskFilter = Readonly<{
  userId?: number | undefined
  channelId?: number
  taskId?: string
  /** The time of submitting, both ends included, in the unit of the table. */
  from?: number
  to?: number
  platform?: string
  action?: string
  status?: string
}>

/** What a poll may change of a task that is not finished. */
export type TaskChange = Pick<
  Updateable<TasksTable>,
  'updated_at' | 'status' | 'fail_reason' | 'submit_time' | 'start_time' | 'finish_time' | 'progress' | 'data'
>

/** Rows of a list are counted up to here. */
export const MAX_TASKS_COUNTED = 10_000

/** Word for word what the index of unfinished rows says, so that it is used. */
export const UNFINISHED = sql<boolean>`progress <> '100%'`

/** The `tasks` table. A task that is finished never changes again. */
export const taskStore = (db: Db) => ({
  async add(row: NewTask): Promise<void> {
    await db.insertInto('tasks').values(row).execute()
  },

  /** Characters of what vendors said of an owner's own of these ids on a platform. */
  async sizeOfOwnerIn(owner: RowOwner, platform: string, taskIds: readonly string[]): Promise<number> {
    const { size } = await db
      .selectFrom('tasks')
      .select(({ fn }) => fn.sum<number | null>(sql<number>`length(data) + length(fail_reason)`).as('size'))
      .where(isOwn(owner))
      .where('platform', '=', platform)
      .where('task_id', 'in', taskIds)
      .executeTakeFirstOrThrow()
    return Number(size ?? 0)
  },

  /** An owner's own of these ids on a platform, the newest first. */
  async ofOwnerIn(owner: RowOwner, platform: string, taskIds: readonly string[]): Promise<TaskRow[]> {
    if (taskIds.length === 0) return []
    return db
      .selectFrom('tasks')
      .selectAll()
      .where(isOwn(owner))
      .where('platform', '=', platform)
      .where('task_id', 'in', taskIds)
      .orderBy('id', 'desc')
      .execute()
  },

  /** Those that are not finished, by rising id. */
  unfinished: (platform: string, after: number, limit: number): Promise<TaskRow[]> =>
    db
      .selectFrom('tasks')
      .selectAll()
      .where(UNFINISHED)
      .where('platform', '=', platform)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),

  /** Changes one that is not finished; false where it is. One statement, so that of several who finish it one succeeds. */
  async change(id: number, change: TaskChange): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('tasks')
      .set(change)
      .where('id', '=', id)
      .where(UNFINISHED)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  /** Those that fit, by falling id; times are unix seconds. */
  async page(filter: TaskFilter, { offset, limit }: PageRange): Promise<{ rows: TaskRow[]; total: number }> {
    const fitting = () => narrowed(db, filter)
    const [rows, total] = await Promise.all([
      fitting().selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
      countUpTo(db, fitting().select('id'), MAX_TASKS_COUNTED + 1),
    ])
    return { rows, total }
  },
})

function narrowed(db: Db, { userId, channelId, taskId, from, to, ...kinds }: TaskFilter) {
  let query = db.selectFrom('tasks')
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (channelId) query = query.where('channel_id', '=', channelId)
  if (taskId) query = query.where('task_id', '=', taskId)
  if (from) query = query.where('submit_time', '>=', from)
  if (to) query = query.where('submit_time', '<=', to)
  for (const column of ['platform', 'action', 'status'] as const) {
    const wanted = kinds[column]
    if (wanted) query = query.where(column, '=', wanted)
  }
  return query
}
