import type { Page } from '@playwright/test'
import type { UserView } from '../../shared/api/user.ts'

const someone: UserView = {
  id: 42,
  username: 'alice',
  display_name: 'Alice Weatherwax',
  role: 1,
  status: 1,
  group: 'vip',
  email: 'alice.weatherwax@research.example.com',
  github_id: '583231',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  quota: 12_345_678,
  used_quota: 87_654_321,
  request_count: 1_234_567,
  aff_code: 'k3J9xQ2a',
  aff_count: 12,
  aff_quota: 1_250_000,
  aff_history_quota: 6_000_000,
  inviter_id: 0,
  DeletedAt: null,
  setting: '{"notify_type":"webhook","webhook_url":"https://hooks.example.com/switchyard","webhook_secret":"••••"}',
  password: '',
  original_password: '',
  verification_code: '',
}

const models = ['gpt-4o', 'gpt-4o-mini', 'gpt-5-codex', 'o4-mini', 'claude-opus-4-1-20250805', 'claude-sonnet-4-5']
const others = Array.from({ length: 14 }, (_, n) => `vendor/model-with-a-long-name-${n + 1}`)

/** Somebody with a mail address, invitations, a webhook and many models, who is nobody's administrator. */
export async function beSomeone(page: Page): Promise<void> {
  const tell = (path: string, data: unknown) =>
    page.route(path, (route) => route.fulfill({ json: { success: true, message: '', data } }))
  await tell('**/api/user/self', someone)
  await tell('**/api/user/models', [...models, ...others])
  await tell('**/api/user/aff', someone.aff_code)
  await tell('**/api/user/token', 'Yk3vH0s1r2bQ9zX8wT7uP6oN5mL4')
}

/** The gateway in self-use mode. */
export const beAlone = (page: Page) =>
  page.route('**/api/status', async (route) => {
    const answer = await route.fetch()
    const { data, ...envelope } = await answer.json()
    await route.fulfill({ json: { ...envelope, data: { ...data, self_use_mode_enabled: true } } })
  })
