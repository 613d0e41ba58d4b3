import type { Updateable } from 'kysely'
import { countUpTo, type PageRange } from '../page.ts'
import { isOwn, type RowOwner } from '../row-owner.ts'
import type { DrawingRow, MidjourneysTable, NewDrawing } from '../schema/schema-tasks.ts'
import type { Db } from '../sqlite/database.ts'
import { MAX_TASKS_COUNTED, type TaskFilter, UNFINISHED } from './tasks.ts'

/** Columns that a poll may change while a drawing is unfinished. */
export type DrawingChange = Pick<
  Updateable<MidjourneysTable>,
  | 'prompt_en'
  | 'description'
  | 'state'
  | 'start_time'
  | 'finish_time'
  | 'image_url'
  | 'video_urls'
  | 'status'
  | 'progress'
  | 'fail_reason'
  | 'buttons'
  | 'properties'
>

/** Max drawings per id, because several accounts may have the same id, and one account may have it twice. */
const MAX_PER_ID = 50

/** The `midjourneys` table. A finished drawing never changes again. */
export const drawingStore = (db: Db) => ({
  async add(row: NewDrawing): Promise<number> {
    const { id } = await db.insertInto('midjourneys').values(row).returning('id').executeTakeFirstOrThrow()
    return id
  },

  /** Returns the newest of the owner's drawings with this id. */
  ofOwner: (owner: RowOwner, mjId: string): Promise<DrawingRow | undefined> =>
    db
      .selectFrom('midjourneys')
      .selectAll()
      .where(isOwn(owner))
      .where('mj_id', '=', mjId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),

  /** Returns drawings of all accounts with this id that have an image or a video, the newest first. */
  withImage: (mjId: string): Promise<DrawingRow[]> =>
    db
      .selectFrom('midjourneys')
      .selectAll()
      .where('mj_id', '=', mjId)
      .where((eb) => eb.or([eb('image_url', '<>', ''), eb('video_urls', '<>', '')]))
      .orderBy('id', 'desc')
      .limit(MAX_PER_ID)
      .execute(),

  unfinishedOf: (mjId: string): Promise<DrawingRow[]> =>
    db.selectFrom('midjourneys').selectAll().where('mj_id', '=', mjId).where(UNFINISHED).limit(MAX_PER_ID).execute(),

  unfinished: (after: number, limit: number): Promise<DrawingRow[]> =>
    db
      .selectFrom('midjourneys')
      .selectAll()
      .where(UNFINISHED)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),

  /**
   * Updates an unfinished drawing; returns false if it is finished. A single statement, so only one of several
   * concurrent callers can finish it.
   */
  async change(id: number, change: DrawingChange): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('midjourneys')
      .set(change)
      .where('id', '=', id)
      .where(UNFINISHED)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  /** Returns matching drawings in descending id order; the filter's times are submit times in milliseconds. */
  async page(filter: TaskFilter, { offset, limit }: PageRange): Promise<{ rows: DrawingRow[]; total: number }> {
    const fitting = () => narrowed(db, filter)
    const [rows, total] = await Promise.all([
      fitting().selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
      countUpTo(db, fitting().select('id'), MAX_TASKS_COUNTED + 1),
    ])
    return { rows, total }
  },
})

/** Counts an account's unfinished drawings with quota 0 submitted since `sinceMs`, up to `limit`. */
export async function countUnpaidDrawings(db: Db, userId: number, sinceMs: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('midjourneys')
    .select('id')
    .where('user_id', '=', userId)
    .where('submit_time', '>=', sinceMs)
    .where('quota', '=', 0)
    .where(UNFINISHED)
    .limit(limit)
    .execute()
  return rows.length
}

function narrowed(db: Db, { userId, channelId, taskId, from, to }: TaskFilter) {
  let query = db.selectFrom('midjourneys')
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (channelId) query = query.where('channel_id', '=', channelId)
  if (taskId) query = query.where('mj_id', '=', taskId)
  if (from) query = query.where('submit_time', '>=', from)
  if (to) query = query.where('submit_time', '<=', to)
  return query
}
