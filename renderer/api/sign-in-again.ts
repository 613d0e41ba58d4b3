import type { SignedIn } from '../../shared/api/user.ts'
import { parsed } from '../../shared/json.ts'
import { endSession, heldUser, holdUser, knownUser, rememberUser, signIns } from './session.ts'
import { createSharedValue } from './shared-value.ts'
import { storedUser } from './stored-views.ts'
import { hasUnsaved } from './unsaved.ts'

/** Somebody who is asked to sign in again, on the page where they entered something. */
type Request = Readonly<{ user: SignedIn; done: Promise<boolean>; settle: (isBack: boolean) => void }>

/** Who is being asked to sign in again; the shell shows the dialog. */
export const useSignInRequest = (): SignedIn | undefined => request.use()?.user

/**
 * What follows a call that found no session (HTTP 401): true when it may be made again. Where something unsaved is on the
 * page, who is there is asked to sign in over it; everywhere else the session ends (docs/reference/screens.md#calls-and-failures).
 * `since` is what `signIns` told when the call was made. Who has put it off is asked again only by what they do themselves.
 */
export async function isSignedInAgain(since: number, isOwnDoing: boolean): Promise<boolean> {
  if (signIns() !== since) return true
  const user = knownUser()
  if (!user || !hasUnsaved()) {
    endSession()
    return false
  }
  return isPutOff && !isOwnDoing ? false : ask(user)
}

/** The person has signed in again: all that waits is asked once more. */
export function signInAgain(user: SignedIn): void {
  rememberUser(user)
  settle(true)
}

/** The person would rather look at the page first; nothing on it is lost. */
export const putOffSignIn = (): void => settle(false)

/**
 * Follows what other windows of the browser do: a session that ends there does not take away what is entered here, and one
 * that begins there is this window's, too.
 */
export function followOtherWindows(): void {
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key !== 'user') return
    const before = storedUser.safeParse(parsed(oldValue ?? '')).data
    const now = storedUser.safeParse(parsed(newValue ?? '')).data
    if (now && now.id === heldUser()?.id) signInAgain(now)
    else if (!now && before && hasUnsaved()) void ask(before)
  })
}

/** Asks once, however many calls wait for it. */
function ask(user: SignedIn): Promise<boolean> {
  const asked = request.get()
  if (asked) return asked.done
  const { promise: done, resolve } = Promise.withResolvers<boolean>()
  holdUser(user)
  request.set({ user, done, settle: resolve })
  return done
}

function settle(isBack: boolean): void {
  const asked = request.get()
  isPutOff = !isBack
  request.set(undefined)
  asked?.settle(isBack)
}

const request = createSharedValue<Request | undefined>(undefined)
let isPutOff = false
