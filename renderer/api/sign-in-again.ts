import type { SignedIn } from '../../shared/api/user.ts'
import { parsed } from '../../shared/json.ts'
import { endSession, knownUser, releaseUser, rememberUser, retainedUser, retainUser, signIns } from './session.ts'
import { createSharedValue } from './shared-value.ts'
import { storedUser } from './stored-views.ts'
import { hasUnsaved } from './unsaved.ts'

type Request = Readonly<{
  user: SignedIn
  /** The session is still valid; the login is a confirmation before a change. */
  isProof: boolean
  done: Promise<boolean>
  settle: (isBack: boolean) => void
}>

/** The pending request to sign in again; the shell shows the dialog. */
export const useSignInRequest = (): Pick<Request, 'user' | 'isProof'> | undefined => request.use()

/**
 * Handles a call that found no session (HTTP 401); returns true if it may be repeated. On a page with unsaved input,
 * the user is prompted to sign in again in place; everywhere else the session ends
 * (docs/reference/screens.md#calls-and-failures). `since` is the value of `signIns` when the call was made. After the
 * user has dismissed the dialog, only their own actions open it again.
 */
export async function isSignedInAgain(since: number, isOwnDoing: boolean): Promise<boolean> {
  if (signIns() !== since) return true
  const user = knownUser()
  if (!user || !hasUnsaved()) {
    endSession()
    return false
  }
  return putOffAt === signIns() && !isOwnDoing ? false : requestSignIn(user)
}

/**
 * Handles a refusal that requires a recent login (docs/reference/accounts.md#recent-login); returns true if the
 * call may be repeated. Dismissing the dialog leaves the session as it is.
 */
export async function isProvenAgain(since: number): Promise<boolean> {
  if (signIns() !== since) return true
  const user = knownUser()
  if (!user) return false
  const isBack = await requestSignIn(user, true)
  if (!isBack) releaseUser()
  return isBack
}

export function signInAgain(user: SignedIn): void {
  rememberUser(user)
  settle(true)
}

/** The user dismisses the dialog; nothing on the page is lost. */
export const putOffSignIn = (): void => settle(false)

/**
 * Follows logins and logouts in other windows of the browser: a session that ends there does not discard input here,
 * and one that begins there is used here.
 */
export function followOtherWindows(): void {
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key !== 'user') return
    const before = storedUser.safeParse(parsed(oldValue ?? '')).data
    const now = storedUser.safeParse(parsed(newValue ?? '')).data
    if (now && now.id === retainedUser()?.id) signInAgain(now)
    else if (!now && before && hasUnsaved()) void requestSignIn(before)
  })
}

/** Opens one dialog, however many calls wait for it. */
function requestSignIn(user: SignedIn, isProof = false): Promise<boolean> {
  const pending = request.get()
  if (pending) return pending.done
  const { promise: done, resolve } = Promise.withResolvers<boolean>()
  retainUser(user)
  request.set({ user, isProof, done, settle: resolve })
  return done
}

function settle(isBack: boolean): void {
  const pending = request.get()
  // Dismissing a confirmation leaves the session valid.
  if (!isBack && !pending?.isProof) putOffAt = signIns()
  request.set(undefined)
  pending?.settle(isBack)
}

const request = createSharedValue<Request | undefined>(undefined)
/** The session (as counted by `signIns`) in which the dialog was last dismissed. */
let putOffAt: number | undefined
