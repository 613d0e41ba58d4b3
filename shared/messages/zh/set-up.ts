import type { setUp as english } from '../en/set-up.ts'

export const setUp: Record<keyof typeof english, string> = {
  'setUp.broken': '文件 {path} 格式有误（{detail}），未写入任何内容。请改正后重试。',
  'setUp.encoding': '文件 {path} 不是 UTF-8 文本，未写入任何内容。',
  'setUp.notAFile': '{path} 不是文件，未写入任何内容。',
  'setUp.tooLarge': '文件 {path} 超过 1 MB，未写入任何内容。',
  'setUp.readOnly': '文件 {path} 是只读的，未写入任何内容。',
  'setUp.denied': '系统拒绝访问 {path}（{detail}），未写入任何内容。',
  'setUp.danglingLink': '{path} 是一个链接，但其指向的文件不存在，未写入任何内容。',
  'setUp.shape': '在 {path} 的“{detail}”处无法只加入此设置而不改动其他内容，未写入任何内容。',
  'setUp.folder': '无法确定设置所在的文件夹（{detail}），未写入任何内容。',
  'setUp.disk': '无法读写文件 {path}（{detail}）。',
  'setUp.platform': '未知此程序在 {detail} 上的设置位置，未写入任何内容。',
  'setUp.input': '程序、密钥或模型无效（{detail}），未写入任何内容。',
  'setUp.sessions':
    '{program} 会记住每个对话所用的提供方。设置为 Switchyard 期间，其列表可能只显示通过 Switchyard 开始的对话，但不会删除任何对话。撤销后，其他对话会重新显示；提供方“switchyard”会保留，但不含密钥，因此通过 Switchyard 开始的对话仍可打开：codex resume <id>',
  'setUp.providerStays': '提供方“switchyard”会保留，但不含密钥，因此通过它开始的对话仍可打开。',
}
