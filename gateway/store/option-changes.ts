import type { Insertable } from 'kysely'
import type { PageRange } from './page.ts'
import type { OptionChangeRow, Schema } from './schema/schema.ts'
import type { Db } from './sqlite/database.ts'

type NewChange = Omit<Insertable<Schema['option_changes']>, 'id'>

/**
 * Limits of the history: number of changes, age, and total characters of values. Changes past the age limit are deleted
 * by the clean-up of old entries.
 */
export const MAX_CHANGES = 10_000
const MAX_AGE_SECONDS = 365 * 24 * 60 * 60
const MAX_CHARACTERS = 64 * 1024 * 1024

/** Max characters of each value in a list of changes; only `byId` returns whole values. */
export const LISTED_CHARACTERS = 4000

/** The `option_changes` table: who changed which option, from what to what (docs/reference/options.md#history). */
export const optionChangeStore = (db: Db) => ({
  /**
   * Adds changes, then deletes the oldest beyond the limits of number and characters. Call it within the transaction
   * that stores the values.
   */
  async add(changes: readonly NewChange[]): Promise<void> {
    if (changes.length === 0) return
    const added = await db.insertInto('option_changes').values(changes).returning('id').execute()
    const newest = Math.max(...added.map(({ id }) => Number(id)))
    const running = db.selectFrom('option_changes').select(({ fn }) => [
      'id',
      fn
        .sum<number>('size')
        .over((over) => over.orderBy('id', 'desc'))
        .as('total'),
    ])
    const beyond = await db
      .selectFrom(running.as('sums'))
      .select(({ fn }) => fn.max<number | null>('id').as('id'))
      .where('total', '>', MAX_CHARACTERS)
      .executeTakeFirst()
    const last = Math.max(newest - MAX_CHANGES, Number(beyond?.id ?? 0))
    await db.deleteFrom('option_changes').where('id', '<=', last).execute()
  },

  /** Deletes at most `limit` changes past the age limit; returns how many. */
  async removeOld(now: number, limit: number): Promise<number> {
    const old = db
      .selectFrom('option_changes')
      .select('id')
      .where('created_at', '<', now - MAX_AGE_SECONDS)
    const { numDeletedRows } = await db
      .deleteFrom('option_changes')
      .where('id', 'in', old.orderBy('id').limit(limit))
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },

  /** Returns changes of one option or of all (`''`), the newest first, with values cut to `LISTED_CHARACTERS`. */
  page: (key: string, { offset, limit }: PageRange, now: number): Promise<ListedChange[]> =>
    db
      .selectFrom('option_changes')
      .select(['id', 'created_at', 'user_id', 'username', 'origin', 'key', 'kept'])
      .select(({ fn, val }) => [
        fn<string | null>('substr', ['before', val(1), val(LISTED_CHARACTERS)]).as('before'),
        fn<string | null>('substr', ['after', val(1), val(LISTED_CHARACTERS)]).as('after'),
        fn<number | null>('length', ['before']).as('before_length'),
        fn<number | null>('length', ['after']).as('after_length'),
      ])
      .$if(key !== '', (query) => query.where('key', '=', key))
      .where('created_at', '>=', now - MAX_AGE_SECONDS)
      .orderBy('id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),

  async count(key: string, now: number): Promise<number> {
    const { total } = await db
      .selectFrom('option_changes')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .$if(key !== '', (query) => query.where('key', '=', key))
      .where('created_at', '>=', now - MAX_AGE_SECONDS)
      .executeTakeFirstOrThrow()
    return Number(total)
  },

  /** Returns one change with its whole values, or undefined if it does not exist or is past the age limit. */
  byId: (id: number, now: number): Promise<OptionChangeRow | undefined> =>
    db
      .selectFrom('option_changes')
      .selectAll()
      .where('id', '=', id)
      .where('created_at', '>=', now - MAX_AGE_SECONDS)
      .executeTakeFirst(),
})

/** A change in a list, with values cut and their full lengths. */
export type ListedChange = Omit<OptionChangeRow, 'size'> &
  Readonly<{ before_length: number | null; after_length: number | null }>
