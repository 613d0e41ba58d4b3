/** Texts of logging in by others, and of binding accounts to them, in English. */
export const providers = {
  'provider.or': 'Or log in with',
  'provider.logIn': 'Log in with {name}',
  'provider.loggingIn': 'Logging in with {name}',
  'provider.binding': 'Binding {name}',
  'provider.github': 'GitHub',
  'provider.oidc': 'OIDC',
  'provider.linuxdo': 'LINUX DO',
  'provider.wechat': 'WeChat',
  'provider.telegram': 'Telegram',
  'provider.wechatHint':
    'Scan the QR code with WeChat, follow the account and send it “验证码”. It answers with a code that is valid for 3 minutes.',
  'provider.wechatCode': 'QR code of the WeChat account',
  'provider.wechatNoCode': 'The QR code could not be loaded',
  'provider.telegramFailed':
    'Telegram’s login button could not be loaded. Check that this browser can reach telegram.org.',
  'provider.bind': 'Bind',
  'provider.bindTo': 'Bind {name}',
  'provider.unbind': 'Unbind',
  'provider.unbindFrom': 'Unbind {name}',
  'provider.notEnabled': 'Not enabled',
  'provider.unbindQuestion': 'Unbind {name}?',
  'provider.unbindText': 'You will no longer be able to log in with {name}. You can bind it again later.',
  'provider.unbound': '{name} was unbound',
  'provider.telegramHint': 'Log in to Telegram here. That account will then be bound to yours.',
}
