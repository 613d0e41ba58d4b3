import type { Locale } from '../../shared/messages/format.ts'
import type { SignInKind } from '../accounts/login/sessions.ts'
import type { RegistrationDoor } from '../accounts/recovery/registration.ts'
import type { ReadMemory } from '../base/row-steps.ts'

export type { Actor } from '../accounts/login/identity.ts'

/** The origin of a console call, and actions on its session. */
export type ApiCaller = Readonly<{
  /** 0 for a visitor. */
  accountId: number
  /** The client's address behind trusted proxies (docs/reference/security.md#forwarded-addresses). */
  ip: string
  /** True only for a call from this machine that no proxy has forwarded. */
  loopback: boolean
  /** The listener that accepted the call. */
  door: RegistrationDoor
  /** The Host header of the call, and the Origin of the page that sent it, if a browser did. */
  host: string
  origin: string | undefined
  /** The language of messages, from Accept-Language. */
  locale: Locale
  userAgent: string
  /** True when the browser's connection is encrypted, here or at a trusted proxy. */
  secure: boolean
  requestId: string
  /** The memory of the response, until the client has read it. */
  memory: ReadMemory
  /** Aborted when the client disconnects before its response. */
  gone: AbortSignal
  /** The secret of the call's session; undefined if there is none. */
  session: string | undefined
  /** A cookie that lasts ten minutes (LOGIN_SECONDS), so that a login must end in the browser that began it. */
  browserMark: Readonly<{
    /** As received; undefined if there is none. */
    shown: string | undefined
    /** Returns the received mark, or a new one, whose cookie is set with the response. */
    make: () => string
  }>
  /** Authenticates the caller again after slow work; throws if the call is no longer allowed. */
  recheck: () => Promise<void>
  /**
   * Starts a new session for the user and ends the call's session (no fixation). Throws if the account is no longer
   * active, or if its stored password has changed since it was checked.
   */
  signIn(user: Readonly<{ id: number; password: string }>, how?: SignInKind): Promise<void>
  /** Ends the call's session, if any, and clears the cookie. */
  signOut(): Promise<void>
}>
