import { expect, type Page } from '@playwright/test'
import { dataOf, signedIn } from '../support/client.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './accessible.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { atProvider, QR_CODE, signedByTelegram, withQrCode } from './provider-acts.ts'
import { test } from './shared-browser.ts'
import { aStandIn, type StandIn, withTelegram } from './stand-ins.ts'
import { tells } from './stub-routing.ts'
import { signIn, troublesOf } from './visitor.ts'

let gateway: ServedConsole
let provider: StandIn
test.beforeAll(async () => {
  let last = ''
  provider = await aStandIn((body, path) => {
    if (path.includes('token')) last = new URLSearchParams(body).get('code') ?? ''
    if (path === '/me' && last === 'code-eve')
      return { sub: 'sub-eve', preferred_username: 'eve', email: 'eve@example.com' }
    if (path.includes('token')) return { access_token: 'a-token', token_type: 'bearer' }
    if (path.startsWith('/api/wechat')) return { success: path.endsWith('=good'), message: '', data: 'open-id' }
    if (path === '/api/user') return { id: 9, username: 'lin', name: 'Lin' }
    if (path === '/me') return { sub: 'sub-bob', preferred_username: 'bob', email: 'bob@example.com' }
    return path === '/user' ? { id: 7, login: 'ann', name: 'Ann' } : []
  })
  gateway = await readyGateway({
    providers: { github: provider.url, githubApi: provider.url, linuxdo: provider.url },
  })
  for (const [key, value] of options(provider.url)) await gateway.inner.settings.set(key, value)
})
test.afterAll(async () => {
  await gateway.stop()
  await provider.stop()
})

type Option = Parameters<ServedConsole['inner']['settings']['set']>
const BOT_TOKEN = '1:a-bot-token'
const options = (url: string): Option[] => [
  ['GitHubClientId', 'client-1'],
  ['GitHubClientSecret', 'secret-1'],
  ['GitHubOAuthEnabled', 'true'],
  ['oidc.client_id', 'client-2'],
  ['oidc.client_secret', 'secret-2'],
  ['oidc.authorization_endpoint', 'https://login.example.com/authorize?tenant=ours'],
  ['oidc.token_endpoint', `${url}/token`],
  ['oidc.user_info_endpoint', `${url}/me`],
  ['oidc.enabled', 'true'],
  ['LinuxDOClientId', 'client-3'],
  ['LinuxDOClientSecret', 'secret-3'],
  ['WeChatServerAddress', url],
  ['WeChatAccountQRCodeImageURL', QR_CODE],
  ['WeChatAuthEnabled', 'true'],
  ['TelegramBotToken', BOT_TOKEN],
  ['TelegramBotName', 'switchyard_bot'],
  ['TelegramOAuthEnabled', 'true'],
]

const GITHUB = 'https://github.com/login/oauth/authorize'
const button = (page: Page, name: string) => page.getByRole('button', { name: `Log in with ${name}` })
const textOn = (page: Page, text: string) => page.getByText(text)
const row = (username: string) =>
  gateway.inner.db.selectFrom('users').selectAll().where('username', 'like', username).executeTakeFirstOrThrow()

