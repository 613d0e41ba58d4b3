import { factorStore } from '../../store/accounts/factors.ts'
import { passkeyStore } from '../../store/accounts/passkeys.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { isBound } from '../login/login-methods.ts'

/**
 * Counts the second factors of an account; the only definition of what counts as one. A passkey is both factors at
 * once; all passkeys together count as one, and only if the account has no weaker login: no password and no provider
 * binding.
 */
export async function countSecondFactors(db: Db, userId: number): Promise<number> {
  const app = await factorStore(db).authenticator(userId)
  return (app?.confirmed_at == null ? 0 : 1) + ((await hasPasskeysAlone(db, userId)) ? 1 : 0)
}

export async function hasPasskeysAlone(db: Db, userId: number): Promise<boolean> {
  const row = await userStore(db).byId(userId)
  return row?.password === '' && !isBound(row) && (await passkeyStore(db).countOf(userId)) > 0
}
