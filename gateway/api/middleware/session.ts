import type { Context } from 'koa'
import { localeFrom } from '../../../shared/messages/format.ts'
import type { Credentials } from '../../accounts/identity.ts'
import { SESSION_SECONDS, type Sessions } from '../../accounts/sessions.ts'
import type { ApiCaller } from '../actor.ts'
import type { RequestOrigin } from './origin.ts'

const COOKIE = 'session'

/**
 * What a request shows of itself for docs/reference/accounts.md#the-check-on-every-call; the user-id header has two
 * accepted names.
 */
export const credentialsOf = (ctx: Context): Credentials => ({
  session: secretOf(ctx),
  authorization: ctx.get('authorization') || undefined,
  claimedId: ctx.get('new-api-user') || ctx.get('user-id') || undefined,
})

/** The caller as handlers see it; signing in always makes a new session and ends the one that was shown. */
export function callerOf(ctx: Context, origin: RequestOrigin, sessions: Sessions): ApiCaller {
  const userAgent = ctx.get('user-agent')
  const leave = async () => {
    const shown = secretOf(ctx)
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
    gone: goneOf(ctx),
    async signIn(userId) {
      await leave()
      const secret = await sessions.start(userId, { ip: origin.ip, userAgent })
      ctx.append('Set-Cookie', cookie(secret, SESSION_SECONDS, origin.secure))
    },
    async signOut() {
      await leave()
      ctx.append('Set-Cookie', cookie('', 0, origin.secure))
    },
  }
}

function goneOf({ res }: Context): AbortSignal {
  const gone = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Only what can be a secret of ours is looked up. */
function secretOf(ctx: Context): string | undefined {
  const value = ctx.cookies.get(COOKIE)
  return value && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** Lax, because sign-in at a provider comes back by top-level navigation (docs/reference/accounts.md#sessions). */
const cookie = (value: string, seconds: number, secure: boolean): string =>
  `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
