import type { settingTools as english } from '../en/setting-tools.ts'

export const settingTools = {
  'smtp.sender': '发件人地址无效。请在发件人地址或 SMTP 账户中填写邮箱地址。',
  'smtp.address': '不能使用该邮件服务器地址',
  'smtp.timeout': '邮件服务器响应超时',
  'smtp.unreachable': '无法连接邮件服务器：{said}',
  'smtp.tls': '无法与邮件服务器建立加密连接：{said}',
  'smtp.clear':
    '邮件服务器的此端口以明文开始通信。请关闭“启用 SSL”，并使用 465 以外的端口；服务器支持时会通过 STARTTLS 加密连接。',
  'smtp.no_starttls':
    '邮件服务器的此端口不支持加密（STARTTLS），因此没有向它发送访问凭证。请改用支持加密的端口，或使用 SSL 端口并启用“启用 SSL”。服务器返回：{said}',
  'smtp.login': '邮件服务器拒绝了账户或访问凭证：{said}',
  'smtp.refused': '邮件服务器拒绝了邮件：{said}',
  'mail.test_subject': '{site} 测试邮件',
  'mail.test_body': '这是 {site} 发送的测试邮件。\n\n邮件设置可用。控制台：{link}',
  'worker.none': '请先填写并保存代理地址',
  'worker.status': '代理返回状态码 {status}，请检查代理地址和密钥。',
  'worker.timeout': '代理在 {seconds} 秒内没有响应',
  'worker.unreachable': '无法通过代理获取：{said}',
  'update.none': '请先填写并保存版本发布地址',
  'log.cleanup_running': '日志清理正在进行',
} satisfies Record<keyof typeof english, string>
