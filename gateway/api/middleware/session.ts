import type { Context } from 'koa'
import { localeFrom } from '../../../shared/messages/format.ts'
import type { Credentials } from '../../accounts/login/identity.ts'
import { SESSION_SECONDS, type Sessions } from '../../accounts/login/sessions.ts'
import { LOGIN_SECONDS } from '../../accounts/providers/logins.ts'
import { randomSecret } from '../../base/ids.ts'
import type { ReadMemory } from '../../base/row-steps.ts'
import type { ApiCaller } from '../actor.ts'
import type { RequestOrigin } from './origin.ts'
import { claimedId } from './same-origin.ts'

const COOKIE = 'session'
const MARK = 'login'

/** The credentials of a request for docs/reference/accounts.md#authorization. */
export const credentialsOf = (ctx: Context, isSecure: boolean): Credentials => ({
  session: secretOf(ctx, COOKIE, isSecure),
  authorization: ctx.get('authorization') || undefined,
  claimedId: claimedId(ctx),
})

/** The caller for handlers; logging in always creates a new session and ends the presented one. */
export function callerOf(
  ctx: Context,
  origin: RequestOrigin,
  sessions: Sessions,
): Omit<ApiCaller, 'accountId' | 'recheck' | 'door'> {
  const userAgent = ctx.get('user-agent')
  const leave = async () => {
    const shown = secretOf(ctx, COOKIE, origin.secure)
    if (shown) await sessions.end(shown)
  }
  return {
    ip: origin.ip,
    loopback: origin.loopback,
    host: ctx.get('host'),
    origin: ctx.get('origin') || undefined,
    secure: origin.secure,
    locale: localeFrom(ctx.get('accept-language') || undefined),
    userAgent,
    requestId: String(ctx.state.requestId ?? ''),
    memory: ctx.state.memory as ReadMemory, // set by createApi
    gone: disconnectSignalOf(ctx),
    session: secretOf(ctx, COOKIE, origin.secure),
    browserMark: markOf(ctx, origin.secure),
    async signIn(user, how) {
      const secret = await sessions.start(user, { ...how, ip: origin.ip, userAgent })
      // If the login is refused, the old session stays.
      await leave()
      ctx.append('Set-Cookie', cookie(COOKIE, secret, SESSION_SECONDS, origin.secure))
    },
    async signOut() {
      await leave()
      ctx.append('Set-Cookie', cookie(COOKIE, '', 0, origin.secure))
    },
  }
}

function disconnectSignalOf({ res }: Context): AbortSignal {
  const controller = new AbortController()
  const leave = () => {
    if (!res.writableFinished) controller.abort()
  }
  if (res.closed) leave()
  else res.once('close', leave)
  return controller.signal
}

function markOf(ctx: Context, isSecure: boolean): ApiCaller['browserMark'] {
  const shown = secretOf(ctx, MARK, isSecure)
  const make = () => {
    const mark = shown ?? randomSecret()
    ctx.append('Set-Cookie', cookie(MARK, mark, LOGIN_SECONDS, isSecure))
    return mark
  }
  return { shown, make }
}

/** Only values in the format of our secrets are looked up. */
function secretOf(ctx: Context, name: string, isSecure: boolean): string | undefined {
  const value = ctx.cookies.get(nameOf(name, isSecure))
  return value && /^[\w-]{43}$/.test(value) ? value : undefined
}

/**
 * Over HTTPS, the prefix makes browsers accept the cookie only from this host and over HTTPS, never from a subdomain.
 */
const nameOf = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name)

/** Lax, because a login at a provider returns by top-level navigation (docs/reference/accounts.md#sessions). */
const cookie = (name: string, value: string, seconds: number, secure: boolean): string =>
  `${nameOf(name, secure)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
