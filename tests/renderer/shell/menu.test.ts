import { expect, it } from 'vitest'
import type { TextKey } from '../../../renderer/i18n.ts'
import { en } from '../../../renderer/messages/en.ts'
import { zh } from '../../../renderer/messages/zh.ts'
import { groupLabels } from '../../../renderer/shell/group-labels.ts'
import { menuFor } from '../../../renderer/shell/menu.ts'
import { shellLinksFor } from '../../../renderer/shell/use-shell-links.ts'
import { role } from '../../../shared/enums.ts'
import { en as sharedEnglish } from '../../../shared/messages/en.ts'
import { zh as sharedChinese } from '../../../shared/messages/zh.ts'

const english = (key: TextKey): string => ({ ...sharedEnglish, ...en })[key]
const chinese = (key: TextKey): string => ({ ...sharedChinese, ...zh })[key]

const all = { enable_data_export: true, enable_drawing: true, enable_task: true }
const none = { enable_data_export: false, enable_drawing: false, enable_task: false }

/** The sidebar of a role: each group with its heading. */
const sidebar = (its: number, flags: typeof all, textOf = english) => {
  const user = { id: 7, username: 'somebody', display_name: '', role: its, status: 1, group: 'default' }
  return menuFor(user, flags).map((pages) => {
    const heading = groupLabels[pages[0]?.menu.group ?? 'start']
    return [heading ? textOf(heading) : '', pages.map(({ menu }) => textOf(menu.label))]
  })
}

it('the sidebar has its groups with their pages in order, in both languages (docs/reference/screens.md#shell)', () => {
  expect(sidebar(role.root, all)).toEqual([
    ['', ['Playground', 'Connect a client']],
    ['Console', ['Dashboard', 'API tokens', 'Usage logs', 'Drawing logs', 'Task logs', 'Pricing']],
    [
      'Admin',
      [
        ...['Channels', 'Routing explorer', 'Connect a provider', 'Ledger check', 'Background jobs'],
        ...['Network sharing', 'Redemption codes', 'Users', 'System settings'],
      ],
    ],
    ['Personal', ['Wallet', 'Personal settings']],
  ])
  expect(sidebar(role.user, all, chinese)).toEqual([
    ['', ['操练场', '接入客户端']],
    ['控制台', ['数据看板', 'API 令牌', '使用日志', '绘图日志', '任务日志', '定价']],
    ['个人中心', ['钱包', '个人设置']],
  ])
  expect(sidebar(role.admin, all, chinese)[2]?.[0]).toBe('管理员')
  expect(sidebar(role.admin, all, chinese)[2]?.[1]).toEqual(
    expect.arrayContaining(['渠道', '兑换码', '用户管理', '系统设置']),
  )
})

it('dashboard, drawings and tasks are in the sidebar while their options are on, each by its own', () => {
  expect(sidebar(role.user, none)[1]).toEqual(['Console', ['API tokens', 'Usage logs', 'Pricing']])
  for (const [flag, name] of [
    ['enable_data_export', 'Dashboard'],
    ['enable_drawing', 'Drawing logs'],
    ['enable_task', 'Task logs'],
  ] as const)
    expect(sidebar(role.user, { ...all, [flag]: false })[1]?.[1]).not.toContain(name)
})

it('the administrators’ pages are only in their sidebar, and the super administrator’s only in theirs', () => {
  expect(sidebar(role.user, all).map(([heading]) => heading)).toEqual(['', 'Console', 'Personal'])
  expect(sidebar(role.admin, all)[2]?.[1]).not.toContain('Network sharing')
})

it('the bar leads home, to the console, the prices, the documentation where there is one, and about', () => {
  const texts = (isSignedIn: boolean, docs_link: string, textOf = english) =>
    shellLinksFor(isSignedIn, { docs_link, enable_data_export: true }).map(({ text }) => textOf(text))
  expect(texts(true, 'https://docs.example')).toEqual(['Home', 'Console', 'Pricing', 'Docs', 'About'])
  expect(texts(true, 'https://docs.example', chinese)).toEqual(['首页', '控制台', '定价', '文档', '关于'])
  expect(texts(false, '')).toEqual(['Home', 'Pricing', 'About'])
  const [, console] = shellLinksFor(true, { docs_link: '', enable_data_export: false })
  expect(console).toMatchObject({ to: '/token' })
})
