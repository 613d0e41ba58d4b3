import { ROOT_DISPLAY_NAME } from '../../shared/api/setup.ts'
import type { SignedIn } from '../../shared/api/user.ts'
import { isHome, type PageLocation } from './next-path.ts'
import { createSharedValue } from './shared-value.ts'
import { readStored, useStored, writeStored } from './stored.ts'
import { storedUser } from './stored-views.ts'

/** The signed-in user as far as this browser knows; only the gateway decides. */
export function useUser(): SignedIn | undefined {
  const [stored] = useStored('user', storedUser)
  return retainedSession.use() ?? stored
}

export const knownUser = (): SignedIn | undefined => retainedSession.get() ?? readStored('user', storedUser)

export const shownName = ({ display_name: shown, username }: SignedIn): string =>
  shown === '' || shown === ROOT_DISPLAY_NAME ? username : shown

/**
 * The value of the New-Api-User header: the user's id, or -1 if signed out
 * (docs/reference/screens.md#calls-and-failures).
 */
export const currentUserId = (): number => knownUser()?.id ?? -1

/**
 * The path of the login page, with parameters for an explanation if a session has expired, and for the page to return
 * to.
 */
export function loginPath(from: PageLocation): string {
  const query = new URLSearchParams()
  const isExpired = new URLSearchParams(from.search).get('expired') === 'true'
  if (hasEnded || isExpired) query.set('expired', 'true')
  if (!hasLeft && !isHome(from)) query.set('next', from.pathname + (isExpired ? '' : from.search) + from.hash)
  return query.size === 0 ? '/login' : `/login?${query}`
}

/** Stores the signed-in user and where to go next: `to` overrides the return address of the page they leave. */
export function rememberUser(user: SignedIn, to?: string): void {
  destination = to
  hasEnded = false
  hasLeft = false
  loginCount += 1
  retainedSession.set(undefined)
  writeStored('user', user)
}

export function updateUser({ id, username, display_name, role, status, group }: SignedIn): void {
  const known = knownUser()
  const next: SignedIn = { id, username, display_name, role, status, group }
  const isOther = shownFields.some((field) => known?.[field] !== next[field])
  if (known?.id === id && isOther) writeStored('user', next)
}

const shownFields = ['role', 'group', 'username', 'display_name'] as const

/** Forgets the user after a deliberate logout; the next login does not return to this page. */
export function forgetUser(): void {
  hasLeft = true
  hasEnded = false
  forget()
}

/** Number of logins since the console was loaded; identifies the session. */
export const signIns = (): number => loginCount

/** Keeps showing the user's page after the session has ended, for the sake of unsaved input. */
export const retainUser = (user: SignedIn): void => retainedSession.set(user)

export const releaseUser = (): void => retainedSession.set(undefined)

/** The user whose page is still shown until they sign in again or leave. */
export const retainedUser = (): SignedIn | undefined => retainedSession.get()

/** Calls `leave` after the gateway has rejected the session (HTTP 401) and the user has been forgotten. */
export function onSessionEnd(leave: () => void): void {
  leavePage = leave
}

/** Ends the session locally because the gateway no longer knows it, and leaves the page. */
export function endSession(): void {
  hasEnded = true
  forget()
  leavePage()
}

function forget(): void {
  retainedSession.set(undefined)
  writeStored('user', undefined)
}

const retainedSession = createSharedValue<SignedIn | undefined>(undefined)
/** Whether the session has expired and no one has signed in since. */
export const hasSessionEnded = (): boolean => hasEnded

let hasEnded = false
export const loginDestination = (): string | null => destination ?? null

let hasLeft = false
let destination: string | undefined
let loginCount = 0
let leavePage: () => void = () => {}
