import type { Locale } from '../../shared/messages/format.ts'
import type { SignInKind } from '../accounts/login/sessions.ts'
import type { RegistrationDoor } from '../accounts/recovery/registration.ts'

export type { Actor } from '../accounts/login/identity.ts'

/** The other end of a console call: where it comes from and what it may do to its own session. */
export type ApiCaller = Readonly<{
  /** 0 for a visitor. */
  accountId: number
  /** The client's address after trusted proxies (docs/reference/security.md#forwarded-addresses). */
  ip: string
  /** True only for a call from this machine itself that no proxy has passed on. */
  loopback: boolean
  /** Where it came in. */
  door: RegistrationDoor
  /** The Host the call was sent to, and the Origin of the page that sent it, where a browser did. */
  host: string
  origin: string | undefined
  /** The language of messages, from Accept-Language. */
  locale: Locale
  userAgent: string
  /** True when the browser's connection is encrypted, here or at a trusted proxy. */
  secure: boolean
  requestId: string
  /** Aborted when the other end hangs up before it has its answer. */
  gone: AbortSignal
  /** The secret of the session the call came with; undefined where there is none. */
  session: string | undefined
  /** What this browser keeps for ten minutes, so that a login that began in it ends in it (LOGIN_SECONDS). */
  browserMark: Readonly<{
    /** As it was sent; undefined where there is none. */
    shown: string | undefined
    /** The one that was shown, else a new one, whose cookie goes out with the answer. */
    make: () => string
  }>
  /** Asks again who calls, after something has taken its time; refuses who may not do this any more. */
  recheck: () => Promise<void>
  /**
   * Starts a new session for the user and ends the one the call came with (no fixation). Refuses an account that is not active
   * any more, or whose stored password is no longer the one that was looked at.
   */
  signIn(user: Readonly<{ id: number; password: string }>, how?: SignInKind): Promise<void>
  /** Ends the session the call came with, if any, and clears the cookie. */
  signOut(): Promise<void>
}>
