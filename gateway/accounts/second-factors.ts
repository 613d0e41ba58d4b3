import type { Db } from '../store/database.ts'
import { factorStore } from '../store/factors.ts'
import { passkeyStore } from '../store/passkeys.ts'
import { userStore } from '../store/users.ts'
import { isBound } from './ways-in.ts'

/**
 * How many second factors an account has: whatever counts as one is counted here, and nowhere else. Passkeys are both factors at
 * once, which helps an account that nobody can log in to by less: one without a password that is bound nowhere.
 */
export async function countSecondFactors(db: Db, userId: number): Promise<number> {
  const app = await factorStore(db).authenticator(userId)
  return (app?.confirmed_at == null ? 0 : 1) + ((await hasPasskeysAlone(db, userId)) ? 1 : 0)
}

/** Whether passkeys are all that an account is logged in to by. */
export async function hasPasskeysAlone(db: Db, userId: number): Promise<boolean> {
  const row = await userStore(db).byId(userId)
  return row?.password === '' && !isBound(row) && (await passkeyStore(db).countOf(userId)) > 0
}
