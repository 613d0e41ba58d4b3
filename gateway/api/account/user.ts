import { type UserView, user } from '../../../shared/api/user.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import { AUTO_GROUP, groupChoices, usableGroups } from '../../accounts/groups.ts'
import type { HumanCheck } from '../../accounts/login/human-check.ts'
import type { SignIn } from '../../accounts/login/sign-in.ts'
import { shownSetting } from '../../accounts/user-setting.ts'
import { refuse } from '../../base/errors.ts'
import type { Ledger } from '../../billing/ledger.ts'
import type { ChannelRegistry } from '../../channels/registry/channel-registry.ts'
import type { Settings } from '../../settings/settings.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { ApiCaller } from '../actor.ts'
import { serve } from '../serve.ts'
import { type LetIn, signedIn } from './complete-login.ts'

type UserDeps = Readonly<{
  db: Db
  signIn: SignIn
  letIn: LetIn
  isHuman: HumanCheck
  settings: Pick<Settings, 'get'>
  ledger: Pick<Ledger, 'flush'>
  registry: Pick<ChannelRegistry, 'modelsOf'>
}>

/** Login and logout, and a user's own data (docs/reference/api.md#user-object). */
export function userApi({ db, signIn, letIn, isHuman, settings, ledger, registry }: UserDeps) {
  const users = userStore(db)
  const choicesFor = (group: string, { locale }: ApiCaller) =>
    groupChoices(group, settings, formatMessage(locale, 'label.userGroup'))
  return serve(user, {
    login: async ({ body, query, caller }) => {
      await isHuman(query.turnstile, caller.ip)
      const found = await signIn({ name: body.username, password: body.password, device: caller })
      return letIn(caller, found, 'password')
    },
    logout: async ({ caller }) => {
      await caller.signOut()
      return null
    },
    self: async ({ actor }) => {
      await ledger.flush()
      const row = await users.byId(actor.id)
      if (!row) throw refuse('unauthenticated', 'auth.deactivated')
      return viewOf(row)
    },
    models: ({ actor }) => modelsFor(actor.group, settings, registry),
    groups: ({ actor, caller }) => choicesFor(actor?.group ?? '', caller),
    ownGroups: ({ actor, caller }) => choicesFor(actor.group, caller),
  })
}

/**
 * A user as shown to themselves (docs/reference/api.md#user-object): never with the password hash or the access token.
 */
export const viewOf = (row: UserRow): UserView => ({
  ...signedIn(row),
  email: row.email,
  github_id: row.github_id,
  oidc_id: row.oidc_id,
  wechat_id: row.wechat_id,
  telegram_id: row.telegram_id,
  linux_do_id: row.linux_do_id,
  quota: row.quota,
  used_quota: row.used_quota,
  request_count: row.request_count,
  aff_code: row.aff_code ?? '',
  aff_count: row.aff_count,
  aff_quota: row.aff_quota,
  aff_history_quota: row.aff_history,
  inviter_id: row.inviter_id,
  DeletedAt: row.deleted_at === null ? null : new Date(row.deleted_at * 1000).toISOString(),
  setting: shownSetting(row.setting),
  password: '',
  original_password: '',
  verification_code: '',
})

/** The models that enabled channels offer to a usable group, sorted (docs/reference/accounts.md#groups). */
function modelsFor(
  group: string,
  settings: Pick<Settings, 'get'>,
  registry: Pick<ChannelRegistry, 'modelsOf'>,
): string[] {
  const groups = [...usableGroups(group, settings).keys()].filter((name) => name !== AUTO_GROUP)
  return [...new Set(groups.flatMap((name) => registry.modelsOf(name)))].sort()
}
