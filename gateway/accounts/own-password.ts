import { refuse } from '../base/errors.ts'
import type { Passwords } from '../base/passwords.ts'

/** Refuses who does not know the password of an account that has one. */
export async function requirePassword(
  passwords: Pick<Passwords, 'matches'>,
  stored: string,
  typed: string,
): Promise<void> {
  if (stored === '') return
  if (typed === '') throw refuse('invalid', 'pw.need_original')
  if (!(await passwords.matches(stored, typed))) throw refuse('forbidden', 'pw.wrong_original')
}
