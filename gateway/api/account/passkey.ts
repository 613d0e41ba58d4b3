import { passkey } from '../../../shared/api/passkey.ts'
import type { PasskeyOrigin } from '../../accounts/factors/passkey-ceremony.ts'
import type { Passkeys } from '../../accounts/factors/passkeys.ts'
import type { LoginGate } from '../../accounts/login/login-gate.ts'
import type { RecentLogin } from '../../accounts/login/recent-login.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ApiCaller } from '../actor.ts'
import { serve } from '../serve.ts'
import { signedIn } from './complete-login.ts'

type PasskeyApiDeps = Readonly<{
  passkeys: Passkeys
  loginGate: Pick<LoginGate, 'note'>
  recentLogin: Pick<RecentLogin, 'requireWithoutPassword'>
  settings: Pick<Settings, 'serverAddress'>
}>

/** Login with passkeys, and the passkeys of an account (docs/reference/accounts.md#passkeys). */
export const passkeyApi = ({ passkeys, loginGate, recentLogin, settings }: PasskeyApiDeps) =>
  serve(passkey, {
    list: ({ actor }) => passkeys.listOf(actor.id),
    beginRegister: async ({ body, actor, caller }) => {
      await recentLogin.requireWithoutPassword(actor)
      return passkeys.begin(actor.id, body.password, { origin: passkeyOrigin(caller, settings), device: caller })
    },
    finishRegister: ({ body, actor, caller }) =>
      passkeys.add(actor.id, body, { mark: caller.browserMark.shown, locale: caller.locale }),
    beginLogin: ({ caller }) => passkeys.beginLogin(passkeyOrigin(caller, settings)),
    finishLogin: async ({ body, caller }) => {
      const noteFailure = (userId: number) => loginGate.note(userId, 'passkey', false, caller)
      const user = await passkeys.enter(body, caller.browserMark.shown, noteFailure)
      await caller.signIn(user)
      await loginGate.note(user.id, 'passkey', true, caller)
      return signedIn(user)
    },
    rename: async ({ params, body, actor }) => {
      await passkeys.rename(actor.id, params.id, body.name)
      return null
    },
    remove: async ({ params, actor, caller }) => {
      await passkeys.remove(actor.id, params.id, caller.locale)
      return null
    },
  })

/**
 * The origin of a browser, which it sends in every call that may change something; for a program, the server's address.
 */
export const passkeyOrigin = (
  { origin, browserMark }: ApiCaller,
  settings: Pick<Settings, 'serverAddress'>,
): PasskeyOrigin => ({ origin: origin ?? settings.serverAddress(), mark: browserMark.make() })
