import type { channelList as texts } from '../en/channel-list.ts'

/** Texts of the list of channels: its last tests, figures and batch operations, in Chinese. */
export const channelList = {
  'channel.lastTest': '最近测试',
  'channel.milliseconds': '{n} 毫秒',
  'channel.failed.status': '失败 {status}',
  'channel.failed.timeout': '超时',
  'channel.failed.unreachable': '无法连接',
  'channel.failed.other': '失败',
  'channel.failedWhy': '{name} 最近一次测试的结果',
  'channel.selectFirst': '请先选择渠道',
  'channel.changedMany': '已更新渠道：{n}',
  'channel.disableManyAsk': '禁用所选渠道（{n} 个）？',
  'channel.disableManyHint': '禁用后不再向这些渠道发送请求，可随时重新启用。',
  'channel.set.priority': '设置优先级',
  'channel.set.weight': '设置权重',
  'channel.setOrderHint': '要修改的渠道：{n}',
  'channel.modelsOf': '{name} 的模型（{n} 个）',
  'channel.usedRemaining': '已用 / 剩余',
  'channel.activity': '最近 24 小时',
  'channel.noRequests': '最近 24 小时没有请求',
  'channel.servedOf': '{total} 次请求中成功 {n} 次',
  'channel.openFailures': '在使用日志中打开失败的请求',
  'channel.requestsByHour': '最近 24 小时每小时请求数',
  'channel.failedOf': '{total} 个中 {n} 个失败',
} satisfies Record<keyof typeof texts, string>
