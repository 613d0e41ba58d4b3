import { randomUUID } from 'node:crypto'
import type { NewUserFields, UserChange } from '../../shared/api/user-admin.ts'
import { logType, role } from '../../shared/enums.ts'
import { formatMessage } from '../../shared/messages/format.ts'
import { actorIn, auditRow } from '../audit/log-rows.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Passwords } from '../base/secrets/passwords.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { Settings } from '../settings/settings.ts'
import { factorStore } from '../store/accounts/factors.ts'
import { passkeyStore } from '../store/accounts/passkeys.ts'
import { identitiesOf, pastIdentityStore } from '../store/accounts/past-identities.ts'
import { sessionStore } from '../store/accounts/sessions.ts'
import { signInStore } from '../store/accounts/sign-ins.ts'
import { tokenStore } from '../store/accounts/tokens.ts'
import { type UserPatch, userStore } from '../store/accounts/users.ts'
import type { UserRow } from '../store/schema/schema.ts'
import type { Db } from '../store/sqlite/database.ts'
import { checkPassword, checkUsername } from './account-fields.ts'
import { type Manager, requireManager } from './guards/managing.ts'
import { addAccount } from './new-account.ts'
import { decideAction, requireAbove } from './user-actions.ts'

type UserAdminDeps = Readonly<{
  db: Db
  ledger: Pick<Ledger, 'move' | 'flush' | 'forget'>
  passwords: Pick<Passwords, 'hash' | 'busy'>
  settings: Pick<Settings, 'get'>
  clock: Clock
  show: (quota: number) => string
  /** Called after an account changed, so that the relay drops what it caches about it. */
  onChange: (userId: number) => MaybePromise<void>
}>

/**
 * The actions of administrators on accounts (docs/reference/accounts.md#managing-accounts). Each action is one
 * transaction with its log row; a ban, a deletion, or a change of role or password also ends all sessions in the same
 * transaction.
 */
export interface UserAdmin {
  create(by: Manager, fields: NewUserFields): Promise<void>
  /** Writes the fields that are present; quota is moved by the ledger. */
  update(by: Manager, change: UserChange): Promise<void>
  manage(by: Manager, id: number, action: string): Promise<Pick<UserRow, 'status' | 'role'>>
  /** Removes the second factors, including passkeys, of an account whose owner lost them. */
  resetFactors(by: Manager, id: number): Promise<void>
  /** Deletes the account, but not its rows in the log and the ledger. */
  remove(by: Manager, id: number): Promise<void>
}

export function createUserAdmin(deps: UserAdminDeps): UserAdmin {
  const { db, ledger, clock, onChange } = deps
  const find = async (id: number): Promise<UserRow> => {
    await ledger.flush()
    const row = await userStore(db).evenDeactivated(id)
    if (!row) throw refuse('missing', 'user.not_found')
    return row
  }
  return {
    create: (by, fields) => create(deps, by, fields),
    async update(by, change) {
      for (let tries = 1; ; tries += 1) {
        const row = await find(change.id)
        requireAbove(by, row, 'user.higher_write')
        if (row.deleted_at !== null) throw refuse('invalid', 'auth.deactivated')
        // Users change their own password with the old one.
        if (change.password && row.id === by.id) throw refuse('forbidden', 'user.own_password')
        if (change.role !== undefined && by.role < role.root && change.role >= by.role)
          throw refuse('forbidden', 'user.role_limit')
        try {
          await write(deps, by, row, change)
          return await onChange(row.id)
        } catch (cause) {
          const isRetried = cause instanceof ChangedMeanwhile || (await hasMoved(db, by, change))
          if (isRetried && tries < MAX_TRIES) continue
          throw await refusalOf(db, row, change, cause)
        }
      }
    },
    async manage(by, id, action) {
      const row = await find(id)
      const { patch, ends, logKey } = decideAction(by, row, action, unixSeconds(clock))
      await db.transaction().execute(async (transaction) => {
        await requireManager(transaction, by)
        // Only if the account has not changed since the decision.
        const isDone = await userStore(transaction).patch(id, patch, { role: row.role, status: row.status })
        if (!isDone) throw refuse('invalid', 'user.changed_meanwhile')
        if (ends) await sessionStore(transaction).removeOf(id)
        if (patch.deleted_at !== undefined) await tokenStore(transaction).disableOf(id)
        await transaction
          .insertInto('logs')
          .values(auditRow(by, logKey, clock, row))
          .execute()
      })
      await onChange(id)
      return { status: patch.status ?? row.status, role: patch.role ?? row.role }
    },
    async resetFactors(by, id) {
      const row = await find(id)
      requireAbove(by, row, 'user.higher_write')
      // Users turn off their own factors with a code.
      if (id === by.id) throw refuse('forbidden', 'user.own_factors')
      await db.transaction().execute(async (transaction) => {
        await requireManager(transaction, by)
        const now = await userStore(transaction).byId(id)
        if (now?.role !== row.role) throw refuse('invalid', 'user.changed_meanwhile')
        await factorStore(transaction).remove(id)
        await passkeyStore(transaction).removeOf(id)
        await transaction
          .insertInto('logs')
          .values(auditRow(by, 'log.user_factors', clock, row))
          .execute()
      })
    },
    async remove(by, id) {
      await removeAccount(deps, by, await find(id))
      await onChange(id)
    },
  }
}