test('a GitHub login creates an account and leads on; its answer counts once and leaves no trace (docs/reference/screens.md#login-providers)', async ({
  page,
}) => {
  const root = await signedIn(gateway.url, ROOT.username, ROOT.password)
  const invite = dataOf(await root.get('/api/user/aff'))
  await withTelegram(page)
  const asked = await atProvider(page, GITHUB, `${gateway.url}/oauth/github`, { code: 'code-1' })
  const exchanges: string[] = []
  page.on('request', (request) => void (request.url().includes('/api/oauth/github') && exchanges.push(request.url())))
  const troubles = troublesOf(page)
  await page.goto(`${gateway.url}/login?next=%2Flog&aff=${invite}`)
  await page.frameLocator('.telegram-field iframe').getByRole('button').waitFor()
  await expectAccessibleInBothThemes(page, 'main')
  await expect(page.getByRole('region', { name: 'Or log in with' }).getByRole('button')).toHaveText([
    'GitHub',
    'OIDC',
    'WeChat',
  ])
  await button(page, 'GitHub').focus()
  await page.keyboard.press('Enter')
  await expect(textOn(page, 'Login successful!')).toBeVisible()
  await expect(page).toHaveURL(`${gateway.url}/log`)
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
    client_id: 'client-1',
    state: expect.stringMatching(/^[\w-]{43}$/),
    scope: 'user:email',
  })
  expect(await row('github_%')).toMatchObject({ github_id: '7', display_name: 'Ann', inviter_id: 1 })
  expect(await page.evaluate(() => localStorage.getItem('aff'))).toBeNull()
  expect(exchanges).toHaveLength(1)
  await page.goBack()
  await expect(page).toHaveURL(/^[^?]*(\?next=%2Flog.*)?$/)
  expect(troubles).toEqual([])

  await page.evaluate(async () => {
    await fetch('/api/user/logout', { headers: { 'New-Api-User': '-1' } })
    localStorage.removeItem('user')
  })
  const { promise: isLookedAt, resolve: letAnswer } = Promise.withResolvers<void>()
  await page.route(/\/api\/oauth\/github\?/, async (route) => {
    await isLookedAt
    await route.continue()
  })
  await page.goto(`${gateway.url}/oauth/github?code=code-1&state=${asked[0]?.searchParams.get('state')}`)
  await expect(page.getByRole('progressbar', { name: 'Logging in with GitHub' })).toBeVisible()
  await expectAccessible(page)
  letAnswer()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'Operation failed, redirecting to the login screen...',
  )
  expect(page.url()).toBe(`${gateway.url}/oauth/github`)
  await expectAccessible(page)
  await expect(page).toHaveURL(`${gateway.url}/login`)
  await expect(textOn(page, 'This login request is not valid or has expired. Start again.')).toBeVisible()
})

test('an invited visitor registers by a provider, also where registering is closed (docs/reference/accounts.md#invitation-links)', async ({
  page,
}) => {
  const root = await signedIn(gateway.url, ROOT.username, ROOT.password)
  const { code } = dataOf(await root.post('/api/invitation', { quota: 7000, note: 'For Eve' }))
  await gateway.inner.settings.set('RegisterEnabled', 'false')
  await withTelegram(page)
  await atProvider(page, 'https://login.example.com/authorize', `${gateway.url}/oauth/oidc`, { code: 'code-eve' })
  const troubles = troublesOf(page)
  await page.goto(`${gateway.url}/register?invite=${code}`)
  await expect(textOn(page, 'Root User has invited you')).toBeVisible()
  await expectAccessibleInBothThemes(page, 'main')
  await button(page, 'OIDC').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Connect a client' })).toBeVisible()
  expect(await row('eve')).toMatchObject({ oidc_id: 'sub-eve', remark: 'For Eve', quota: 7000 })
  await page.evaluate(async () => {
    await fetch('/api/user/logout', { headers: { 'New-Api-User': '-1' } })
    localStorage.removeItem('user')
  })
  await page.goto(`${gateway.url}/register?invite=${code}`)
  await expect(textOn(page, 'The invitation is not valid or has expired')).toBeVisible()
  await expect(button(page, 'OIDC')).toHaveCount(0)
  await gateway.inner.settings.set('RegisterEnabled', 'true')
  expect(troubles).toEqual([])
})

