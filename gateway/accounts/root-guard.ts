import { role, userStatus } from '../../shared/enums.ts'
import { isOptionKey, type OptionKey, options } from '../../shared/options/index.ts'
import { refuse } from '../base/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import type { UserRow } from '../store/schema.ts'
import { userStore } from '../store/users.ts'

type Way = Readonly<{
  /** The switch of this way to sign in. */
  flag: OptionKey
  /** What an account must have for it. */
  column: 'password' | 'github_id' | 'oidc_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id'
  /** Options that decide whom the provider says somebody is. */
  trust: readonly OptionKey[]
}>

const ways: readonly Way[] = [
  { flag: 'PasswordLoginEnabled', column: 'password', trust: [] },
  { flag: 'GitHubOAuthEnabled', column: 'github_id', trust: ['GitHubClientId', 'GitHubClientSecret'] },
  { flag: 'LinuxDOOAuthEnabled', column: 'linux_do_id', trust: ['LinuxDOClientId', 'LinuxDOClientSecret'] },
  { flag: 'WeChatAuthEnabled', column: 'wechat_id', trust: ['WeChatServerAddress', 'WeChatServerToken'] },
  { flag: 'TelegramOAuthEnabled', column: 'telegram_id', trust: ['TelegramBotToken'] },
  {
    flag: 'oidc.enabled',
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
  'ServerAddress',
]

export type OptionChange = Readonly<{ key: string; value: string }>

/** Refuses a change of options that would hand over or lock out the root account. */
export type RootGuard = (actor: Readonly<{ role: number }>, change: OptionChange) => Promise<void>

/**
 * Nobody may turn off the last way for root to sign in; and who is not root may not turn off root's password sign-in nor
 * change what a way into the root account rests on: a provider root is bound to, or the mail of root's reset link
 * (spec/console.md §5, §11 S20). Everything else stays open to every operator.
 */
export function createRootGuard({ db, settings }: { db: Db; settings: Pick<Settings, 'get'> }): RootGuard {
  const users = userStore(db)
  return async (actor, { key, value }) => {
    if (!isOptionKey(key)) return
    const roots = (await users.withRole(role.root)).filter(({ status }) => status === userStatus.active)
    if (actor.role < role.root && grantsRoot(key, value, roots)) throw refuse('forbidden', 'auth.forbidden')
    const open = (one: Way) => settings.get(one.flag) === true && roots.some((root) => root[one.column] !== '')
    const before = ways.filter(open)
    const after = before.filter((one) => !isClosedBy(one, key, value))
    if (before.length > 0 && after.length === 0) throw refuse('forbidden', 'option.last_login')
  }
}

function grantsRoot(key: OptionKey, value: string, roots: readonly UserRow[]): boolean {
  if (key === 'PasswordLoginEnabled') return value !== 'true'
  if (mailed.includes(key)) return roots.some(({ email }) => email !== '')
  return ways.some((one) => one.trust.includes(key) && roots.some((root) => root[one.column] !== ''))
}

/** A way closes with its switch, or when something its switch needs is emptied. */
const isClosedBy = (one: Way, key: OptionKey, value: string): boolean =>
  one.flag === key ? value !== 'true' : value.trim() === '' && (options[one.flag].needs ?? []).includes(key)
