import { choice, domains, flag } from './kinds.ts'
import { option } from './option.ts'

/**
 * Login and registration (docs/reference/options.md#areas). A flag with `needs` is refused until the settings listed
 * there are filled in.
 */
export const login = {
  PasswordLoginEnabled: option({
    ...flag,
    default: true,
    panel: 'system/login',
    publishAs: 'password_login_enabled',
  }),
  PasswordRegisterEnabled: option({ ...flag, default: true, panel: 'system/login' }),
  EmailVerificationEnabled: option({
    ...flag,
    default: false,
    panel: 'system/login',
    publishAs: 'email_verification',
    needs: ['SMTPServer'],
  }),
  RegisterEnabled: option({ ...flag, default: true, panel: 'system/login', publishAs: 'register_enabled' }),
  GitHubOAuthEnabled: option({
    ...flag,
    default: false,
    panel: 'system/login',
    publishAs: 'github_oauth',
    needs: ['GitHubClientId', 'GitHubClientSecret'],
  }),
  LinuxDOOAuthEnabled: option({
    ...flag,
    default: false,
    panel: 'system/login',
    publishAs: 'linuxdo_oauth',
    needs: ['LinuxDOClientId'],
  }),
  WeChatAuthEnabled: option({
    ...flag,
    default: false,
    panel: 'system/login',
    publishAs: 'wechat_login',
    needs: ['WeChatServerAddress'],
  }),
  TelegramOAuthEnabled: option({
    ...flag,
    default: false,
    panel: 'system/login',
    publishAs: 'telegram_oauth',
    needs: ['TelegramBotToken'],
  }),
  'oidc.enabled': option({
    ...flag,
    default: false,
    panel: 'system/login',
    publishAs: 'oidc_enabled',
    needs: ['oidc.client_id', 'oidc.authorization_endpoint', 'oidc.token_endpoint', 'oidc.user_info_endpoint'],
  }),
  TurnstileCheckEnabled: option({
    ...flag,
    default: false,
    panel: 'system/login',
    publishAs: 'turnstile_check',
    needs: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  }),
  /** Who must have a second factor (docs/reference/accounts.md#two-factors). */
  TwoFactorRequiredRole: option({
    ...choice(['nobody', 'root', 'admin', 'everybody']),
    default: 'nobody',
    panel: 'system/login',
  }),
  EmailDomainRestrictionEnabled: option({
    ...flag,
    default: false,
    panel: 'system/whitelist',
    needs: ['EmailDomainWhitelist'],
  }),
  EmailAliasRestrictionEnabled: option({ ...flag, default: false, panel: 'system/whitelist' }),
  /** A comma-separated list; read it through `domainsOf`. */
  EmailDomainWhitelist: option({
    ...domains,
    default: 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
    panel: 'system/whitelist',
  }),
}
