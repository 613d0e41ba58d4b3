import { expect, type Page } from '@playwright/test'
import { dataOf, signedIn } from '../support/client.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { mailText } from './mail-text.ts'
import { test } from './shared-browser.ts'
import { aMailBox, type StandIn } from './stand-ins.ts'
import { troublesOf } from './visitor.ts'

let gateway: ServedConsole
let mails: StandIn
test.beforeEach(async () => {
  mails = await aMailBox()
  gateway = await readyGateway()
})
test.afterEach(async () => {
  await gateway.stop()
  await mails.stop()
})

const set = (key: Parameters<ServedConsole['inner']['settings']['set']>[0], value: string) =>
  gateway.inner.settings.set(key, value)

/** Requires verified mail addresses, through the mail server on loopback. */
async function verifyAddresses(): Promise<void> {
  await set('SMTPServer', '127.0.0.1')
  await set('SMTPPort', String(mails.port))
  await set('SMTPFrom', 'gateway@example.com')
  await set('EmailVerificationEnabled', 'true')
}

async function fillIn(page: Page, username: string, password = 'a-long-password'): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
}
const kept = (page: Page) => page.evaluate(() => localStorage.getItem('aff'))

test('by an invite link and a mailed code one makes an account, and logs in with it (docs/reference/screens.md#registration)', async ({
  page,
}) => {
  await verifyAddresses()
  const root = await signedIn(gateway.url, ROOT.username, ROOT.password)
  const invite = dataOf(await root.get('/api/user/aff'))
  const troubles = troublesOf(page)
  await page.goto(`${gateway.url}/login?aff=${invite}&next=/log`)
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await expect(page).toHaveURL(`${gateway.url}/register?next=%2Flog`)
  expect(await kept(page)).toBe(invite)
  await fillIn(page, 'ann')
  await page.getByLabel('Email').fill('Ann@Example.com')
  await page.getByRole('button', { name: 'Get verification code' }).click()
  await expect(page.getByText('Verification code sent, check your email!')).toBeVisible()
  await expect(page.getByRole('button', { name: /^resend \(\d+\)$/ })).toBeDisabled()
  await expect(page.getByLabel('Verification code')).toBeFocused()
  const [, code = ''] = /code is (\w+)/.exec(mailText(mails.asked[0])) ?? []
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Registered successfully!')).toBeVisible()
  await expect(page).toHaveURL(`${gateway.url}/login?next=%2Flog`)
  await expect(page.getByLabel('Username or email')).toHaveValue('ann')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  expect(await kept(page)).toBeNull()
  await page.keyboard.type('a-long-password')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${gateway.url}/log`)
  await page.goto(`${gateway.url}/register`)
  await expect(page).toHaveURL(`${gateway.url}/detail`)
  const { db } = gateway.inner
  const users = await db.selectFrom('users').select(['username', 'email', 'inviter_id', 'aff_count']).execute()
  expect(users).toMatchObject([
    { username: ROOT.username, aff_count: 1 },
    { username: 'ann', email: 'ann@example.com', inviter_id: 1 },
  ])
  expect(troubles).toEqual([])
})
