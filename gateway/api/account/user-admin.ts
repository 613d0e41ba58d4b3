import { type ManagedUser, userAdmin } from '../../../shared/api/user-admin.ts'
import { role } from '../../../shared/enums.ts'
import type { Manager } from '../../accounts/guards/managing.ts'
import { changeUsers } from '../../accounts/many-users.ts'
import { requireAbove } from '../../accounts/user-actions.ts'
import type { UserAdmin } from '../../accounts/user-admin.ts'
import { refuse } from '../../base/errors.ts'
import type { Ledger } from '../../billing/ledger.ts'
import { objectOf } from '../../channels/registry/active-channel.ts'
import { type UserFilter, userList } from '../../store/accounts/user-list.ts'
import { userStore } from '../../store/accounts/users.ts'
import { pageAtNumber } from '../../store/page.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import type { Actor, ApiCaller } from '../actor.ts'
import { serve } from '../serve.ts'
import { viewOf } from './user.ts'

type UserAdminApiDeps = Readonly<{
  db: Db
  /** Used for lists and searches, which may read every account. */
  reader: Pick<Reader, 'until'>
  ledger: Pick<Ledger, 'flush'>
  users: UserAdmin
}>

/** Account management by administrators (docs/reference/accounts.md#managing-accounts). */
export function userAdminApi({ db, reader, ledger, users }: UserAdminApiDeps) {
  const page = async (
    filters: Omit<UserFilter, 'mailOf'>,
    { p, page_size }: Paged,
    actor: Actor,
    caller: ApiCaller,
  ) => {
    await ledger.flush()
    // A hidden email address cannot be found by searching for a part of it either.
    const filter = { ...filters, mailOf: { below: seesMailBelow(actor), id: actor.id } }
    const list = userList(reader.until(caller))
    const { rows, total } = await list.page(filter, pageAtNumber(p, page_size))
    const active = await list.lastActive(rows.map(({ id }) => id))
    return { items: rows.map((row) => managedViewOf(row, active, actor)), total, page: p, page_size }
  }
  return serve(userAdmin, {
    list: ({ query, actor, caller }) => page({ ...noFilter, sort: query.sort }, query, actor, caller),
    search: ({ query, actor, caller }) => page(query, query, actor, caller),
    one: async ({ params, actor }) => {
      await ledger.flush()
      const row = await userStore(db).evenDeactivated(params.id)
      if (!row) throw refuse('missing', 'user.not_found')
      requireAbove(actor, row, 'user.higher_read')
      return managedViewOf(row, await userList(db).lastActive([row.id]), actor)
    },
    create: async ({ body, actor, caller }) => {
      await users.create(managerOf(actor, caller), body)
      return null
    },
    update: async ({ body, actor, caller }) => {
      await users.update(managerOf(actor, caller), body)
      return null
    },
    manage: ({ body, actor, caller }) => users.manage(managerOf(actor, caller), body.id, body.action),
    changeMany: ({ body, actor, caller }) => changeUsers({ db, users }, managerOf(actor, caller), body),
    remove: async ({ params, actor, caller }) => {
      await users.remove(managerOf(actor, caller), params.id)
      return null
    },
  })
}

const noFilter = { keyword: '', group: '', role: '', status: '' } as const

type Paged = Readonly<{ p: number; page_size: number }>

export const managerOf = ({ id, username, role }: Actor, { locale }: ApiCaller): Manager => ({
  id,
  username,
  role,
  locale,
})

/** Contains all settings if the account is the actor's own; otherwise all but the secret that signs webhooks. */
const managedViewOf = (row: UserRow, active: ReadonlyMap<number, number>, actor: Actor): ManagedUser => ({
  ...viewOf(row),
  remark: row.remark,
  last_active_at: active.get(row.id) ?? 0,
  ...(row.id !== actor.id && { setting: settingForOthers(row.setting) }),
  // An actor sees contact data, settings, remark and activity only of accounts with lower roles; root sees all.
  ...(row.id !== actor.id && row.role >= seesMailBelow(actor) && hidden),
})

/** Root sees all addresses; other actors see those of accounts with lower roles. */
const seesMailBelow = (actor: Actor): number => (actor.role < role.root ? actor.role : role.root + 1)

const hidden = {
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  aff_code: '',
  setting: '{}',
  remark: '',
  last_active_at: 0,
} as const

/** A user's settings without the secret that signs webhooks; empty for text that is not an object. */
function settingForOthers(text: string): string {
  const { webhook_secret: _, ...rest } = objectOf(text) ?? {}
  return JSON.stringify(rest)
}
