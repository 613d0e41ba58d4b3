import {
  callbackPath,
  oauth,
  type RedirectingProvider,
  redirecting,
  type TelegramUser,
} from '../../../shared/api/oauth.ts'
import type { Logins } from '../../accounts/providers/logins.ts'
import type { ProviderSignIn } from '../../accounts/providers/provider-sign-in.ts'
import type { TelegramIdentity } from '../../accounts/providers/telegram.ts'
import { type WechatDeps, wechatIdentity } from '../../accounts/providers/wechat.ts'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { createRareWarning } from '../../base/log/rare-warning.ts'
import { parsedAddress } from '../../base/network/web-address.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Actor, ApiCaller } from '../actor.ts'
import { isOwnOrigin } from '../middleware/same-origin.ts'
import { serve, withMessage } from '../serve.ts'
import type { LetIn } from './complete-login.ts'

type OauthApiDeps = Omit<WechatDeps, 'warnRarely'> &
  Readonly<{
    settings: Pick<Settings, 'get' | 'serverAddress'>
    logins: Logins
    signIns: ProviderSignIn
    telegramIdentity: TelegramIdentity
    letIn: LetIn
    clock: Pick<Clock, 'monotonic'>
  }>

type CameBack = Readonly<{
  query: Readonly<{ code: string; state: string; error: string; error_description: string }>
  actor: Actor | undefined
  caller: ApiCaller
}>

/** Login through external providers, and linking accounts to them (docs/reference/accounts.md#login-providers). */
export function oauthApi(deps: OauthApiDeps) {
  const { logins, signIns, telegramIdentity, letIn, settings } = deps
  const warnRarely = createRareWarning(deps)
  const telegram = (query: TelegramUser) => {
    signIns.requireOn('telegram')
    return telegramIdentity(query)
  }
  const wechat = (code: string) => {
    signIns.requireOn('wechat')
    return wechatIdentity({ ...deps, warnRarely }, code)
  }
  const comeBack = (provider: RedirectingProvider) => async (callback: CameBack) => {
    const { query, actor, caller } = callback
    const shown = {
      mark: caller.browserMark.shown,
      userId: actor?.id ?? 0,
      door: caller.door,
      locale: caller.locale,
      recheck: caller.recheck,
    }
    const user = await logins.end(provider, { ...query, ...shown })
    return user ? letIn(caller, user, provider) : withMessage('oauth.bind', null)
  }
  return serve(oauth, {
    state: async ({ query, actor, caller }) => {
      const { state, proof } = await logins.begin({
        mark: caller.browserMark.make(),
        provider: redirecting.find((one) => query.redirect_uri.endsWith(callbackPath(one))) ?? null,
        userId: actor?.id ?? 0,
        inviteCode: query.aff,
        invitation: query.invitation,
        origin: consoleOrigin(query.redirect_uri, caller, settings.serverAddress()),
        isProven: query.pkce,
      })
      return { data: state, extras: proof ?? {} }
    },
    github: comeBack('github'),
    oidc: comeBack('oidc'),
    linuxdo: comeBack('linuxdo'),
    wechat: async ({ query, caller }) => {
      requireMark(caller)
      const who = await wechat(query.code)
      const { aff: inviteCode, invitation } = query
      const user = await signIns.enter('wechat', who, {
        inviteCode,
        invitation,
        door: caller.door,
        locale: caller.locale,
      })
      return letIn(caller, user, 'wechat')
    },
    bindWechat: async ({ query, actor, caller }) => {
      const who = await wechat(query.code)
      await caller.recheck()
      await signIns.bind(actor.id, 'wechat', who.id, caller.locale)
      return null
    },
    telegram: async ({ query, caller }) => {
      requireMark(caller)
      return letIn(caller, await signIns.known('telegram', await telegram(query)), 'telegram')
    },
    bindTelegram: async ({ query, actor, caller }) => {
      await signIns.bind(actor.id, 'telegram', await telegram(query), caller.locale)
      return null
    },
    unbind: async ({ params, actor, caller }) => {
      await signIns.unbind(actor.id, params.provider, caller.locale)
      return null
    },
  })
}

/** Throws unless this browser has begun the login (`GET /api/oauth/state`). */
function requireMark({ browserMark }: ApiCaller): void {
  if (browserMark.shown === undefined) throw refuse('forbidden', 'oauth.state')
}

/** Where the browser returns to: the requested address if it is the console's own, else the configured one. */
function consoleOrigin(redirectUri: string, { host, origin }: ApiCaller, serverAddress: string): string {
  const requested = parsedAddress(redirectUri)?.origin ?? origin
  return requested && isOwnOrigin(requested, host, serverAddress) ? requested : new URL(serverAddress).origin
}
