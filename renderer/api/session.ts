import { type SignedIn, signedInView } from '../../shared/api/user.ts'
import { readStored, useStored, writeStored } from './stored.ts'

/** Where somebody whose session has ended is sent (specification 1 §8). */
export const expiredPath = '/login?expired=true'

/** Who is signed in, as far as this browser knows; only the gateway decides. */
export const useUser = (): SignedIn | undefined => useStored('user', signedInView)[0]

/** The value of the New-Api-User header: the id of who is signed in, else -1 (spec/console.md §8). */
export const currentUserId = (): number => readStored('user', signedInView)?.id ?? -1

/** Remembers who signed in. */
export const rememberUser = (user: SignedIn): void => writeStored('user', user)

/** Forgets who was signed in. */
export const forgetUser = (): void => writeStored('user', undefined)

/** Calls `leave` when the gateway no longer knows the session (HTTP 401); the user is forgotten once it is done. */
export function onSessionEnd(leave: () => Promise<void>): void {
  leavePage = leave
}

/** Ends the session on this side: to the login page first, so that no guard sends the person elsewhere meanwhile. */
export async function endSession(): Promise<void> {
  try {
    await leavePage()
  } finally {
    forgetUser()
  }
}

let leavePage: () => Promise<void> = async () => {}
