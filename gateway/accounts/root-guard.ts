import { providers as loginProviders } from '../../shared/api/oauth.ts'
import { role, userStatus } from '../../shared/enums.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import { isOptionKey, type OptionKey } from '../../shared/options/index.ts'
import { refuse } from '../base/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import { passkeyStore } from '../store/passkeys.ts'
import { signInStore } from '../store/sign-ins.ts'
import { userStore } from '../store/users.ts'
import { kinds } from './providers/who.ts'

/** Options that decide whom a provider says somebody is. */
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

/** Options that decide where the mail with a link for a new password goes, and what it links to. */
const mail: readonly OptionKey[] = [
  'SMTPServer',
  'SMTPPort',
  'SMTPAccount',
  'SMTPFrom',
  'SMTPToken',
  'SMTPSSLEnabled',
  'SMTPSkipVerifyEnabled',
  'ServerAddress',
]

/** Options that decide what a payment is worth and who receives it: with them, an order could be credited that nobody paid. */
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

/** Options that decide who reads what others send, or receives what webhooks are signed with. */
const privacy: readonly OptionKey[] = ['KeepBodiesViewers', 'WorkerUrl', 'WorkerValidKey']

/** Where updates are looked for, and so what the super administrator is told to install. */
const updates: readonly OptionKey[] = ['UpdateCheckUrl']

/** Options that only the super administrator changes, each with the reason (docs/reference/security.md#the-super-administrator). */
const rootOptions: ReadonlyMap<OptionKey, MessageKey> = new Map([
  ...[...providers, ...mail].map((key) => [key, 'option.root_only'] as const),
  ...payment.map((key) => [key, 'option.root_payment'] as const),
  ...privacy.map((key) => [key, 'option.root_privacy'] as const),
  ...updates.map((key) => [key, 'option.root_updates'] as const),
])

export type OptionChange = Readonly<{ key: string; value: string }>

/** Refuses changes of options of which one would hand over or lock out accounts, pay nobody's orders or read others' words. */
export type RootGuard = (actor: Readonly<{ role: number }>, changes: readonly OptionChange[]) => Promise<void>

type RootGuardDeps = Readonly<{ db: Db; settings: Pick<Settings, 'get'> }>

/**
 * Who is not root may not change what logging in as somebody else rests on, as an account may be bound to it today or
 * tomorrow (docs/reference/options.md#what-could-lock-out), nor any other of `rootOptions`; nor may they switch on self-use
 * mode, or the demo mode, which they could not switch off. And while password sign-in is off, nobody takes away the way in by which root has
 * come before. Everything else stays open to every operator.
 */
export const createRootGuard =
  ({ db, settings }: RootGuardDeps): RootGuard =>
  async (actor, changes) => {
    for (const { key, value } of changes) {
      if (!isOptionKey(key) || actor.role >= role.root) continue
      if (key === 'DemoSiteEnabled' && value === 'true') throw refuse('forbidden', 'option.demo_root')
      const closesLogin = key === 'PasswordLoginEnabled' && value !== 'true'
      // In self-use mode the desktop's window logs the super administrator in.
      const opensWindow = key === 'SelfUseModeEnabled' && value === 'true'
      const reason = closesLogin || opensWindow ? 'option.root_only' : rootOptions.get(key)
      if (reason) throw refuse('forbidden', reason)
    }
    const wanted = new Map(changes.map(({ key, value }) => [key, value === 'true']))
    const isOn = (key: LoginFlag): boolean => wanted.get(key) ?? settings.get(key)
    if (isOn('PasswordLoginEnabled') || !loginFlags.some((key) => settings.get(key) && !isOn(key))) return
    if (!(await rootComesIn(db, isOn))) throw refuse('forbidden', 'option.last_login')
  }

type LoginFlag = (typeof loginFlags)[number]
const loginFlags = ['PasswordLoginEnabled', ...Object.values(kinds).map((kind) => kind.isOn)] as const

/** Whether a super administrator has come in before by a way that is open: what is set up may not work. */
async function rootComesIn(db: Db, isOn: (key: LoginFlag) => boolean): Promise<boolean> {
  for (const row of await userStore(db).withRole(role.root)) {
    if (row.status !== userStatus.active) continue
    const ways = await signInStore(db).waysOf(row.id)
    if (ways.has('passkey') && (await passkeyStore(db).countOf(row.id)) > 0) return true
    if (loginProviders.some((one) => ways.has(one) && row[kinds[one].column] !== '' && isOn(kinds[one].isOn)))
      return true
  }
  return false
}