async function removeAccount({ db, ledger, clock }: UserAdminDeps, by: Manager, row: UserRow): Promise<void> {
  const { id } = row
  if (row.role === role.root) throw refuse('forbidden', 'user.root_delete')
  requireAbove(by, row, 'user.delete_higher')
  const tokenIds = await db.transaction().execute(async (transaction) => {
    await requireManager(transaction, by)
    const now = await userStore(transaction).evenDeactivated(id)
    if (now?.role !== row.role) throw refuse('invalid', 'user.changed_meanwhile')
    await sessionStore(transaction).removeOf(id)
    const removed = await tokenStore(transaction).removeOf(id, unixSeconds(clock))
    await factorStore(transaction).remove(id)
    await passkeyStore(transaction).removeOf(id)
    await signInStore(transaction).removeOf(id)
    await pastIdentityStore(transaction).add(identitiesOf(row), unixSeconds(clock))
    await userStore(transaction).remove(id)
    await transaction
      .insertInto('logs')
      .values(auditRow(by, 'log.user_remove', clock, row))
      .execute()
    return removed
  })
  for (const tokenId of tokenIds) ledger.forget({ tokenId })
  ledger.forget({ userId: id })
}

async function create(deps: UserAdminDeps, by: Manager, fields: NewUserFields): Promise<void> {
  const { db, passwords, clock } = deps
  const { password, role: newRole = role.user } = fields
  const username = fields.username.trim()
  if (username === '' || password === '') throw refuse('invalid', 'user.empty_add')
  if (newRole >= by.role) throw refuse('forbidden', 'user.create_higher')
  if (newRole !== role.user && newRole !== role.admin) throw refuse('invalid', 'param.invalid')
  checkUsername(username)
  checkPassword(password)
  if (await userStore(db).isTaken(username)) throw refuse('invalid', 'register.exists')
  if (passwords.busy()) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 1 })
  const row = {
    username,
    password: await passwords.hash(password),
    display_name: fields.display_name.trim(),
    role: newRole,
  }
  await addAccount(deps, {
    row,
    locale: by.locale,
    together: (transaction) => requireManager(transaction, by),
    audit: (id) => auditRow(by, 'log.user_create', clock, { id, username }),
  })
}

const MAX_TRIES = 10
const EDIT = 'edit'

class ChangedMeanwhile extends Error {}

/**
 * Returns the error to throw for a failed write: a refusal if the account was changed or the new name was taken
 * meanwhile, otherwise `cause`.
 */
async function refusalOf(db: Db, row: UserRow, change: UserChange, cause: unknown): Promise<unknown> {
  if (cause instanceof ChangedMeanwhile) return refuse('invalid', 'user.changed_meanwhile', {}, { cause })
  const username = change.username?.trim() ?? row.username
  const isTaken = username !== row.username && (await userStore(db).isTaken(username, row.id))
  return isTaken ? refuse('invalid', 'register.exists', {}, { cause }) : cause
}

