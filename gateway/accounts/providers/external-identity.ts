import type { LoginProvider } from '../../../shared/api/oauth.ts'

export type ProvidedIdentity = Readonly<{
  /** The id the account is bound by; never empty. */
  id: string
  /** The id older installations may have bound the account by, if it can still be trusted. */
  formerId?: string | undefined
  username?: string | undefined
  displayName: string
  /** A verified address; empty if there is none. */
  email: string
  /** Why no new account may be created for this identity without an invitation; absent if one may. */
  notNew?: 'oauth.no_email' | 'oauth.unverified_email'
}>

export type BindingColumn = 'github_id' | 'oidc_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id'

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
