import { registration } from '../../../shared/api/registration.ts'
import type { HumanCheck } from '../../accounts/login/human-check.ts'
import type { PasswordReset } from '../../accounts/recovery/password-reset.ts'
import type { Registration } from '../../accounts/recovery/registration.ts'
import type { Settings } from '../../settings/settings.ts'
import { addressOf } from '../middleware/origin.ts'
import { serve } from '../serve.ts'
import { passkeyOrigin } from './passkey.ts'

type RegistrationApiDeps = Readonly<{
  registration: Registration
  passwordReset: PasswordReset
  isHuman: HumanCheck
  settings: Pick<Settings, 'serverAddress'>
}>

/** Registration and password recovery (docs/reference/accounts.md#registration). */
export function registrationApi({ registration: accounts, passwordReset, isHuman, settings }: RegistrationApiDeps) {
  return serve(registration, {
    register: async ({ body, query, caller }) => {
      await isHuman(query.turnstile, caller.ip)
      const { verification_code: code, aff_code: inviteCode, ...fields } = body
      const { door, locale, browserMark } = caller
      await accounts.register({ ...fields, code, inviteCode, mark: browserMark.shown, door, locale })
      return null
    },
    passkey: ({ body, caller }) =>
      accounts.beginPasskey(body.username, body.invitation, {
        origin: passkeyOrigin(caller, settings),
        door: caller.door,
      }),
    verification: async ({ query, actor, caller }) => {
      await isHuman(query.turnstile, caller.ip)
      await accounts.sendCode(query.email, actor?.id, caller)
      return null
    },
    requestReset: async ({ query, caller }) => {
      await isHuman(query.turnstile, caller.ip)
      passwordReset.request(query.email, { locale: caller.locale, cameBy: addressOf(caller) })
      return null
    },
    reset: ({ body, caller }) => passwordReset.redeem(body.email, body.token, caller.locale),
    bindEmail: async ({ query, actor, caller }) => {
      await accounts.bindEmail(actor.id, query.email, query.code, caller.locale)
      return null
    },
  })
}
