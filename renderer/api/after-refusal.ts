import { TWO_FACTORS_REQUIRED } from '../../shared/api/security.ts'
import type { UserView } from '../../shared/api/user.ts'
import { role } from '../../shared/enums.ts'
import type { CallFailure } from './call-failure.ts'
import { factorsMissing } from './factors-missing.ts'
import { currentUserId, knownUser, updateUser } from './session.ts'

/**
 * What a refusal may mean beyond its words: that a second factor must be set up first, or that an administrator is none any
 * more, and the console a user's from now on (docs/reference/screens.md#calls-and-failures). The role is read once, however many
 * calls were refused; without a word.
 */
export async function followRefusal(failure: CallFailure, readSelf: () => Promise<UserView>): Promise<void> {
  if (asksForFactors(failure)) return noteMissingFactors()
  if (isReadingRole || (knownUser()?.role ?? role.user) < role.admin) return
  isReadingRole = true
  try {
    updateUser(await readSelf())
  } catch {
    // The next refusal asks again.
  } finally {
    isReadingRole = false
  }
}

/** Keeps where one was; who has been told already is led there from elsewhere. */
export function noteMissingFactors(): void {
  const userId = currentUserId()
  const known = factorsMissing.get()
  if (known?.userId === userId && known.isMissing) return
  const { pathname, search, hash } = window.location
  factorsMissing.set({ userId, from: pathname + search + hash, isMissing: true })
}

const asksForFactors = ({ beside }: CallFailure): boolean => 'code' in beside && beside.code === TWO_FACTORS_REQUIRED

let isReadingRole = false
