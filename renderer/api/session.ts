import { type SignedIn, signedInView } from '../../shared/api/user.ts'
import { readStored, useStored, writeStored } from './stored.ts'

/** Where somebody whose session has ended is sent (docs/reference/screens.md#calls-and-failures). */
export const expiredPath = '/login?expired=true'

/** Who is signed in, as far as this browser knows; only the gateway decides. */
export const useUser = (): SignedIn | undefined => useStored('user', signedInView)[0]

/**
 * The value of the New-Api-User header: the id of who is signed in, else -1
 * (docs/reference/screens.md#calls-and-failures).
 */
export const currentUserId = (): number => readStored('user', signedInView)?.id ?? -1

/** Where to sign in: the login page, told to explain itself when a session has ended. */
export const loginPath = (): string => (hasEnded ? expiredPath : '/login')

/** Remembers who signed in. */
export function rememberUser(user: SignedIn): void {
  hasEnded = false
  writeStored('user', user)
}

/** Forgets who was signed in. */
export const forgetUser = (): void => writeStored('user', undefined)

/** Calls `leave` after the gateway has refused to know the session (HTTP 401) and the user has been forgotten. */
export function onSessionEnd(leave: () => void): void {
  leavePage = leave
}

/** Ends the session on this side, because the gateway no longer knows it. */
export function endSession(): void {
  hasEnded = true
  forgetUser()
  leavePage()
}

let hasEnded = false
let leavePage: () => void = () => {}
