import { sql, type Updateable } from 'kysely'
import { countUpTo, type PageRange } from '../page.ts'
import { isOwn, type RowOwner } from '../row-owner.ts'
import type { NewTask, TaskRow, TasksTable } from '../schema/schema-tasks.ts'
import type { Db } from '../sqlite/database.ts'

/**
 * Filters drawings or tasks; absent fields, empty strings and 0 match everything, but a `userId` of 0 matches only that
 * id.
 */
export type TaskFilter = Readonly<{
  userId?: number | undefined
  channelId?: number
  taskId?: string
  /** Bounds of the submit time, both inclusive, in the unit of the table. */
  from?: number
  to?: number
  platform?: string
  action?: string
  status?: string
}>

/** Columns that a poll may change while a task is unfinished. */
export type TaskChange = Pick<
  Updateable<TasksTable>,
  'updated_at' | 'status' | 'fail_reason' | 'submit_time' | 'start_time' | 'finish_time' | 'progress' | 'data'
>

export const MAX_TASKS_COUNTED = 10_000

/** Must equal the condition of the partial index so that SQLite uses the index. */
export const UNFINISHED = sql<boolean>`progress <> '100%'`

/** The `tasks` table. A finished task never changes again. */
export const taskStore = (db: Db) => ({
  async add(row: NewTask): Promise<void> {
    await db.insertInto('tasks').values(row).execute()
  },

  /** Returns the newest of the owner's tasks with this id on a platform. */
  ofOwner: (owner: RowOwner, platform: string, taskId: string): Promise<TaskRow | undefined> =>
    db
      .selectFrom('tasks')
      .selectAll()
      .where(isOwn(owner))
      .where('platform', '=', platform)
      .where('task_id', '=', taskId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),

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

  /**
   * Updates an unfinished task; returns false if it is finished. A single statement, so only one of several concurrent
   * callers can finish it.
   */
  async change(id: number, change: TaskChange): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('tasks')
      .set(change)
      .where('id', '=', id)
      .where(UNFINISHED)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  /** Returns matching tasks in descending id order; times are unix seconds. */
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