test('OpenID Connect gets a challenge and a nonce; a user who is logged in already is bound', async ({ page }) => {
  await withTelegram(page)
  const back = `${gateway.url}/oauth/oidc`
  const asked = await atProvider(page, 'https://login.example.com/authorize', back, { code: 'code-2' })
  await tells(/\/api\/oauth\/oidc\?/, { require_2fa: true })(page)
  await page.goto(`${gateway.url}/register`)
  await button(page, 'OIDC').click()
  await expect(page.getByLabel('Verification code')).toBeFocused()
  await expect(button(page, 'OIDC')).toHaveCount(0)
  await page.getByRole('button', { name: 'Back' }).click()
  await page.unroute(/\/api\/oauth\/oidc\?/)
  asked.length = 0
  await button(page, 'OIDC').click()
  await expect(page).toHaveURL(`${gateway.url}/token`)
  const secret = expect.stringMatching(/^[\w-]{43}$/)
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
    tenant: 'ours',
    client_id: 'client-2',
    redirect_uri: back,
    response_type: 'code',
    scope: 'openid profile email',
    state: secret,
    code_challenge: secret,
    code_challenge_method: 'S256',
    nonce: secret,
  })
  expect(await row('bob')).toMatchObject({ oidc_id: 'sub-bob' })

  await gateway.inner.db.updateTable('users').set({ oidc_id: '' }).where('username', '=', 'bob').execute()
  await page.goto(`${gateway.url}/personal`)
  const linked = page.getByRole('list', { name: 'Linked accounts' })
  await expect(linked.getByRole('button', { name: 'LINUX DO: Not enabled' })).toBeDisabled()
  await linked.getByRole('button', { name: 'Bind OIDC' }).click()
  await expect(textOn(page, 'Bound successfully')).toBeVisible()
  await expect(page).toHaveURL(`${gateway.url}/personal`)
  expect(await row('bob')).toMatchObject({ oidc_id: 'sub-bob' })
  await linked.getByRole('button', { name: 'Unbind OIDC' }).click()
  await page.getByRole('alertdialog', { name: 'Unbind OIDC?' }).getByRole('button', { name: 'Unbind' }).click()
  await expect(textOn(page, 'You need another way to log in first')).toBeVisible()
  await gateway.inner.db.updateTable('users').set({ github_id: '8' }).where('username', '=', 'bob').execute()
  await linked.getByRole('button', { name: 'Unbind OIDC' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unbind' }).click()
  await expect(linked.getByRole('button', { name: 'Bind OIDC', exact: true })).toBeVisible()
  expect(await row('bob')).toMatchObject({ oidc_id: '' })
  await page.goto(`${back}?error=access_denied&state=none`)
  await expect(page).toHaveURL(`${gateway.url}/personal`)
  await expect(textOn(page, 'This login request is not valid or has expired. Start again.')).toBeVisible()
})

test('by WeChat one types the code that it answers with', async ({ page }) => {
  await withTelegram(page)
  await withQrCode(page)
  await gateway.inner.settings.set('PasswordLoginEnabled', 'false')
  await page.goto(`${gateway.url}/login`)
  await expect(textOn(page, 'Password login has been turned off by the administrator')).toBeVisible()
  await button(page, 'WeChat').click()
  const dialog = page.getByRole('dialog', { name: 'Log in with WeChat' })
  await expect(dialog.getByRole('img', { name: 'QR code of the WeChat account' })).toBeVisible()
  await expect(dialog).toContainText('a code that is valid for 3 minutes')
  await expect(dialog.getByLabel('Verification code')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Verification code')).toHaveAccessibleDescription('Enter the verification code')
  await page.keyboard.type('bad')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('The verification code is wrong or has expired')
  await expectAccessible(page)
  await dialog.getByLabel('Verification code').fill('good')
  await page.keyboard.press('Enter')
  await expect(textOn(page, 'Login successful!')).toBeVisible()
  await expect(page).toHaveURL(`${gateway.url}/detail`)
  expect(await row('wechat_%')).toMatchObject({ wechat_id: 'open-id' })
  await gateway.inner.settings.set('PasswordLoginEnabled', 'true')
})

test('Telegram’s button logs in a bound user; a link with an answer does not, and a loading failure is reported', async ({
  page,
}) => {
  await gateway.inner.db.updateTable('users').set({ telegram_id: '42' }).where('username', '=', ROOT.username).execute()
  const fields = { id: '42', first_name: 'Ann & Co', auth_date: String(Math.floor(Date.now() / 1000)) }
  await page.route('https://telegram.org/**', (route) => route.abort())
  await page.goto(`${gateway.url}/login?expired=true#tgAuthResult=e30`)
  await expect(page.getByText(/^Telegram’s login button could not be loaded\./)).toBeVisible()
  expect(page.url()).toBe(`${gateway.url}/login?expired=true`)
  await page.unrouteAll()
  await withTelegram(page, signedByTelegram(fields, BOT_TOKEN))
  const troubles = troublesOf(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  const frame = page.locator('iframe[title="Log in with Telegram"]')
  await frame.contentFrame().getByRole('button').click()
  await expect(textOn(page, 'Login successful!')).toBeVisible()
  await expect(page).toHaveURL(`${gateway.url}/detail`)
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '').id)).toBe(1)
  await page.goForward()
  expect(page.url()).not.toContain('#')
  expect(troubles).toEqual([])
})

