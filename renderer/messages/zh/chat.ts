import type { chat as texts } from '../en/chat.ts'

export const chat = {
  'chat.ask': '要将您的密钥发送给此聊天吗？',
  'chat.place': '发送到',
  'chat.token': 'API 令牌',
  'chat.askText': '此令牌的密钥和网关地址会发送到该处。其运营者可以使用该密钥发送请求，费用由您承担。',
  'chat.allow': '将密钥发送到 {place}',
  'chat.leading': '正在跳转…',
  'chat.facts': '{place} · 令牌 {token}',
  'chat.outside': '在新窗口中打开',
  'chat.outsideSite': '此聊天在浏览器窗口中打开。',
  'chat.outsideProgram': '此聊天是独立的程序。若已安装在本设备上，将会打开。',
  'chat.open': '再次打开 {name}',
} satisfies Record<keyof typeof texts, string>
