import type { failure as english } from '../en/failure.ts'

export const failure = {
  'relay.streamBroken': '上游数据流意外中断。',
  'copy.ok': '已复制：{text}',
  'copy.fail': '无法复制到剪贴板，请手动复制',
  'request.fail': '请求失败',
  'http.429': '错误：请求过于频繁，请稍候再试！',
  'http.500': '错误：服务器内部异常，请联系管理员！',
  'http.405': '本站仅供演示，没有后端服务！',
  'http.other': '错误：{message}',
  'status.fail1': '无法连接服务器',
  'status.fail2': '状态加载失败',
} satisfies Record<keyof typeof english, string>
