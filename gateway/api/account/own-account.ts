import { ownAccount } from '../../../shared/api/own-account.ts'
import type { RecentLogin } from '../../accounts/login/recent-login.ts'
import type { OwnAccount } from '../../accounts/own-account.ts'
import { serve } from '../serve.ts'

/** The calls of users on their own account (docs/reference/accounts.md#own-account). */
export function ownAccountApi(own: OwnAccount, recent: Pick<RecentLogin, 'requireWithoutPassword'>) {
  return serve(ownAccount, {
    update: async ({ body, actor, caller }) => {
      if (body.password) await recent.requireWithoutPassword(actor)
      const password = await own.update(actor.id, body, caller)
      // A user who has just proven the old password stays logged in, with a new session.
      if (password && actor.via === 'session')
        await caller.signIn({ id: actor.id, password }, { isDesktop: actor.isDesktop })
      return null
    },
    remove: async ({ actor, caller }) => {
      await own.remove(actor.id, caller.locale)
      await caller.signOut()
      return null
    },
    accessToken: ({ actor, caller }) => own.accessToken(actor.id, caller.locale),
    inviteCode: ({ actor }) => own.inviteCode(actor.id),
    transfer: async ({ body, actor, caller }) => {
      await own.transfer(actor.id, body.quota, caller.locale)
      return null
    },
    settingCode: async ({ body, actor, caller }) => {
      await own.sendSettingCode(actor.id, body.email, caller.locale)
      return null
    },
    setting: async ({ body, actor }) => {
      await own.changeSetting(actor.id, body)
      return null
    },
  })
}
