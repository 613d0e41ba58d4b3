import type { Insertable } from 'kysely'
import type { Db } from './database.ts'
import type { Schema, UserRow } from './schema.ts'

export type NewUser = Insertable<Schema['users']>
/** What an edit writes; the quota and what was used of it belong to the ledger. */
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

/**
 * The `users` table. Deactivated rows never match, except where a function says so (docs/reference/accounts.md#roles).
 */
export const userStore = (db: Db) => ({
  byId: (id: number): Promise<UserRow | undefined> =>
    db.selectFrom('users').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst(),

  /** Deactivated ones too: their rows may still be looked at. */
  evenDeactivated: (id: number): Promise<UserRow | undefined> =>
    db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),

  byAccessToken: (hash: string): Promise<UserRow | undefined> =>
    db
      .selectFrom('users')
      .selectAll()
      .where('access_token_hash', '=', hash)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),

  /**
   * By username, else by e-mail address whatever its case: both may be typed at sign-in
   * (docs/reference/accounts.md#sign-in).
   */
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

  /** Whether any row, deactivated ones included, has this role. */
  async anyWithRole(role: number): Promise<boolean> {
    const row = await db.selectFrom('users').select('id').where('role', '=', role).limit(1).executeTakeFirst()
    return row !== undefined
  },

  withRole: (role: number): Promise<UserRow[]> =>
    db.selectFrom('users').selectAll().where('role', '=', role).where('deleted_at', 'is', null).execute(),

  /** Whether the name is taken, in whatever case of its letters, by a deactivated row as well; `but` is the id of who may have it. */
  async isTaken(username: string, but = 0): Promise<boolean> {
    return (await withName(db, username).where('id', '<>', but).executeTakeFirst()) !== undefined
  },

  add: (user: NewUser) => db.insertInto('users').values(user).execute(),

  /** Changes an account that stands as it is said to, and is not deactivated; false where it does not. */
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

  /** Takes the row away for good; its name and address are free again, its id never is. */
  remove: (id: number) => db.deleteFrom('users').where('id', '=', id).execute(),

  /**
   * An id for a user that is about to be added together with its first ledger row. It is the one the database itself
   * would give next; two callers at once may get the same, then the second insert fails on the key.
   */
  async nextId(placeholder: NewUser): Promise<number> {
    const undone = new Error('undone on purpose')
    let id = 0
    try {
      await db.transaction().execute(async (transaction) => {
        const row = await transaction.insertInto('users').values(placeholder).returning('id').executeTakeFirstOrThrow()
        id = row.id
        throw undone
      })
    } catch (error) {
      if (error !== undone) throw error
    }
    return id
  },
})

/** As `lower` of SQLite has it, which knows the letters of ASCII alone. */
const lowered = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** A name in small letters and in capitals, for `lower` of SQLite leaves É and é apart. */
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
