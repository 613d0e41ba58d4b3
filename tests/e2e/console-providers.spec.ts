import { expect, type Page } from '@playwright/test'
import { dataOf, signedIn } from '../support/client.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './accessible.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { atProvider, QR_CODE } from './provider-acts.ts'
import { test } from './shared-browser.ts'
import { aStandIn, type StandIn, withTelegram } from './stand-ins.ts'
import { troublesOf } from './visitor.ts'

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
const saying = (page: Page, text: string) => page.getByText(text)
const row = (username: string) =>
  gateway.inner.db.selectFrom('users').selectAll().where('username', 'like', username).executeTakeFirstOrThrow()

test('by GitHub one gets an account and is led on; what came back counts once and leaves no trace (docs/reference/screens.md#login-by-others)', async ({
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
  await expect(saying(page, 'Login successful!')).toBeVisible()
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
    await fetch('/api/user/logout')
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
  await expect(saying(page, 'This login request is not valid or has expired. Start again.')).toBeVisible()
})
