import type { guest as texts } from '../en/guest.ts'

/** Texts of the page that a guest key opens, in Chinese. */
export const guest = {
  'guest.title': '访客密钥',
  'guest.intro': '有人邀请您使用其 AI 网关。请在您的程序中填写以下信息。',
  'guest.address': '地址',
  'guest.key': '密钥',
  'guest.copyAddress': '复制地址',
  'guest.copyKey': '复制密钥',
  'guest.once': '密钥已从本页地址中移除。请现在复制；重新加载后需再次扫描二维码。',
  'guest.models': '模型',
  'guest.noModels': '此密钥目前没有可用的模型。',
  'guest.left': '剩余额度',
  'guest.leftOf': '{left}，共 {total}',
  'guest.expires': '过期时间',
  'guest.try': '发送测试消息',
  'guest.tryHint': '向 {model} 发送“{text}”并显示其回答。花费从额度中扣除。',
  'guest.tryText': '请用一句话打个招呼。',
  'guest.noAnswer': '响应中没有文本。',
  'guest.failed': '网关不接受此密钥。它可能已过期、被吊销或额度用尽。请向提供者索取新的密钥。',
  'guest.unreached': '无法连接网关。请确认本设备处于同一网络。',
  'guest.missing': '链接中没有密钥',
  'guest.missingHint': '请重新扫描二维码，或索取新的链接。',
  'guest.openai': '兼容 OpenAI 的程序',
  'guest.anthropic': 'Claude Code',
  'guest.copySnippet': '复制示例：{name}',
} satisfies Record<keyof typeof texts, string>
