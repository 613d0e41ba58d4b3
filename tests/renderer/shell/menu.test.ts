import { expect, it } from 'vitest'
import type { TextKey } from '../../../renderer/i18n.ts'
import { en } from '../../../renderer/messages/en.ts'
import { zh } from '../../../renderer/messages/zh.ts'
import type { MenuOwner } from '../../../renderer/page-routes.tsx'
import { groupLabels } from '../../../renderer/shell/group-labels.ts'
import { menuAt, menuFor } from '../../../renderer/shell/menu.ts'
import { shellLinksFor } from '../../../renderer/shell/use-shell-links.ts'
import { role } from '../../../shared/enums.ts'
import { en as sharedEnglish } from '../../../shared/messages/en.ts'
import { zh as sharedChinese } from '../../../shared/messages/zh.ts'

const english = (key: TextKey): string => ({ ...sharedEnglish, ...en })[key]
const chinese = (key: TextKey): string => ({ ...sharedChinese, ...zh })[key]

const all = { enable_drawing: true, enable_task: true, self_use_mode_enabled: false }
const none = { ...all, enable_drawing: false, enable_task: false }
const selfUse = { ...all, self_use_mode_enabled: true }

const of = (its: number) => ({ id: 7, username: 'somebody', display_name: '', role: its, status: 1, group: 'default' })

/** The sidebar of a role: each group with its heading. */
const sidebar = (its: number, flags: typeof all, textOf = english) =>
  menuAt('sidebar', of(its), flags).map((pages) => {
    const heading = groupLabels[pages[0]?.menu.group ?? 'start']
    return [heading ? textOf(heading) : '', pages.map(({ menu }) => textOf(menu.label))]
  })

const linked = (owner: MenuOwner, its: number, flags: typeof all) =>
  menuAt(owner, of(its), flags)
    .flat()
    .map(({ menu }) => english(menu.label))

it('the sidebar has its groups with their pages in order, in both languages (docs/reference/screens.md#shell)', () => {
  expect(sidebar(role.root, all)).toEqual([
    ['', ['Playground', 'Connect a client']],
    ['Console', ['Dashboard', 'API tokens', 'Usage logs', 'Pricing']],
    ['Admin', ['Channels', 'Redemption codes', 'Users', 'System settings']],
    ['Personal', ['Wallet', 'Personal settings']],
  ])
  expect(sidebar(role.user, all, chinese)).toEqual([
    ['', ['操练场', '接入客户端']],
    ['控制台', ['数据看板', 'API 令牌', '使用日志', '定价']],
    ['个人中心', ['钱包', '个人设置']],
  ])
  expect(sidebar(role.admin, all, chinese)[2]).toEqual(['管理员', ['渠道', '兑换码', '用户管理', '系统设置']])
})

it('in self-use mode it has eight pages', () => {
  expect(sidebar(role.root, selfUse)).toEqual([
    ['', ['Playground', 'Connect a client']],
    ['Console', ['Dashboard', 'API tokens', 'Usage logs']],
    ['Admin', ['Channels', 'System settings']],
    ['Personal', ['Personal settings']],
  ])
})

it('other pages are linked where they belong, as far as the role may open them', () => {
  expect(linked('/setting', role.root, all)).toEqual(['Ledger check', 'Background jobs', 'Network sharing'])
  expect(linked('/setting', role.admin, all)).toEqual(['Ledger check', 'Background jobs'])
  expect(linked('/setting', role.root, selfUse)).toEqual([
    ...['Pricing', 'Ledger check', 'Background jobs', 'Network sharing', 'Redemption codes', 'Users', 'Wallet'],
  ])
  expect(linked('/channel', role.admin, all)).toEqual(['Routing explorer', 'Connect a provider'])
  expect(linked('/log', role.user, all)).toEqual(['Drawing logs', 'Task logs'])
  expect(linked('/log', role.user, none)).toEqual([])
  expect(linked('/log', role.user, { ...none, enable_task: true })).toEqual(['Task logs'])
})

it('the palette has every page in both modes', () => {
  expect(menuFor(of(role.root), all).flat()).toHaveLength(19)
  expect(menuFor(of(role.root), selfUse)).toEqual(menuFor(of(role.root), all))
})

it('the bar leads home, to the console, the prices, the documentation where there is one, and about', () => {
  const texts = (isSignedIn: boolean, docs_link: string, textOf = english) =>
    shellLinksFor(isSignedIn, { docs_link }).map(({ text }) => textOf(text))
  expect(texts(true, 'https://docs.example')).toEqual(['Home', 'Console', 'Pricing', 'Docs', 'About'])
  expect(texts(true, 'https://docs.example', chinese)).toEqual(['首页', '控制台', '定价', '文档', '关于'])
  expect(texts(false, '')).toEqual(['Home', 'Pricing', 'About'])
})
