import { ROOT_DISPLAY_NAME } from '../../shared/api/setup.ts'
import type { SignedIn } from '../../shared/api/user.ts'
import { isHome, type Place } from './next-place.ts'
import { createSharedValue } from './shared-value.ts'
import { readStored, useStored, writeStored } from './stored.ts'
import { storedUser } from './stored-views.ts'

/** Who is signed in, as far as this browser knows; only the gateway decides. */
export function useUser(): SignedIn | undefined {
  const [stored] = useStored('user', storedUser)
  return held.use() ?? stored
}

/** Who is signed in, asked outside of components. */
export const knownUser = (): SignedIn | undefined => held.get() ?? readStored('user', storedUser)

/** The name that a person has chosen to be shown by, else the one they sign in with. */
export const shownName = ({ display_name: shown, username }: SignedIn): string =>
  shown === '' || shown === ROOT_DISPLAY_NAME ? username : shown

/**
 * The value of the New-Api-User header: the id of who is signed in, else -1
 * (docs/reference/screens.md#calls-and-failures).
 */
export const currentUserId = (): number => knownUser()?.id ?? -1

/** Where to sign in: the login page, told to explain itself when a session has ended, and where to lead back to. */
export function loginPath(from: Place): string {
  const query = new URLSearchParams()
  const isSaid = new URLSearchParams(from.search).get('expired') === 'true'
  if (hasEnded || isSaid) query.set('expired', 'true')
  if (!hasLeft && !isHome(from)) query.set('next', from.pathname + (isSaid ? '' : from.search) + from.hash)
  return query.size === 0 ? '/login' : `/login?${query}`
}

/** Remembers who signed in, and where they are led: the page that they leave for it leads there as well. */
export function rememberUser(user: SignedIn, to?: string): void {
  ledTo = to
  hasEnded = false
  hasLeft = false
  times += 1
  held.set(undefined)
  writeStored('user', user)
}

/** Remembers what has become of who is signed in, such as another role or name; in the same session. */
export function updateUser({ id, username, display_name, role, status, group }: SignedIn): void {
  const known = knownUser()
  const next: SignedIn = { id, username, display_name, role, status, group }
  const isOther = told.some((field) => known?.[field] !== next[field])
  if (known?.id === id && isOther) writeStored('user', next)
}

/** What of an account the console goes by. */
const told = ['role', 'group', 'username', 'display_name'] as const

/** Forgets who was signed in, because they wish to leave: they are led back nowhere. */
export function forgetUser(): void {
  hasLeft = true
  hasEnded = false
  forget()
}

/** How often somebody has signed in since the console was loaded: another number is another session. */
export const signIns = (): number => times

/** Keeps showing a page to whom it belongs although the session has ended, for what they entered in it. */
export const holdUser = (user: SignedIn): void => held.set(user)

/** The session goes on after all. */
export const releaseUser = (): void => held.set(undefined)

/** Who it is held for, until they have signed in again or left. */
export const heldUser = (): SignedIn | undefined => held.get()

/** Calls `leave` after the gateway has refused to know the session (HTTP 401) and the user has been forgotten. */
export function onSessionEnd(leave: () => void): void {
  leavePage = leave
}

/** Ends the session on this side, because the gateway no longer knows it. */
export function endSession(): void {
  hasEnded = true
  forget()
  leavePage()
}

function forget(): void {
  held.set(undefined)
  writeStored('user', undefined)
}

const held = createSharedValue<SignedIn | undefined>(undefined)
/** Whether the session ended by itself, and nobody has signed in since. */
export const hasSessionEnded = (): boolean => hasEnded

let hasEnded = false
/** Where who signed in last is led, if that was said. */
export const placeLedTo = (): string | null => ledTo ?? null

let hasLeft = false
let ledTo: string | undefined
let times = 0
let leavePage: () => void = () => {}
