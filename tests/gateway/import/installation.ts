import { hashSync } from 'bcryptjs'
import { type SiblingRows, siblingDatabase } from '../../support/sibling-database.ts'
import type { World } from '../../support/world.ts'

type Row = SiblingRows[string][number]

/** The hash of a password as another installation stores it: never the same twice. */
export const hashOf = (password: string): string => hashSync(password, 4)

/** A one-api installation whose rows a test changes between two copies of its database. */
export function installation(users: readonly Row[], more: SiblingRows = {}) {
  const rows = { ...more, users: users.map((user) => ({ password: hashOf(`password-${user.username}`), ...user })) }
  return {
    change(id: number, cells: Row) {
      rows.users = rows.users.map((user) => ('id' in user && user.id === id ? { ...user, ...cells } : user))
    },
    add(table: string, row: Row) {
      if (table === 'users') rows.users = [...rows.users, { password: hashOf(`password-${row.username}`), ...row }]
      else Object.assign(rows, { [table]: [...((rows as SiblingRows)[table] ?? []), row] })
    },
    copy: (family: 'new-api' | 'one-api' = 'one-api') => siblingDatabase(family, rows),
  }
}

/** The first account of an installation, which has no invitation code until someone opens its page. */
export const root: Row = { id: 1, username: 'root', role: 100, quota: 5 }

export const keyRow = (user_id: number, letter: string): Row => ({
  user_id,
  key: letter.repeat(48),
  name: `key ${letter}`,
  created_time: 1,
  unlimited_quota: 1,
})

/** Imported accounts and the owner of each key. */
export async function stateOf(world: World) {
  const { db } = world.gateway.inner
  const users = await db.selectFrom('users').select(['id', 'username', 'quota', 'role']).orderBy('id').execute()
  const nameOf = (id: number) => users.find((user) => user.id === id)?.username
  const tokens = await db.selectFrom('tokens').select(['user_id', 'name']).orderBy('id').execute()
  const logs = await db.selectFrom('logs').select(['user_id', 'content']).where('type', '=', 2).orderBy('id').execute()
  return {
    balances: Object.fromEntries(users.slice(1).map(({ username, quota }) => [username, quota])),
    administrators: users.slice(1).flatMap(({ username, role }) => (role >= 10 ? [username] : [])),
    keys: Object.fromEntries(tokens.map(({ user_id, name }) => [name, nameOf(Number(user_id))])),
    calls: logs.map(({ user_id, content }) => `${content} ${nameOf(Number(user_id)) ?? '-'}`),
  }
}
