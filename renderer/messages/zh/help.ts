import type { help as texts } from '../en/help.ts'

export const help = {
  'notFound.title': '页面不存在',
  'notFound.text': '链接可能有误，或页面已移动。',
  'notFound.home': '返回首页',
  'help.channels': '查看渠道',
  'help.channel': '编辑渠道 {name}',
  'help.tokens': '查看 API 令牌',
  'price.of': '{model} 的价格',
  'price.input': '输入，每百万 token',
  'price.output': '输出，每百万 token',
  'price.save': '保存价格',
  'price.saved': '已保存 {model} 的价格',
} satisfies Record<keyof typeof texts, string>
