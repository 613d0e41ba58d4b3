import type { SignedIn } from '../../shared/api/user.ts'
import { parsed } from '../../shared/json.ts'
import { endSession, heldUser, holdUser, knownUser, releaseUser, rememberUser, signIns } from './session.ts'
import { createSharedValue } from './shared-value.ts'
import { storedUser } from './stored-views.ts'
import { hasUnsaved } from './unsaved.ts'

/** Somebody who is asked to sign in again, on the page where they entered something. */
type Request = Readonly<{
  user: SignedIn
  /** The session goes on: it is asked for what somebody is about to change. */
  isProof: boolean
  done: Promise<boolean>
  settle: (isBack: boolean) => void
}>

/** Who is being asked to sign in again, and why; the shell shows the dialog. */
export const useSignInRequest = (): Pick<Request, 'user' | 'isProof'> | undefined => request.use()

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
  return putOffAt === signIns() && !isOwnDoing ? false : ask(user)
}

/**
 * What follows a refusal for want of a recent login (docs/reference/accounts.md#a-recent-login): true when the call may be made
 * again. Put off, the session is what it was.
 */
export async function isProvenAgain(since: number): Promise<boolean> {
  if (signIns() !== since) return true
  const user = knownUser()
  if (!user) return false
  const isBack = await ask(user, true)
  if (!isBack) releaseUser()
  return isBack
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
function ask(user: SignedIn, isProof = false): Promise<boolean> {
  const asked = request.get()
  if (asked) return asked.done
  const { promise: done, resolve } = Promise.withResolvers<boolean>()
  holdUser(user)
  request.set({ user, isProof, done, settle: resolve })
  return done
}

function settle(isBack: boolean): void {
  const asked = request.get()
  // Who puts a proof off has a session that goes on.
  if (!isBack && !asked?.isProof) putOffAt = signIns()
  request.set(undefined)
  asked?.settle(isBack)
}

const request = createSharedValue<Request | undefined>(undefined)
/** In which session it was put off last, as `signIns` counts them. */
let putOffAt: number | undefined
