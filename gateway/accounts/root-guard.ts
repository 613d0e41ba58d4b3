import { role, userStatus } from '../../shared/enums.ts'
import { isOptionKey, type OptionKey } from '../../shared/options/index.ts'
import { refuse } from '../base/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import type { UserRow } from '../store/schema.ts'
import { userStore } from '../store/users.ts'

/** A provider accounts can be bound to. */
type Provider = Readonly<{
  /** What an account bound to it has. */
  column: 'github_id' | 'oidc_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id'
  /** Options that decide whom the provider says somebody is. */
  trust: readonly OptionKey[]
}>

const providers: readonly Provider[] = [
  { column: 'github_id', trust: ['GitHubClientId', 'GitHubClientSecret'] },
  { column: 'linux_do_id', trust: ['LinuxDOClientId', 'LinuxDOClientSecret'] },
  { column: 'wechat_id', trust: ['WeChatServerAddress', 'WeChatServerToken'] },
  { column: 'telegram_id', trust: ['TelegramBotToken'] },
  {
    column: 'oidc_id',
    trust: [
      'oidc.well_known',
      'oidc.client_id',
      'oidc.client_secret',
      'oidc.authorization_endpoint',
      'oidc.token_endpoint',
      'oidc.user_info_endpoint',
    ],
  },
]

/** Options that decide where the mail with a password-reset link goes and what it links to. */
const mailed: readonly OptionKey[] = [
  'SMTPServer',
  'SMTPPort',
  'SMTPAccount',
  'SMTPFrom',
  'SMTPToken',
  'SMTPSSLEnabled',
  'SMTPSkipVerifyEnabled',
  'ServerAddress',
]

export type OptionChange = Readonly<{ key: string; value: string }>

/** Refuses changes of options of which one would hand over or lock out the root account. */
export type RootGuard = (actor: Readonly<{ role: number }>, changes: readonly OptionChange[]) => Promise<void>

/**
 * Nobody may turn off password sign-in: a provider that is switched on and bound to root is a way in only once
 * somebody came in by it, which this gateway cannot see to yet. And who is not root may not change what a way into the
 * root account rests on: a provider root is bound to, or the mail of root's reset link
 * (docs/reference/options.md#what-could-lock-out). Nor may they switch on the demo mode, which they could not switch
 * off. Everything else stays open to every operator.
 */
export function createRootGuard({ db, settings }: { db: Db; settings: Pick<Settings, 'get'> }): RootGuard {
  const users = userStore(db)
  return async (actor, changes) => {
    const roots = actor.role < role.root ? await activeRoots(users) : []
    for (const { key, value } of changes) {
      if (!isOptionKey(key)) continue
      if (key === 'DemoSiteEnabled' && value === 'true' && actor.role < role.root)
        throw refuse('forbidden', 'option.demo_root')
      const closesLogin = key === 'PasswordLoginEnabled' && value !== 'true'
      if (actor.role < role.root && (closesLogin || grantsRoot(key, roots))) throw refuse('forbidden', 'auth.forbidden')
      if (closesLogin && settings.get('PasswordLoginEnabled')) throw refuse('forbidden', 'option.last_login')
    }
  }
}

const activeRoots = async (users: ReturnType<typeof userStore>): Promise<readonly UserRow[]> =>
  (await users.withRole(role.root)).filter(({ status }) => status === userStatus.active)

function grantsRoot(key: OptionKey, roots: readonly UserRow[]): boolean {
  if (mailed.includes(key)) return roots.some(({ email }) => email !== '')
  return providers.some(({ trust, column }) => trust.includes(key) && roots.some((root) => root[column] !== ''))
}
