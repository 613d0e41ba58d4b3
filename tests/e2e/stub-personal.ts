import type { Page } from '@playwright/test'
import type { ApiAnswer } from '../../shared/api/call.ts'
import type { SessionView, SignInView, security } from '../../shared/api/security.ts'
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

/** Logs in as an ordinary user with a mail address, invitations, a webhook and many models. */
export async function beSomeone(page: Page): Promise<void> {
  const report = (path: string, data: unknown) =>
    page.route(path, (route) => route.fulfill({ json: { success: true, message: '', data } }))
  await report('**/api/user/self', someone)
  await report('**/api/user/models', [...models, ...others])
  await report('**/api/user/aff', someone.aff_code)
  await report('**/api/user/token', 'Yk3vH0s1r2bQ9zX8wT7uP6oN5mL4')
  await beSafe(unsafe)(page)
}

const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'
const desktop =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) switchyard/0.1.0 Chrome/140.0.0.0 Electron/39.0.0 Safari/537.36'
const longAddress = '2001:0db8:85a3:1234:5678:8a2e:0370:7334'

const sessions: readonly SessionView[] = [
  [desktop, '192.0.2.17', 1_795_000_000],
  [windows, '198.51.100.23', 1_794_900_000],
  [phone, longAddress, 1_794_800_000],
  ['curl/8.14.1', '203.0.113.9', 1_794_000_000],
  [windows, '198.51.100.24', 1_793_500_000],
  ['', '198.51.100.25', 1_793_000_000],
].map(([agent, ip, at], place) => ({
  id: `session-${place}`,
  ip: String(ip),
  user_agent: String(agent),
  created_at: Number(at) - 500_000,
  last_seen_at: Number(at),
  is_current: place === 1,
}))

const signIns: readonly SignInView[] = [
  ['password', true, '198.51.100.23', windows],
  ['password', false, longAddress, 'python-requests/2.32.3'],
  ['github', true, '198.51.100.23', phone],
  ['desktop', true, '127.0.0.1', desktop],
  ['a-way-of-tomorrow', true, '198.51.100.23', ''],
].map(([way, succeeded, ip, agent], place) => ({
  created_at: 1_795_000_000 - place * 40_000,
  way: String(way),
  succeeded: succeeded === true,
  ip: String(ip),
  user_agent: String(agent),
}))

const codes = Array.from({ length: 10 }, (_, place) => `k3j9-xq2a-${place}r7m-5tzw`)
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

type FactorState = ApiAnswer<typeof security.state>

/** Second factors are neither set up nor required. */
export const unsafe: FactorState = {
  enabled: false,
  backup_codes_remaining: 0,
  has_password: true,
  required: false,
  missing: false,
}

/** Gives the user two factors in this state, sessions and a history of logins; accepts every code. */
export const beSafe =
  (state: FactorState) =>
  async (page: Page): Promise<void> => {
    const report = (path: string, data: unknown) =>
      page.route(path, (route) => route.fulfill({ json: { success: true, message: '', data } }))
    await report('**/api/user/2fa/status', state)
    await report('**/api/user/2fa/setup', {
      secret,
      qr_code_data: `otpauth://totp/Switchyard:alice?issuer=Switchyard&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    })
    await report('**/api/user/2fa/enable', { backup_codes: codes })
    await report('**/api/user/2fa/backup_codes', { backup_codes: codes })
    await report('**/api/user/self/sessions', sessions)
    await report('**/api/user/self/sign_ins', signIns)
  }

/** Puts the gateway into self-use mode. */
export const beAlone = (page: Page) =>
  page.route('**/api/status', async (route) => {
    const answer = await route.fetch()
    const { data, ...envelope } = await answer.json()
    await route.fulfill({ json: { ...envelope, data: { ...data, self_use_mode_enabled: true } } })
  })
