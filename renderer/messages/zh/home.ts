import type { home as texts } from '../en/home.ts'

/** Texts of the home page for users who are logged in, in Chinese. */
export const home = {
  'home.partial': '仅统计最新的 50,000 条日志。',
  'home.next': '下一步',
  'home.step.provider': '接入第一个服务商账户，创建渠道。',
  'home.step.import': '来自 new-api、one-api 或 LiteLLM？可将用户、令牌和渠道一并导入。',
  'home.step.providerGo': '接入服务商',
  'home.step.noneEnabled': '没有已启用的渠道，所有请求都会被拒绝。',
  'home.step.client': '将第一个客户端接入本网关。',
  'home.step.clientGo': '接入客户端',
  'home.step.unpriced': '{n} 个模型未设置价格，对这些模型的请求会被拒绝。',
  'about.empty': '暂无内容',
  'about.emptyOperator': '此处内容对所有人可见，可用 Markdown、HTML，或填写以 https:// 开头的地址。',
  'about.write': '填写内容',
  'about.emptyVisitor': '此网关的管理员尚未填写内容。',
  'landing.formats': '支持各种客户端',
  'landing.formatsText': 'OpenAI Chat 与 Responses、Anthropic Messages 和 Gemini：每个客户端都以其自身的协议得到响应。',
  'landing.routing': '支持各家服务商',
  'landing.routingText': '某个渠道失败或限流时，请求会转到其他渠道，密钥和地址保持不变。',
  'landing.receipts': '每个 token 都有账',
  'landing.receiptsText': '每个请求都有计费明细，列出 token、价格和花费，精确到最小单位。',
  'landing.providers': '支持 30 多家服务商，例如',
  'newYear.celebrate': '新年快乐',
  'newYear.greeting': '{year} 年新年快乐，页面稍后会重新加载。',
} satisfies Record<keyof typeof texts, string>
