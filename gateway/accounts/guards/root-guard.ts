import { providers as loginProviders } from '../../../shared/api/oauth.ts'
import { role, userStatus } from '../../../shared/enums.ts'
import type { MessageKey } from '../../../shared/messages/en.ts'
import { isOptionKey, type OptionKey } from '../../../shared/options/index.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { passkeyStore } from '../../store/accounts/passkeys.ts'
import { signInStore } from '../../store/accounts/sign-ins.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { kinds } from '../providers/external-identity.ts'

/** Options that determine the identity a provider reports. */
const providers: readonly OptionKey[] = [
  'GitHubClientId',
  'GitHubClientSecret',
  'LinuxDOClientId',
  'LinuxDOClientSecret',
  'WeChatServerAddress',
  'WeChatServerToken',
  'TelegramBotToken',
  'oidc.well_known',
  'oidc.client_id',
  'oidc.client_secret',
  'oidc.authorization_endpoint',
  'oidc.token_endpoint',
  'oidc.user_info_endpoint',
]

const factors: readonly OptionKey[] = ['TwoFactorRequiredRole']

/** Options that determine how reset mails are sent, what they link to, and the name in their sender and subject. */
const mail: readonly OptionKey[] = [
  'SMTPServer',
  'SMTPPort',
  'SMTPAccount',
  'SMTPFrom',
  'SMTPToken',
  'SMTPSSLEnabled',
  'SMTPSkipVerifyEnabled',
  'ServerAddress',
  'SystemName',
]

/** Options that determine what a payment is worth and who receives it: with them, unpaid orders could be credited. */
const payment: readonly OptionKey[] = [
  'PayAddress',
  'EpayId',
  'EpayKey',
  'CustomCallbackAddress',
  'PayMethods',
  'Price',
  'TopupGroupRatio',
  'QuotaPerUnit',
]

/** Options that determine who reads other users' content, or who receives their keys or webhook secrets. */
const privacy: readonly OptionKey[] = ['KeepBodiesViewers', 'WorkerUrl', 'WorkerValidKey', 'Chats', 'ChatLink']

const updates: readonly OptionKey[] = ['UpdateCheckUrl']

/**
 * Options that only the super administrator may change, each with the reason
 * (docs/reference/security.md#the-super-administrator).
 */
const rootOptions: ReadonlyMap<OptionKey, MessageKey> = new Map([
  ...[...providers, ...factors, ...mail].map((key) => [key, 'option.root_only'] as const),
  ...payment.map((key) => [key, 'option.root_payment'] as const),
  ...privacy.map((key) => [key, 'option.root_privacy'] as const),
  ...updates.map((key) => [key, 'option.root_updates'] as const),
])

export type OptionChange = Readonly<{ key: string; value: string }>

/** Throws if a change would hand over or lock out accounts, credit unpaid orders, or disclose other users' content. */
export type RootGuard = (actor: Readonly<{ role: number }>, changes: readonly OptionChange[]) => Promise<void>

type RootGuardDeps = Readonly<{ db: Db; settings: Pick<Settings, 'get'> }>

/**
 * Non-root users may not change the options that could let them log in as someone else, whether or not an account uses
 * them yet (docs/reference/options.md#lockout-protection), nor the other `rootOptions`; they may not turn off password
 * login, or turn on self-use or demo mode. Even for root, turning off password login, or a provider while password
 * login is off, requires that a login method remains that root has used successfully. Everything else is open to all
 * operators.
 */
export const createRootGuard =
  ({ db, settings }: RootGuardDeps): RootGuard =>
  async (actor, changes) => {
    for (const { key, value } of changes) {
      if (!isOptionKey(key) || actor.role >= role.root) continue
      if (key === 'DemoSiteEnabled' && value === 'true') throw refuse('forbidden', 'option.demo_root')
      const closesLogin = key === 'PasswordLoginEnabled' && value !== 'true'
      // In self-use mode, the desktop window logs in as super administrator.
      const opensWindow = key === 'SelfUseModeEnabled' && value === 'true'
      const reason = closesLogin || opensWindow ? 'option.root_only' : rootOptions.get(key)
      if (reason) throw refuse('forbidden', reason)
    }
    const newFlags = new Map(changes.map(({ key, value }) => [key, value === 'true']))
    const isOn = (key: LoginFlag): boolean => newFlags.get(key) ?? settings.get(key)
    if (isOn('PasswordLoginEnabled') || !loginFlags.some((key) => settings.get(key) && !isOn(key))) return
    if (!(await rootCanLogIn(db, isOn))) throw refuse('forbidden', 'option.last_login')
  }

type LoginFlag = (typeof loginFlags)[number]
const loginFlags = ['PasswordLoginEnabled', ...Object.values(kinds).map((kind) => kind.isOn)] as const

/**
 * Whether a super administrator has logged in before by a method that remains enabled: a configured method may not
 * work.
 */
async function rootCanLogIn(db: Db, isOn: (key: LoginFlag) => boolean): Promise<boolean> {
  for (const row of await userStore(db).withRole(role.root)) {
    if (row.status !== userStatus.active) continue
    const usedMethods = await signInStore(db).loginMethodsOf(row.id)
    if (usedMethods.has('passkey') && (await passkeyStore(db).countOf(row.id)) > 0) return true
    if (loginProviders.some((one) => usedMethods.has(one) && row[kinds[one].column] !== '' && isOn(kinds[one].isOn)))
      return true
  }
  return false
}
