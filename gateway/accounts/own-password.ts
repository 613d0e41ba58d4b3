import { refuse } from '../base/errors.ts'
import type { Passwords } from '../base/secrets/passwords.ts'
import type { RateWindow } from '../shared-state/rates.ts'
import type { UserRow } from '../store/schema/schema.ts'
import { triesKey } from './login/attempt-key.ts'
import type { Device, Sessions } from './login/sessions.ts'

type OwnPasswordDeps = Readonly<{
  passwords: Pick<Passwords, 'matches' | 'busy'>
  sessions: Pick<Sessions, 'knows'>
  /** Counts attempts together with those to log in, under the same keys. */
  attempts: RateWindow
  /** Records a failed attempt in the login history of an account; never rejects. */
  noteFailure: (userId: number, device: Device) => Promise<void>
}>

/**
 * Throws unless the caller, already logged in, knows the account's password, if it has one. Attempts are limited and
 * recorded together with logins (docs/reference/accounts.md#login).
 */
export type RequirePassword = (
  user: Pick<UserRow, 'id' | 'username' | 'password'>,
  typed: string,
  device: Device,
) => Promise<void>

export function createRequirePassword({
  passwords,
  sessions,
  attempts,
  noteFailure,
}: OwnPasswordDeps): RequirePassword {
  return async ({ id, username, password: stored }, typed, device) => {
    if (stored === '') return
    if (typed === '') throw refuse('invalid', 'pw.need_original')
    if (passwords.busy()) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 1 })
    const { ip } = device
    const key = await triesKey(sessions, { userId: id, ip, otherwise: `name ${username.toLowerCase()}` })
    const wait = await attempts.take(key)
    if (wait > 0) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: wait })
    if (!(await passwords.matches(stored, typed))) {
      await noteFailure(id, device)
      throw refuse('forbidden', 'pw.wrong_original')
    }
    await attempts.clear(key)
  }
}
