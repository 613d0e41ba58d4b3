import type { Insertable } from 'kysely'
import type { Db } from './database.ts'
import type { PageRange } from './page.ts'
import type { OptionChangeRow, Schema } from './schema.ts'

type NewChange = Omit<Insertable<Schema['option_changes']>, 'id'>

/** What is kept at most: so many changes, so long, and so many characters of values. What is too old goes with the clean-up of old entries. */
export const KEPT_CHANGES = 10_000
const KEPT_SECONDS = 365 * 24 * 60 * 60
const KEPT_CHARACTERS = 64 * 1024 * 1024

/** Characters of each value in a list of changes; the whole of it is read for one change alone. */
export const LISTED_CHARACTERS = 4000

/** The `option_changes` table: what was changed, by whom, from what to what (docs/reference/options.md#history). */
export const optionChangeStore = (db: Db) => ({
  /** Adds changes, then forgets what is beyond the bounds, the oldest first. Within the transaction that stores the values. */
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
      .where('total', '>', KEPT_CHARACTERS)
      .executeTakeFirst()
    const last = Math.max(newest - KEPT_CHANGES, Number(beyond?.id ?? 0))
    await db.deleteFrom('option_changes').where('id', '<=', last).execute()
  },

  /** Removes at most `limit` of those that are too old; answers how many. */
  async removeOld(now: number, limit: number): Promise<number> {
    const old = db
      .selectFrom('option_changes')
      .select('id')
      .where('created_at', '<', now - KEPT_SECONDS)
    const { numDeletedRows } = await db
      .deleteFrom('option_changes')
      .where('id', 'in', old.orderBy('id').limit(limit))
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },

  /** The newest first, of one option or of all (''), with values cut to `LISTED_CHARACTERS`. */
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
      .where('created_at', '>=', now - KEPT_SECONDS)
      .orderBy('id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),

  async count(key: string, now: number): Promise<number> {
    const { total } = await db
      .selectFrom('option_changes')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .$if(key !== '', (query) => query.where('key', '=', key))
      .where('created_at', '>=', now - KEPT_SECONDS)
      .executeTakeFirstOrThrow()
    return Number(total)
  },

  /** One change with its values whole; undefined where there is none, or none any more. */
  byId: (id: number, now: number): Promise<OptionChangeRow | undefined> =>
    db
      .selectFrom('option_changes')
      .selectAll()
      .where('id', '=', id)
      .where('created_at', '>=', now - KEPT_SECONDS)
      .executeTakeFirst(),
})

/** A change as a list has it. */
export type ListedChange = Omit<OptionChangeRow, 'size'> &
  Readonly<{ before_length: number | null; after_length: number | null }>
