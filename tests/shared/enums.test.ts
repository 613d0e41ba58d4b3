import { describe, expect, it } from 'vitest'
import {
  channelStatusLabel,
  drawingActionLabel,
  drawingStatus,
  drawingStatusLabel,
  drawingSubmitLabel,
  logTypeLabel,
  redemptionStatusLabel,
  role,
  roleLabel,
  taskActionLabel,
  taskStatus,
  taskStatusLabel,
  tokenStatusLabel,
  userStatusLabel,
} from '../../shared/enums.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage } from '../../shared/messages/format.ts'

const english = (key: Parameters<typeof formatMessage>[1]) => formatMessage('en', key)

/** Stored value, English name and Chinese name. */
type Named = readonly (readonly [string, string, string])[]
const named: readonly (readonly [string, (value: string) => MessageKey, Named])[] = [
  [
    'actions of drawings',
    drawingActionLabel,
    [
      ['IMAGINE', 'Imagine', '绘图'],
      ['UPSCALE', 'Upscale', '放大'],
      ['VARIATION', 'Variation', '变换'],
      ['HIGH_VARIATION', 'High variation', '强变换'],
      ['LOW_VARIATION', 'Low variation', '弱变换'],
      ['PAN', 'Pan', '平移'],
      ['DESCRIBE', 'Describe', '图生文'],
      ['BLEND', 'Blend', '图混合'],
      ['UPLOAD', 'Upload', '上传文件'],
      ['SHORTEN', 'Shorten', '缩词'],
      ['REROLL', 'Reroll', '重绘'],
      ['INPAINT', 'Inpaint', '局部重绘'],
      ['ZOOM', 'Zoom', '变焦'],
      ['CUSTOM_ZOOM', 'Custom zoom', '自定义变焦'],
      ['MODAL', 'Modal', '窗口处理'],
      ['SWAP_FACE', 'Swap face', '换脸'],
      ['EDITS', 'Edit', '编辑'],
      ['VIDEO', 'Video', '视频'],
      ['OTHER', 'Unknown', '未知'],
    ],
  ],
  [
    'states of a drawing',
    drawingStatusLabel,
    [
      ['NOT_START', 'Not started', '未启动'],
      ['SUBMITTED', 'Queued', '队列中'],
      ['IN_PROGRESS', 'Running', '执行中'],
      ['SUCCESS', 'Success', '成功'],
      ['FAILURE', 'Failed', '失败'],
      ['MODAL', 'Waiting for window', '窗口等待'],
      ['OTHER', 'Unknown', '未知状态'],
    ],
  ],
  [
    'submit results of drawings',
    (code) => drawingSubmitLabel(Number(code)),
    [
      ['1', 'Submitted', '已提交'],
      ['21', 'Waiting', '等待中'],
      ['22', 'Duplicate', '重复提交'],
      ['0', 'Not submitted', '未提交'],
      ['24', 'Not submitted', '未提交'],
    ],
  ],
  [
    'states of a task',
    taskStatusLabel,
    [
      ['', 'Submitting', '正在提交'],
      ['NOT_START', 'Not started', '未启动'],
      ['SUBMITTED', 'In queue', '队列中'],
      ['QUEUED', 'Queued', '排队中'],
      ['IN_PROGRESS', 'Running', '执行中'],
      ['SUCCESS', 'Success', '成功'],
      ['FAILURE', 'Failed', '失败'],
      ['UNKNOWN', 'Unknown', '未知'],
      ['OTHER', 'Unknown', '未知'],
    ],
  ],
  [
    'actions of a task',
    taskActionLabel,
    [
      ['MUSIC', 'Generate music', '生成音乐'],
      ['LYRICS', 'Generate lyrics', '生成歌词'],
      ['OTHER', 'Unknown', '未知'],
    ],
  ],
]

describe('names of stored numbers and words (docs/reference/accounts.md#roles, docs/reference/channels.md#fields)', () => {
  it('roles: a right is "role at least n"', () => {
    expect([role.visitor, role.user, role.admin, role.root]).toEqual([0, 1, 10, 100])
    expect([1, 10, 100, 7].map(roleLabel).map(english)).toEqual([
      'Normal user',
      'Administrator',
      'Super administrator',
      'Unknown identity',
    ])
  })

  it('accounts: 1 activated, 2 banned, 3 unknown, deactivated above all', () => {
    expect([1, 2, 3].map((value) => english(userStatusLabel(value, false)))).toEqual(['Active', 'Disabled', 'Unknown'])
    expect(english(userStatusLabel(2, true))).toBe('Deactivated')
  })

  it('tokens: an enabled one with model limits shows that', () => {
    const names = [1, 2, 3, 4, 9].map((value) => english(tokenStatusLabel(value, false)))
    expect(names).toEqual(['Enabled', 'Disabled', 'Expired', 'Out of quota', 'Unknown'])
    expect(english(tokenStatusLabel(1, true))).toBe('Enabled: restricted models')
    expect(english(tokenStatusLabel(2, true))).toBe('Disabled')
  })

  it('channels, codes and logs', () => {
    expect([1, 2, 3, 0].map(channelStatusLabel).map(english)).toEqual([
      'Enabled',
      'Disabled',
      'Disabled automatically',
      'Unknown',
    ])
    expect([1, 2, 3].map(redemptionStatusLabel).map(english)).toEqual(['Unused', 'Disabled', 'Used'])
    expect([0, 1, 2, 3, 4, 5].map(logTypeLabel).map(english)).toEqual([
      'All',
      'Top-up',
      'Usage',
      'Manage',
      'System',
      'Error',
    ])
  })

  it.each(named)('%s in both languages', (_what, labelOf, names) => {
    for (const [value, ...words] of names)
      expect([formatMessage('en', labelOf(value)), formatMessage('zh', labelOf(value))], value).toEqual(words)
  })

  it('has a name for each state of a drawing and of a task, and no more', () => {
    const valuesOf = (what: string) => named.find(([name]) => name === what)?.[2].map(([value]) => value)
    expect(valuesOf('states of a drawing')).toEqual([...Object.values(drawingStatus), 'OTHER'])
    expect(valuesOf('states of a task')).toEqual([...Object.values(taskStatus), 'OTHER'])
  })
})
