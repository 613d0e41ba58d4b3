import { role } from '../../shared/enums.ts'
import { isOptionKey, type OptionKey } from '../../shared/options/index.ts'
import { refuse } from '../base/errors.ts'
import type { Settings } from '../settings/settings.ts'

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

const trusted: ReadonlySet<OptionKey> = new Set([...providers, ...mail])

export type OptionChange = Readonly<{ key: string; value: string }>

/** Refuses changes of options of which one would hand over or lock out accounts. */
export type RootGuard = (actor: Readonly<{ role: number }>, changes: readonly OptionChange[]) => void

/**
 * Nobody may turn off password sign-in: a provider that is switched on and bound to root is a way in only once
 * somebody came in by it, which this gateway cannot see to yet. And who is not root may not change what logging in as
 * somebody else rests on, as an account may be bound to it today or tomorrow
 * (docs/reference/options.md#what-could-lock-out). Nor may they switch on the demo mode, which they could not switch
 * off. Everything else stays open to every operator.
 */
export const createRootGuard =
  ({ settings }: { settings: Pick<Settings, 'get'> }): RootGuard =>
  (actor, changes) => {
    for (const { key, value } of changes) {
      if (!isOptionKey(key)) continue
      if (key === 'DemoSiteEnabled' && value === 'true' && actor.role < role.root)
        throw refuse('forbidden', 'option.demo_root')
      const closesLogin = key === 'PasswordLoginEnabled' && value !== 'true'
      if (actor.role < role.root && (closesLogin || trusted.has(key))) throw refuse('forbidden', 'option.root_only')
      if (closesLogin && settings.get('PasswordLoginEnabled')) throw refuse('forbidden', 'option.last_login')
    }
  }