/**
 * Writes all present fields in one transaction: columns, the end of sessions if the password changed, and the quota
 * movement.
 */
async function write(deps: UserAdminDeps, by: Manager, row: UserRow, change: UserChange): Promise<void> {
  const { db, ledger, clock, show } = deps
  const patch = await patchOf(deps, row, change)
  const together = async (transaction: Db) => {
    await requireManager(transaction, by)
    const now = await userStore(transaction).byId(row.id)
    // Throws if the role changed since the decision, or if the quota is set absolutely and the balance changed.
    const isSet = change.quota !== undefined && change.quota_base === undefined
    if (now?.role !== row.role || (isSet && now.quota !== row.quota)) throw new ChangedMeanwhile()
    await userStore(transaction).patch(
      row.id,
      patch.password === undefined ? patch : { ...patch, access_token_hash: null },
    )
    if (patch.password !== undefined) await sessionStore(transaction).removeOf(row.id)
    const { password: _, ...changes } = patch
    if (Object.keys(patch).length > 0)
      await transaction
        .insertInto('logs')
        .values(auditRow(by, 'log.user_update', clock, row, changes))
        .execute()
  }
  const { quota, quota_base: base = row.quota } = change
  const amount = quota === undefined || (await hasMoved(db, by, change)) ? 0 : quota - base
  if (amount === 0) return db.transaction().execute(together)
  const [a, b] = [show(row.quota), show(row.quota + amount)]
  await ledger.move({
    kind: 'admin',
    userId: row.id,
    amount,
    refType: EDIT,
    refId: refOf(by, change) ?? randomUUID(),
    together,
    log: {
      user_id: row.id,
      created_at: unixSeconds(clock),
      type: logType.manage,
      username: row.username,
      content: formatMessage(by.locale, 'log.quota_edit', { a, b }),
      other: actorIn(by),
    },
  })
}

/** The reference of a movement; the ledger books each only once. Undefined without an idempotency key. */
const refOf = (by: Manager, { id, idempotency_key: key }: UserChange): string | undefined =>
  key ? `${by.id}:${id}:${key}` : undefined

/**
 * Returns whether this manager has already moved quota with the idempotency key of this change. Throws if the amount
 * was different.
 */
async function hasMoved(db: Db, by: Manager, change: UserChange): Promise<boolean> {
  const ref = refOf(by, change)
  if (ref === undefined) return false
  const moved = await db
    .selectFrom('ledger')
    .select('amount')
    .where('kind', '=', 'admin')
    .where('ref_type', '=', EDIT)
    .where('ref_id', '=', ref)
    .executeTakeFirst()
  if (moved && moved.amount !== (change.quota ?? 0) - (change.quota_base ?? 0))
    throw refuse('invalid', 'user.changed_meanwhile')
  return moved !== undefined
}

async function patchOf(deps: UserAdminDeps, row: UserRow, change: UserChange): Promise<UserPatch> {
  const { db, passwords, settings } = deps
  const patch: UserPatch = {}
  const username = change.username?.trim()
  if (username !== undefined && username !== row.username) {
    if (username === '') throw refuse('invalid', 'user.need_name')
    checkUsername(username)
    if (await userStore(db).isTaken(username, row.id)) throw refuse('invalid', 'register.exists')
    patch.username = username
  }
  const group = change.group?.trim()
  if (group !== undefined && group !== row.group) {
    if (group !== '' && !Object.hasOwn(settings.get('GroupRatio'), group))
      throw refuse('invalid', 'user.group_unknown', { name: group })
    patch.group = group
  }
  if (change.display_name !== undefined) patch.display_name = change.display_name.trim() || (username ?? row.username)
  if (change.remark !== undefined) patch.remark = change.remark.trim()
  if (change.password) {
    checkPassword(change.password)
    if (passwords.busy()) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 1 })
    patch.password = await passwords.hash(change.password)
  }
  return patch
}
