import { TWO_FACTORS_REQUIRED } from '../../shared/api/security.ts'
import type { UserView } from '../../shared/api/user.ts'
import { role } from '../../shared/enums.ts'
import type { CallFailure } from './call-failure.ts'
import { factorsMissing } from './factors-missing.ts'
import { currentUserId, knownUser, updateUser } from './session.ts'

/**
 * Handles refusals that need more than a message: a missing second factor, or an administrator who has been demoted to
 * a user (docs/reference/screens.md#calls-and-failures). Starts no second read of the role while one is running, and
 * shows no message.
 */
export async function followRefusal(failure: CallFailure, readSelf: () => Promise<UserView>): Promise<void> {
  if (requiresFactors(failure)) return noteMissingFactors()
  if (isReadingRole || (knownUser()?.role ?? role.user) < role.admin) return
  isReadingRole = true
  try {
    updateUser(await readSelf())
  } catch {
    // The next refusal may try again.
  } finally {
    isReadingRole = false
  }
}

/** Remembers the current page, unless this user has already been sent to set up a factor. */
export function noteMissingFactors(): void {
  const userId = currentUserId()
  const known = factorsMissing.get()
  if (known?.userId === userId && known.isMissing) return
  const { pathname, search, hash } = window.location
  factorsMissing.set({ userId, from: pathname + search + hash, isMissing: true })
}

const requiresFactors = ({ extras }: CallFailure): boolean => 'code' in extras && extras.code === TWO_FACTORS_REQUIRED

let isReadingRole = false
