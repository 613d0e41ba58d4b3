import type { channelList as texts } from '../en/channel-list.ts'

/** Texts of the list of channels: its last tests, figures and batch operations, in Chinese. */
export const channelList = {
  'time.justNow': '刚刚',
  'time.minutesAgo': '{n} 分钟前',
  'time.hoursAgo': '{n} 小时前',
  'time.daysAgo': '{n} 天前',
  'channel.lastTest': '最近测试',
  'channel.milliseconds': '{n} 毫秒',
  'channel.failed.status': '失败 {status}',
  'channel.failed.timeout': '超时',
  'channel.failed.unreachable': '无法连接',
  'channel.failed.other': '失败',
  'channel.failedWhy': '{name} 最近一次测试的结果',
  'channel.failedOf': '{total} 个中 {n} 个失败',
} satisfies Record<keyof typeof texts, string>
