import type { token as texts } from '../en/token.ts'

/** Texts of the API tokens, in Chinese. */
export const token = {
  'token.add': '添加令牌',
  'token.editTitle': '编辑 {name}',
  'token.none': '还没有 API 令牌',
  'token.noneHint': '令牌是客户端每次请求时携带的密钥，可以单独设置有效期和额度。',
  'token.noMatch': '没有匹配的令牌',
  'token.noMatchHint': '请更换要查找的名称或密钥。',
  'token.actions': '{name} 的操作',
  'token.copy': '复制 {name} 的密钥',
  'token.copyKey': '复制密钥',
  'token.nameNeeded': '请输入令牌名称',
  'token.unlimited': '无限额度',
  'token.quotaHint': '额度只限制该令牌的最大用量，实际可用额度受账户余额限制。',
  'token.expiryHint': '例如 2027-01-31 18:00:00，留空表示永不过期',
  'token.expiryPresets': '常用有效期',
  'token.oneHour': '一小时',
  'token.oneDay': '一天',
  'token.oneMonth': '一个月',
  'token.created': '令牌 {name} 已创建',
  'token.deleted': '令牌 {name} 已删除',
  'token.deleteAsk': '确定删除令牌“{name}”吗？',
  'token.deleteHint': '使用该密钥的客户端将立即被拒绝，且无法恢复。',
} satisfies Record<keyof typeof texts, string>
