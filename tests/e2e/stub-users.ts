import type { Page } from '@playwright/test'
import type { ManagedUser } from '../../shared/api/user-admin.ts'

const nothing: Omit<ManagedUser, 'id' | 'username'> = {
  display_name: '',
  role: 1,
  status: 1,
  group: 'default',
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  quota: 0,
  used_quota: 0,
  request_count: 0,
  aff_code: '',
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  inviter_id: 0,
  DeletedAt: null,
  setting: '{}',
  remark: '',
  last_active_at: 0,
  password: '',
  original_password: '',
  verification_code: '',
}

/** Accounts of every role and status, with names and figures of all lengths. */
const accounts: readonly ManagedUser[] = [
  { ...nothing, id: 10_482, username: 'imported', role: 5, status: 3, group: 'research-and-development' },
  {
    ...nothing,
    id: 7,
    username: 'wilhelmina_k',
    display_name: 'Wilhelmina Kowalewska',
    remark: 'Pays by invoice; ask the accounting department before the quota is raised',
    group: 'vip',
    quota: 123_456_789_000,
    used_quota: 98_765_432,
    request_count: 15_234_567,
    aff_count: 128,
    aff_history_quota: 64_000_000,
    inviter_id: 10_482,
  },
  { ...nothing, id: 6, username: 'oleg', status: 2, quota: -1_250_000, used_quota: 1_250_000, request_count: 41 },
  { ...nothing, id: 5, username: 'former', group: '', DeletedAt: '2026-11-20T08:00:00.000Z', quota: 500_000 },
  { ...nothing, id: 4, username: '王小明', display_name: '小明', group: 'svip', quota: 5_000_000, inviter_id: 7 },
  { ...nothing, id: 3, username: 'clerk', role: 10, quota: 500_000, used_quota: 12_000, request_count: 9 },
  {
    ...nothing,
    id: 2,
    username: 'ann',
    display_name: 'Ann',
    group: '',
    email: 'ann@example.com',
    github_id: '583231',
    quota: 2_500_000,
    used_quota: 750_000,
    request_count: 1204,
  },
  { ...nothing, id: 1, username: 'root', role: 100, quota: 100_000_000 },
]

/** Stubs the list of accounts, and each account by its id. */
export async function listsUsers(page: Page): Promise<void> {
  const told = { page: 1, page_size: 10, total: accounts.length, items: accounts }
  await page.route(/\/api\/user\?/, (route) => route.fulfill({ json: { success: true, message: '', data: told } }))
  await page.route(/\/api\/user\/\d+$/, (route) => {
    const id = Number(route.request().url().split('/').at(-1))
    const data = accounts.find((one) => one.id === id)
    return route.fulfill({ json: { success: true, message: '', data } })
  })
}
