import type { setup as texts } from '../en/setup.ts'

export const setup = {
  'setup.title': '初始化 {name}',
  'setup.intro': '创建管理员并选择使用模式，即可开始使用。',
  'setup.container': '网关运行在容器中',
  'setup.containerHint': '请挂载其数据目录，否则更换容器后所有数据都会丢失。',
  'setup.rootExists': '管理员已存在，只需选择使用模式。',
  'setup.root': '管理员',
  'setup.link': '初始化链接',
  'setup.linkWhere':
    '仅网关的运维人员可以进行初始化。请打开启动时显示的一次性链接，或填写数据目录下 setup-link 文件中的链接。',
  'setup.linkField': '初始化链接或一次性代码',
  'setup.linkMissing': '请输入初始化链接或一次性代码',
  'setup.mode': '使用模式',
  'setup.mode.external': '多用户模式',
  'setup.mode.external.short': '用户有账户和余额，按价格计费',
  'setup.mode.external.long': '适合团队或面向客户的场景。每个用户都有账户和余额，模型必须先设置价格才能使用。',
  'setup.mode.self': '自用模式',
  'setup.mode.self.short': '仅供自己使用，可不设置价格',
  'setup.mode.self.long': '适合个人使用。未设置价格的模型也可以使用，但费用仅为估算。',
  'setup.mode.demo': '演示站点模式',
  'setup.mode.demo.short': '展示网关的功能',
  'setup.mode.demo.long': '适合向访客展示功能的站点，页面上会标明为演示站点。',
  'setup.modeLater': '之后可以更改。',
  'setup.modeExplain': '使用模式说明',
  'setup.submit': '完成初始化',
} satisfies Record<keyof typeof texts, string>
