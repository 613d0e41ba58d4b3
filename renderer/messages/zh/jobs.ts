import type { jobs as texts } from '../en/jobs.ts'
import { backups } from './backups.ts'

export { share } from './share.ts'

/** Texts of the page of background jobs, in Chinese. */
export const jobs = {
  ...backups,
  'jobs.intro': '定时和自动执行的任务。每个任务的上次结果在重启后仍会保留。',
  'jobs.none': '没有后台任务',
  'jobs.noneHint': '此网关没有自动执行的任务。',
  'jobs.last': '上次运行',
  'jobs.schedule': '计划',
  'jobs.next': '下次：',
  'jobs.never': '尚未运行',
  'jobs.running': '运行中',
  'jobs.elsewhere': '正在其他节点上运行',
  'jobs.outcome.done': '完成',
  'jobs.outcome.failed': '失败',
  'jobs.outcome.stopped': '已停止',
  'jobs.by': '由 {name} 启动',
  'jobs.every': '每 {time}',
  'jobs.everySecond': '每秒',
  'jobs.everyMinute': '每分钟',
  'jobs.everyHour': '每小时',
  'jobs.seconds': '{n} 秒',
  'jobs.minutes': '{n} 分钟',
  'jobs.hours': '{n} 小时',
  'jobs.nightly': '每晚',
  'jobs.onDemand': '仅手动运行',
  'jobs.everyNode': '在每个节点上',
  'jobs.run': '立即运行',
  'jobs.runOf': '立即运行：{job}',
  'jobs.started': '已启动：{job}',
} satisfies Record<keyof typeof texts, string>
