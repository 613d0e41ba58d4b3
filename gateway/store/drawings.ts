import { sql, type Updateable } from 'kysely'
import type { Db } from './database.ts'
import { countUpTo, type PageRange } from './page.ts'
import { isOwn, type RowOwner } from './row-owner.ts'
import type { DrawingRow, MidjourneysTable, NewDrawing } from './schema-tasks.ts'
import { MAX_TASKS_COUNTED, type TaskFilter, UNFINISHED } from './tasks.ts'

/** What a poll may change of a drawing that is not finished. */
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

/** Drawings that a link of one id may mean: several accounts may have the same, and one of them twice. */
const MAX_ALIKE = 50

/** The `midjourneys` table. A drawing that is finished never changes again. */
export const drawingStore = (db: Db) => ({
  /** Answers the row's id. */
  async add(row: NewDrawing): Promise<number> {
    const { id } = await db.insertInto('midjourneys').values(row).returning('id').executeTakeFirstOrThrow()
    return id
  },

  /** The newest of an owner's own with this id. */
  ofOwner: (owner: RowOwner, mjId: string): Promise<DrawingRow | undefined> =>
    db
      .selectFrom('midjourneys')
      .selectAll()
      .where(isOwn(owner))
      .where('mj_id', '=', mjId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),

  /** Characters of all texts of an owner's own of these ids. */
  sizeOfOwnerIn: (owner: RowOwner, mjIds: readonly string[]): Promise<number> => sizeOf(db, owner, mjIds),

  /** An owner's own of these ids, the newest first. */
  async ofOwnerIn(owner: RowOwner, mjIds: readonly string[]): Promise<DrawingRow[]> {
    if (mjIds.length === 0) return []
    return db
      .selectFrom('midjourneys')
      .selectAll()
      .where(isOwn(owner))
      .where('mj_id', 'in', mjIds)
      .orderBy('id', 'desc')
      .execute()
  },

  /** Whoever's with this id that have an image or a video, the newest first. */
  withImage: (mjId: string): Promise<DrawingRow[]> =>
    db
      .selectFrom('midjourneys')
      .selectAll()
      .where('mj_id', '=', mjId)
      .where((eb) => eb.or([eb('image_url', '<>', ''), eb('video_urls', '<>', '')]))
      .orderBy('id', 'desc')
      .limit(MAX_ALIKE)
      .execute(),

  /** Whoever's with this id that are not finished. */
  unfinishedOf: (mjId: string): Promise<DrawingRow[]> =>
    db.selectFrom('midjourneys').selectAll().where('mj_id', '=', mjId).where(UNFINISHED).limit(MAX_ALIKE).execute(),

  /** Those that are not finished, by rising id. */
  unfinished: (after: number, limit: number): Promise<DrawingRow[]> =>
    db
      .selectFrom('midjourneys')
      .selectAll()
      .where(UNFINISHED)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),

  /** Changes one that is not finished; false where it is. One statement, so that of several who finish it one succeeds. */
  async change(id: number, change: DrawingChange): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('midjourneys')
      .set(change)
      .where('id', '=', id)
      .where(UNFINISHED)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  /** Those that fit, by falling id; times are in milliseconds, and submitting counts. */
  async page(filter: TaskFilter, { offset, limit }: PageRange): Promise<{ rows: DrawingRow[]; total: number }> {
    const fitting = () => narrowed(db, filter)
    const [rows, total] = await Promise.all([
      fitting().selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
      countUpTo(db, fitting().select('id'), MAX_TASKS_COUNTED + 1),
    ])
    return { rows, total }
  },
})

/** How many of an account's drawings, submitted since then, cost nothing and are not finished; at most `limit`. */
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

const TEXTS = sql<number>`length(prompt) + length(prompt_en) + length(description) + length(fail_reason) + length(image_url) + length(video_urls) + length(buttons) + length(properties)`

async function sizeOf(db: Db, owner: RowOwner, mjIds: readonly string[]): Promise<number> {
  const { size } = await db
    .selectFrom('midjourneys')
    .select(({ fn }) => fn.sum<number | null>(TEXTS).as('size'))
    .where(isOwn(owner))
    .where('mj_id', 'in', mjIds)
    .executeTakeFirstOrThrow()
  return Number(size ?? 0)
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
