import { address, endpoint, line, picture } from './kinds.ts'
import { option } from './option.ts'

/** Third-party login and the human check (docs/reference/accounts.md#human-verification, docs/reference/options.md#areas). */
export const oauth = {
  'oidc.well_known': option({ ...endpoint, default: '', panel: 'system/oidc' }),
  'oidc.client_id': option({ ...line, default: '', panel: 'system/oidc', publishAs: 'oidc_client_id' }),
  'oidc.client_secret': option({
    ...line,
    default: '',
    panel: 'system/oidc',
    secret: true,
    sentTo: 'oidc.token_endpoint',
  }),
  'oidc.authorization_endpoint': option({
    ...endpoint,
    default: '',
    panel: 'system/oidc',
    publishAs: 'oidc_authorization_endpoint',
  }),
  'oidc.token_endpoint': option({ ...endpoint, default: '', panel: 'system/oidc' }),
  'oidc.user_info_endpoint': option({ ...endpoint, default: '', panel: 'system/oidc' }),
  GitHubClientId: option({ ...line, default: '', panel: 'system/github', publishAs: 'github_client_id' }),
  GitHubClientSecret: option({ ...line, default: '', panel: 'system/github', secret: true }),
  LinuxDOClientId: option({ ...line, default: '', panel: 'system/linuxdo', publishAs: 'linuxdo_client_id' }),
  LinuxDOClientSecret: option({ ...line, default: '', panel: 'system/linuxdo', secret: true }),
  WeChatServerAddress: option({ ...address, default: '', panel: 'system/wechat' }),
  WeChatServerToken: option({
    ...line,
    default: '',
    panel: 'system/wechat',
    secret: true,
    sentTo: 'WeChatServerAddress',
  }),
  WeChatAccountQRCodeImageURL: option({ ...picture, default: '', panel: 'system/wechat', publishAs: 'wechat_qrcode' }),
  TelegramBotToken: option({ ...line, default: '', panel: 'system/telegram', secret: true }),
  TelegramBotName: option({ ...line, default: '', panel: 'system/telegram', publishAs: 'telegram_bot_name' }),
  TurnstileSiteKey: option({ ...line, default: '', panel: 'system/turnstile', publishAs: 'turnstile_site_key' }),
  TurnstileSecretKey: option({ ...line, default: '', panel: 'system/turnstile', secret: true }),
}
