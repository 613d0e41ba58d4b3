import { z } from 'zod'
import { logType, role, userStatus } from '../../../shared/enums.ts'
import { type MessageParams, nested } from '../../../shared/messages/format.ts'
import { isOptionKey, labelOf, type OptionKey } from '../../../shared/options/index.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { randomKey } from '../../base/ids.ts'
import { logMessage } from '../../base/localized-message.ts'
import { createPasswords } from '../../base/secrets/passwords.ts'
import { factorStore } from '../../store/accounts/factors.ts'
import { passkeyStore } from '../../store/accounts/passkeys.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'

/** The control-socket route of a running gateway; only the command line can call it. */
export const RECOVERY_PATH = '/control/way-back'

/** A recovery action for users who are locked out (docs/operations.md#locked-out); `name` defaults to root. */
export const recoveryRequest = z.discriminatedUnion('way', [
  z.object({ way: z.literal('options'), keys: z.array(z.string().max(200)).min(1).max(1000) }),
  z.object({ way: z.literal('password'), name: z.string().max(500).optional(), hash: z.string().min(20).max(500) }),
  z.object({ way: z.literal('factors'), name: z.string().max(500).optional() }),
])
export type RecoveryRequest = z.infer<typeof recoveryRequest>

export type RecoveryDone = Readonly<{
  lines: readonly string[]
  result: Readonly<Record<string, unknown>>
  userId?: number
  keys?: readonly OptionKey[]
}>

type RecoveryResult = RecoveryDone | Readonly<{ problem: string }>
export type AccountRecovery = (request: RecoveryRequest) => Promise<RecoveryResult>

/**
 * How the program that holds the data folder can let root in: by a new password, by removing the second factors, or by
 * resetting the options that restrict logins.
 */
export type RecoveryMethod = 'password' | 'factors' | 'login'
export type RootAccess = Readonly<
  | { kind: 'password'; username: string; password: string }
  | { kind: 'factors'; username: string }
  | { kind: 'login' }
  | { kind: 'failed'; said: string }
>

/** Lets root in by one of these methods (docs/operations.md#locked-out). */
export async function letRootIn(accountRecovery: AccountRecovery, way: RecoveryMethod): Promise<RootAccess> {
  const { password, hash } = way === 'password' ? await newPassword() : { password: '', hash: '' }
  const actions: Record<RecoveryMethod, RecoveryRequest> = {
    password: { way: 'password', hash },
    factors: { way: 'factors' },
    login: { way: 'options', keys: [...loginOptions] },
  }
  const done = await accountRecovery(actions[way])
  if ('problem' in done) return { kind: 'failed', said: done.problem }
  if (way === 'login') return { kind: 'login' }
  const username = String(done.result.username)
  return way === 'password' ? { kind: 'password', username, password } : { kind: 'factors', username }
}

export const loginOptions: readonly OptionKey[] = ['PasswordLoginEnabled', 'TurnstileCheckEnabled']

const PASSWORD_LENGTH = 16

export async function newPassword(): Promise<Readonly<{ password: string; hash: string }>> {
  const password = randomKey(PASSWORD_LENGTH)
  return { password, hash: await createPasswords().hash(password) }
}

/** Performs the action, with a log row, in the caller's transaction; returns the problem if it cannot. */
export async function recoverAccount(db: Db, clock: Clock, action: RecoveryRequest): Promise<RecoveryResult> {
  if (action.way === 'options') return resetOptions(db, clock, action.keys)
  const users = userStore(db)
  const [root] = await users.withRole(role.root)
  const user = action.name === undefined ? root : await users.bySignInName(action.name)
  if (!user)
    return {
      problem: action.name === undefined ? 'the setup has not been completed yet' : `unknown user ${action.name}`,
    }
  return action.way === 'password' ? resetPassword(db, clock, user, action.hash) : removeFactors(db, clock, user)
}

async function resetOptions(db: Db, clock: Clock, keys: readonly string[]) {
  const unknown = keys.find((key) => !isOptionKey(key))
  if (unknown !== undefined) return { problem: `unknown option ${unknown}` }
  const lines: string[] = []
  const done: OptionKey[] = []
  for (const key of keys.filter(isOptionKey)) {
    const { numDeletedRows } = await db.deleteFrom('options').where('key', '=', key).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) {
      lines.push(`${key} already has its default value.`)
      continue
    }
    await audit(db, clock, 'log.option_reset', { name: nested(labelOf(key)), key }, { option: key, reset: true })
    lines.push(`${key} was reset to its default.`)
    done.push(key)
  }
  return { lines, result: { reset: done }, keys: done }
}

async function resetPassword(db: Db, clock: Clock, { id, username }: UserRow, hash: string): Promise<RecoveryDone> {
  const change = { password: hash, status: userStatus.active, access_token_hash: null }
  await db.updateTable('users').set(change).where('id', '=', id).execute()
  await db.deleteFrom('sessions').where('user_id', '=', id).execute()
  await audit(db, clock, 'log.password_reset', { name: username }, { password_of: username })
  return { lines: [], result: { username }, userId: id }
}

async function removeFactors(db: Db, clock: Clock, { id, username }: UserRow): Promise<RecoveryDone> {
  const hadAuthenticator = await factorStore(db).remove(id)
  const passkeys = await passkeyStore(db).removeOf(id)
  const result = { username, app: hadAuthenticator, passkeys }
  if (!hadAuthenticator && passkeys === 0) return { lines: [`${username} has no second factor.`], result }
  await audit(db, clock, 'log.user_factors', { name: username, id }, { factors_of: username })
  const removedLines = passkeys > 0 ? [`Passkeys of ${username} that were removed: ${passkeys}`] : []
  return { lines: [...removedLines, `${username} can log in without a second factor.`], result, userId: id }
}

type AuditKey = 'log.option_reset' | 'log.password_reset' | 'log.user_factors'

/** Writes a log row for administrators; the actor is the shell of this machine. */
async function audit(db: Db, clock: Clock, key: AuditKey, params: MessageParams, facts: object): Promise<void> {
  const message = logMessage([{ key, params: { ...params, actor: nested('log.shell') } }], {
    admin_info: { ...facts, actor: { id: 0, username: '' } },
  })
  await db
    .insertInto('logs')
    .values({ user_id: 0, created_at: unixSeconds(clock), type: logType.manage, ...message })
    .execute()
}
