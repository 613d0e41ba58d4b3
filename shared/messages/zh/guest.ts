export const guest = {
  'token.guest': '访客密钥必须设置过期时间和额度上限',
  'token.guest_long': '访客密钥的有效期最长为 {days} 天',
  'log.guest_key': '已创建访客密钥“{name}”（ID {id}）',
  'log.token_revoked': '令牌“{name}”（ID {id}）已被吊销，正在进行的请求已终止',
}
