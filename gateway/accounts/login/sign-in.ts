import { userStatus } from '../../../shared/enums.ts'
import { refuse } from '../../base/errors.ts'
import type { Passwords } from '../../base/secrets/passwords.ts'
import type { Settings } from '../../settings/settings.ts'
import type { RateWindow } from '../../shared-state/rates.ts'
import { userLookups } from '../../store/accounts/user-lookups.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { triesKey } from './attempt-key.ts'
import type { Device, Sessions } from './sessions.ts'

type LoginRequest = Readonly<{
  name: string
  password: string
  device: Device
}>

type SignInDeps = Readonly<{
  db: Db
  passwords: Passwords
  sessions: Pick<Sessions, 'knows'>
  settings: Pick<Settings, 'get'>
  /** Counts attempts by name, or by account for addresses where its owner is logged in (`triesKey`). */
  attempts: RateWindow
  /** Records a failed attempt in the login history of an account; never rejects. */
  noteFailure: (userId: number, device: Device) => Promise<void>
}>

export type SignIn = (request: LoginRequest) => Promise<UserRow>

/** An id that no account has. */
const NO_USER = 0

/**
 * Login by password (docs/reference/accounts.md#login). A wrong name, a wrong password and an inactive account produce
 * the same error after the same work: one of our hashes is always verified, and one of another gateway's as long as any
 * account still has one. Failures elsewhere do not block an account from an address where its owner is logged in, so
 * guessing locks no one out. While password login is off, it is off for everyone on every address; to recover, run
 * `reset-login` (docs/operations.md#locked-out). A hash of another gateway is replaced with ours on the first
 * successful login.
 */
export function createSignIn({ db, passwords, sessions, settings, attempts, noteFailure }: SignInDeps): SignIn {
  const users = userStore(db)
  /**
   * Replaces the hash with ours, unless the password was changed meanwhile; if hashing is busy, the next login does it.
   */
  const rehash = async (user: UserRow, typed: string): Promise<UserRow> => {
    if (passwords.busy()) return user
    const change = { password: await passwords.hash(typed) }
    return (await users.patch(user.id, change, { password: user.password })) ? { ...user, ...change } : user
  }
  return async ({ name, password, device }) => {
    const { ip } = device
    const typed = name.trim()
    if (typed === '' || password === '') throw refuse('invalid', 'param.invalid')
    if (!settings.get('PasswordLoginEnabled')) throw refuse('forbidden', 'login.closed')
    if (passwords.busy()) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 1 })
    const user = await users.bySignInName(typed)
    // Counted by the name entered, so the count does not reveal whether the account exists.
    const attemptsKey = await triesKey(sessions, {
      userId: user?.id ?? NO_USER,
      ip,
      otherwise: `name ${typed.toLowerCase()}`,
    })
    const wait = await attempts.take(attemptsKey)
    if (wait > 0) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: wait })
    const matches = await passwords.matches(
      user?.password ?? null,
      password,
      await userLookups(db).costliestForeignPassword(),
    )
    if (!user || !matches || user.status !== userStatus.active) {
      // Only once the response is being sent: otherwise timing would reveal whether the name exists.
      if (user) setImmediate(noteFailure, user.id, device)
      throw refuse('forbidden', 'login.invalid')
    }
    await attempts.clear(attemptsKey)
    return passwords.isForeign(user.password) ? rehash(user, password) : user
  }
}
