import type { Insertable } from 'kysely'
import type { Schema, UserRow } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

export type NewUser = Insertable<Schema['users']>
/** Editable columns; not those of quota. */
export type UserPatch = Partial<
  Pick<
    UserRow,
    | 'username'
    | 'password'
    | 'display_name'
    | 'group'
    | 'remark'
    | 'role'
    | 'status'
    | 'deleted_at'
    | 'email'
    | 'access_token_hash'
    | 'setting'
    | 'github_id'
    | 'oidc_id'
    | 'linux_do_id'
    | 'wechat_id'
    | 'telegram_id'
  >
>

/** The `users` table. Deactivated rows match only where a function says so (docs/reference/accounts.md#roles). */
export const userStore = (db: Db) => ({
  byId: (id: number): Promise<UserRow | undefined> =>
    db.selectFrom('users').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst(),

  evenDeactivated: (id: number): Promise<UserRow | undefined> =>
    db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),

  byAccessToken: (hash: string): Promise<UserRow | undefined> =>
    db
      .selectFrom('users')
      .selectAll()
      .where('access_token_hash', '=', hash)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),

  /** Finds a user by username, or else by case-insensitive email address (docs/reference/accounts.md#login). */
  async bySignInName(name: string): Promise<UserRow | undefined> {
    const rows = await db
      .selectFrom('users')
      .selectAll()
      .where(({ eb, fn, or, and }) =>
        or([
          eb('username', '=', name),
          and([eb('email', '<>', ''), eb(fn<string>('lower', ['email']), '=', name.toLowerCase())]),
        ]),
      )
      .where('deleted_at', 'is', null)
      .execute()
    return rows.find(({ username }) => username === name) ?? rows[0]
  },

  /** Includes deactivated users. */
  async anyWithRole(role: number): Promise<boolean> {
    const row = await db.selectFrom('users').select('id').where('role', '=', role).limit(1).executeTakeFirst()
    return row !== undefined
  },

  withRole: (role: number): Promise<UserRow[]> =>
    db.selectFrom('users').selectAll().where('role', '=', role).where('deleted_at', 'is', null).execute(),

  /**
   * Returns whether the name is taken, ignoring case and including deactivated users. `but` is the id of the user who
   * may keep the name.
   */
  async isTaken(username: string, but = 0): Promise<boolean> {
    return (await withName(db, username).where('id', '<>', but).executeTakeFirst()) !== undefined
  },

  /** Usernames by id, of deactivated users too; unknown ids are missing from the map. */
  async namesOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const rows = await db.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, username }) => [id, username]))
  },

  add: (user: NewUser) => db.insertInto('users').values(user).execute(),

  /** Updates a user who is not deactivated and whose columns equal `standing`; otherwise returns false. */
  async patch(id: number, patch: UserPatch, standing: UserPatch = {}): Promise<boolean> {
    if (Object.keys(patch).length === 0) return true
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set(patch)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where((eb) => eb.and(standing))
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },

  /** Deletes the row permanently. Name and address become available again, but the id is never reused. */
  remove: (id: number) => db.deleteFrom('users').where('id', '=', id).execute(),

  /**
   * Returns the id that the database would assign next, for a user that is added together with its first ledger row.
   * Two concurrent callers may get the same id; the second insert then fails on the key.
   */
  async nextId(placeholder: NewUser): Promise<number> {
    const rollback = new Error('undone on purpose')
    let id = 0
    try {
      await db.transaction().execute(async (transaction) => {
        const row = await transaction.insertInto('users').values(placeholder).returning('id').executeTakeFirstOrThrow()
        id = row.id
        throw rollback
      })
    } catch (error) {
      if (error !== rollback) throw error
    }
    return id
  },
})

/** Like SQLite's `lower`, which changes only ASCII letters. */
const lowered = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * A name and its lower- and uppercase forms, each with ASCII letters in lowercase, because SQLite's `lower` does not
 * map É to é.
 */
const formsOf = (name: string): string[] => [
  ...new Set([name, name.toLowerCase(), name.toUpperCase()].map((form) => lowered(form))),
]

const withName = (db: Db, name: string) =>
  db
    .selectFrom('users')
    .select('id')
    .where(({ eb, fn, or }) =>
      or([eb('username', '=', name), eb(fn<string>('lower', ['username']), 'in', formsOf(name))]),
    )
