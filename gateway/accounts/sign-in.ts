import { userStatus } from '../../shared/enums.ts'
import { refuse } from '../base/errors.ts'
import type { Passwords } from '../base/passwords.ts'
import type { Settings } from '../settings/settings.ts'
import type { RateWindow } from '../shared-state/rates.ts'
import type { Db } from '../store/database.ts'
import type { UserRow } from '../store/schema.ts'
import { userLookups } from '../store/user-lookups.ts'
import { userStore } from '../store/users.ts'
import type { Device, Sessions } from './sessions.ts'
import { triesKey } from './tries.ts'

type SignInAsk = Readonly<{
  /** A username or an e-mail address. */
  name: string
  password: string
  device: Device
}>

type SignInDeps = Readonly<{
  db: Db
  passwords: Passwords
  sessions: Pick<Sessions, 'knows'>
  settings: Pick<Settings, 'get'>
  /** Counts attempts by account. */
  attempts: RateWindow
  /** Writes a failed attempt into the history of an account; never rejects. */
  noteFailure: (userId: number, device: Device) => Promise<void>
}>

/** Checks a name and a password; answers the user, or refuses. */
export type SignIn = (ask: SignInAsk) => Promise<UserRow>

/** The id of no account. */
const NOBODY = 0

/**
 * Sign-in by password (docs/reference/accounts.md#sign-in). One message for a wrong name, a wrong password and an
 * account that is not enabled, after the same work: a hash of ours is checked for whoever asks, and one of another gateway's as
 * long as any account still has one. Too many failures close an account to addresses its owner is not
 * signed in from, so that guessing locks nobody out. While password sign-in is off it is off for everybody, wherever
 * they are; the way back is the command `reset-login` (docs/operations.md#locked-out). A hash that another gateway made is
 * exchanged for one of ours the first time its password comes.
 */
export function createSignIn({ db, passwords, sessions, settings, attempts, noteFailure }: SignInDeps): SignIn {
  const users = userStore(db)
  /** A password that was changed meanwhile stays as it is; while too many wait, the next sign-in does it. */
  const renewed = async (user: UserRow, typed: string): Promise<UserRow> => {
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
    // By what was typed, so that counting tells nobody whether there is such an account.
    const account = await triesKey(sessions, {
      userId: user?.id ?? NOBODY,
      ip,
      otherwise: `name ${typed.toLowerCase()}`,
    })
    const wait = await attempts.take(account)
    if (wait > 0) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: wait })
    const matches = await passwords.matches(
      user?.password ?? null,
      password,
      await userLookups(db).costliestForeignPassword(),
    )
    if (!user || !matches || user.status !== userStatus.active) {
      // Once the answer is on its way: for a name that nobody has there is nothing to write.
      if (user) setImmediate(noteFailure, user.id, device)
      throw refuse('forbidden', 'login.invalid')
    }
    await attempts.clear(account)
    return passwords.isForeign(user.password) ? renewed(user, password) : user
  }
}
