import type { providers as texts } from '../en/providers.ts'

/** Texts of logging in by others, and of binding accounts to them, in Chinese. */
export const providers = {
  'provider.or': '其他登录方式',
  'provider.logIn': '使用 {name} 登录',
  'provider.loggingIn': '正在使用 {name} 登录',
  'provider.binding': '正在绑定 {name}',
  'provider.github': 'GitHub',
  'provider.oidc': 'OIDC',
  'provider.linuxdo': 'LINUX DO',
  'provider.wechat': '微信',
  'provider.telegram': 'Telegram',
  'provider.wechatHint': '请使用微信扫码关注公众号，发送“验证码”获取验证码（3 分钟内有效）。',
  'provider.wechatCode': '公众号二维码',
  'provider.wechatNoCode': '二维码加载失败',
  'provider.telegramFailed': 'Telegram 登录按钮加载失败，请确认浏览器可以访问 telegram.org。',
  'provider.bind': '绑定',
  'provider.bindTo': '绑定 {name}',
  'provider.unbind': '解绑',
  'provider.unbindFrom': '解绑 {name}',
  'provider.notEnabled': '未启用',
  'provider.unbindQuestion': '解绑 {name}？',
  'provider.unbindText': '解绑后将无法使用 {name} 登录，之后可以重新绑定。',
  'provider.unbound': '已解绑 {name}',
  'provider.telegramHint': '请在此登录 Telegram，登录的账户将绑定到您的账户。',
} satisfies Record<keyof typeof texts, string>
