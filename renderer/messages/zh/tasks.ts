import type { tasks as english } from '../en/tasks.ts'

export const tasks = {
  'tasks.copyId': '复制任务 ID',
  'tasks.viewImage': '查看 {id} 的图片',
  'tasks.imageOf': '绘图 {id} 的图片',
  'tasks.openImage': '在新标签页中打开',
  'tasks.openVideo': '打开视频',
  'tasks.openVideoOf': '打开视频 {n}',
  'tasks.videoAlone': '该视频没有静态图片。',
  'tasks.imageFailed': '图片加载失败。',
  'tasks.detail': '任务详情',
  'tasks.callbacksOff':
    '当前未开启 Midjourney 回调，部分代理可能无法返回绘图结果。可在“系统设置 › 运营 › 绘图”中开启。',
  'tasks.noMatch': '没有符合条件的任务',
  'tasks.noDrawings': '此时段内没有绘图',
  'tasks.noDrawingsHint': '客户端通过 Midjourney 进行的绘图会列在此处，包括进度和图片。',
  'tasks.noTasks': '此时段内没有任务',
  'tasks.noTasksHint': '客户端通过 Suno 提交的任务会列在此处，包括进度和结果。',
} satisfies Record<keyof typeof english, string>