test('each provider is bound and unbound; an old login must be repeated first, over the page (docs/reference/accounts.md#recent-login)', async ({
  page,
}) => {
  const { db, settings } = gateway.inner
  await settings.set('LinuxDOOAuthEnabled', 'true')
  await db.updateTable('users').set({ github_id: '', wechat_id: '', telegram_id: '' }).execute()
  const fields = { id: '42', first_name: 'Ann', auth_date: String(Math.floor(Date.now() / 1000)) }
  await withTelegram(page, signedByTelegram(fields, BOT_TOKEN))
  await withQrCode(page)
  const redirecting = [
    { name: 'GitHub', at: 'github', authorize: GITHUB, bound: { github_id: '7' } },
    { name: 'OIDC', at: 'oidc', authorize: 'https://login.example.com/authorize', bound: { oidc_id: 'sub-bob' } },
    { name: 'LINUX DO', at: 'linuxdo', authorize: 'https://connect.linux.do/', bound: { linux_do_id: '9' } },
  ]
  for (const { at, authorize } of redirecting)
    await atProvider(page, authorize, `${gateway.url}/oauth/${at}`, { code: 'code-3' })
  const troubles = troublesOf(page)
  await signIn(page, gateway.url, '/personal')
  await db.updateTable('sessions').set({ created_at: 1 }).where('user_id', '=', 1).execute()
  const linked = page.getByRole('list', { name: 'Linked accounts' })
  const again = page.getByRole('dialog', { name: 'Log in again' })
  await linked.getByRole('button', { name: 'Bind GitHub' }).click()
  await expect(again).toContainText('Your last login was a while ago.')
  await expectAccessibleInBothThemes(page)
  await again.getByRole('button', { name: 'Cancel' }).click()
  await expect(textOn(page, 'Log in again to change how this account is opened')).toBeVisible()
  await linked.getByRole('button', { name: 'Bind GitHub' }).click()
  await again.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.keyboard.press('Enter')
  for (const { name, bound } of redirecting) {
    if (name !== 'GitHub') await linked.getByRole('button', { name: `Bind ${name}` }).click()
    await expect(textOn(page, 'Bound successfully')).toBeVisible()
    await expect(page).toHaveURL(`${gateway.url}/setting`)
    await page.goto(`${gateway.url}/personal`)
    await expect(linked.getByRole('button', { name: `Unbind ${name}` })).toBeVisible()
    expect(await row(ROOT.username)).toMatchObject(bound)
    await unbinds(page, name)
  }
  await linked.getByRole('button', { name: 'Bind WeChat' }).click()
  await page.getByRole('dialog').getByLabel('Verification code').fill('good')
  await page.keyboard.press('Enter')
  await expect(linked).toContainText('open-id')
  await unbinds(page, 'WeChat')
  expect(troubles).toEqual([])
  // The widget navigates the page to a fragment, about which the router warns.
  await linked.getByRole('button', { name: 'Bind Telegram' }).click()
  await page.getByRole('dialog').frameLocator('iframe').getByRole('button').click()
  await expect(linked).toContainText('42')
  await unbinds(page, 'Telegram')
  // A user without a password gets instructions, and the dialog is gone on the login page.
  await db.updateTable('sessions').set({ created_at: 1 }).where('user_id', '=', 1).execute()
  await linked.getByRole('button', { name: 'Bind GitHub' }).click()
  await expect(again).toContainText('No password?')
  await again.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${gateway.url}/login`)
  await expect(again).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Log in with GitHub' })).toBeVisible()
  const none = { github_id: '', oidc_id: '', linux_do_id: '', wechat_id: '', telegram_id: '' }
  expect(await row(ROOT.username)).toMatchObject(none)
})

async function unbinds(page: Page, name: string): Promise<void> {
  const linked = page.getByRole('list', { name: 'Linked accounts' })
  await linked.getByRole('button', { name: `Unbind ${name}` }).click()
  await page
    .getByRole('alertdialog', { name: `Unbind ${name}?` })
    .getByRole('button', { name: 'Unbind' })
    .click()
  await expect(linked.getByRole('button', { name: `Bind ${name}`, exact: true })).toBeVisible()
}
