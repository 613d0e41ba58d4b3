import type { LoginProvider } from '../../../shared/api/oauth.ts'

/** Whom a provider says somebody is. */
export type ProvidedIdentity = Readonly<{
  /** What the account is bound by; never empty. */
  id: string
  /** What older installations may have bound it by, where that can still be trusted to be theirs. */
  formerId?: string | undefined
  /** What a new account is called, where that is free. */
  username?: string | undefined
  displayName: string
  /** An address that the provider has verified; empty where there is none. */
  email: string
  /** Why they are no new account, where they are not bound to one already; absent where nothing speaks against it. */
  notNew?: 'oauth.no_email' | 'oauth.unverified_email'
}>

/** A column that binds an account to a provider. */
export type BindingColumn = 'github_id' | 'oidc_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id'

/** What is the same of every provider: its name, its column, and how accounts that come by it are called. */
export const kinds = {
  github: { name: 'GitHub', column: 'github_id', prefix: 'github', isOn: 'GitHubOAuthEnabled' },
  oidc: { name: 'OIDC', column: 'oidc_id', prefix: 'oidc', isOn: 'oidc.enabled' },
  linuxdo: { name: 'LINUX DO', column: 'linux_do_id', prefix: 'linuxdo', isOn: 'LinuxDOOAuthEnabled' },
  wechat: { name: 'WeChat', column: 'wechat_id', prefix: 'wechat', isOn: 'WeChatAuthEnabled' },
  telegram: { name: 'Telegram', column: 'telegram_id', prefix: 'telegram', isOn: 'TelegramOAuthEnabled' },
} as const satisfies Record<
  LoginProvider,
  Readonly<{ name: string; column: BindingColumn; prefix: string; isOn: string }>
>
