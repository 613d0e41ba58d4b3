import { expect as expectAtOnce, type Page } from '@playwright/test'
import { aProgram, type Program } from '../desktop/program.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './accessible.ts'
import { ROOT } from './gateway.ts'
import { atProvider } from './provider-acts.ts'
import { test } from './shared-browser.ts'
import { aStandIn, type StandIn } from './stand-ins.ts'

/** Each test starts a program and its own browser. */
const expect = expectAtOnce.configure({ timeout: 30_000 })
test.describe.configure({ timeout: 300_000 })
/** The program ends its browser itself; a trace in progress would count that as a failure of the next test. */
test.use({ trace: 'off', screenshot: 'off' })

const AUTHORIZE = 'https://login.example.com/authorize'

let provider: StandIn
let program: Program
let gatewayWindow: Page
let origin: string
test.beforeEach(async () => {
  provider = await aStandIn((_, path) =>
    path.includes('token')
      ? { access_token: 'a-token', token_type: 'bearer' }
      : { sub: 'sub-bob', preferred_username: 'bob', name: 'Bob', email: 'bob@example.com' },
  )
  program = await aProgram({ environment: { SWITCHYARD_MASTER_KEY: 'ab'.repeat(32) } })
  gatewayWindow = await program.page('http://127.0.0.1:')
  origin = new URL(gatewayWindow.url()).origin
  await gatewayWindow.locator('[name=username]').fill(ROOT.username)
  await gatewayWindow.locator('[name=password]').fill(ROOT.password)
  await gatewayWindow.locator('[name=confirmPassword]').fill(ROOT.password)
  await gatewayWindow.getByText('Several users', { exact: true }).click()
  await gatewayWindow.getByRole('button', { name: 'Finish setup' }).click()
  await expect(gatewayWindow).not.toHaveURL(/setup/)
  const changes = Object.entries({
    'oidc.client_id': 'client-2',
    'oidc.client_secret': 'secret-2',
    'oidc.authorization_endpoint': AUTHORIZE,
    'oidc.token_endpoint': `${provider.url}/token`,
    'oidc.user_info_endpoint': `${provider.url}/me`,
    'oidc.enabled': 'true',
  }).map(([key, value]) => ({ key, value }))
  expect(await gatewayWindow.evaluate(change, { root: ROOT, changes })).toBe(true)
})
test.afterEach(async () => {
  await program.stop()
  await provider.stop()
})

type Wanted = Readonly<{ root: typeof ROOT; changes: readonly object[] }>

/** Runs in the page: the administrator logs in, changes settings and logs out. */
async function change({ root, changes }: Wanted): Promise<boolean> {
  const call = async (method: string, path: string, body?: object, id = -1) => {
    const headers = { 'content-type': 'application/json', 'new-api-user': String(id) }
    return (await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json()
  }
  const { data } = await call('POST', '/api/user/login', root)
  const { success } = await call('PUT', '/api/option/batch', { changes }, data.id)
  await call('GET', '/api/user/logout')
  return success
}

/** The address that the program has most recently opened in the system's browser. */
const opened = () => program.reports.flatMap((said) => ('opened' in said ? [said.opened] : [])).at(-1) ?? ''
const browserLogin = (page: Page) => page.getByRole('button', { name: 'Log in with your browser' })
const inWindow = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null')?.username)

/** Presses the button in the window and follows the address opened in the system's browser. */
async function followToBrowser(browser: Page): Promise<void> {
  const before = program.reports.length
  await browserLogin(gatewayWindow).click()
  await expect.poll(() => program.reports.slice(before).length).toBeGreaterThan(0)
  await browser.goto(opened())
}

test('the window logs in by a provider in the system’s browser, and is signed in once that is confirmed there (docs/reference/accounts.md#hand-over-to-the-desktop)', async ({
  page: browser,
}) => {
  await gatewayWindow.goto(`${origin}/login?next=%2Flog`)
  await expect(browserLogin(gatewayWindow)).toBeVisible()
  await expect(gatewayWindow.getByRole('button', { name: 'Log in with OIDC' })).toHaveCount(0)
  await expectAccessibleInBothThemes(gatewayWindow, 'main')
  await atProvider(browser, AUTHORIZE, `${origin}/oauth/oidc`, { code: 'code-1' })
  await followToBrowser(browser)
  expect(new URL(opened()).origin).toBe(origin)
  await expect(gatewayWindow.getByText('Log in with the browser that has just opened')).toBeVisible()
  await expectAccessible(gatewayWindow, 'main')
  await browser.getByRole('button', { name: 'Log in with OIDC' }).click()
  await expect(browser.getByRole('heading', { level: 1 })).toHaveText('Log in to the Switchyard app as Bob?')
  await expectAccessibleInBothThemes(browser, 'main')
  expect(await inWindow(gatewayWindow), 'not before it is confirmed').toBeUndefined()
  await browser.getByRole('button', { name: 'Log in to the app' }).click()
  await expect(browser.getByRole('heading', { level: 1 })).toHaveText('The app is logged in')
  await expect(gatewayWindow).toHaveURL(`${origin}/log`)
  await expect.poll(() => inWindow(gatewayWindow)).toBe('bob')
  await expect(gatewayWindow.getByRole('heading', { level: 1 })).toHaveText('Usage logs')

  await gatewayWindow.goto(`${origin}/personal`)
  await expect(gatewayWindow.getByText('Accounts are bound in your browser')).toBeVisible()
  await gatewayWindow.getByRole('button', { name: 'Login history' }).click()
  await expect(gatewayWindow.getByRole('dialog').getByRole('listitem').first()).toContainText('Desktop app, by browser')
  await browser.goto(`${origin}/handover?id=${'x'.repeat(43)}`)
  await browser.getByRole('button', { name: 'Log in to the app' }).click()
  await expect(browser.getByRole('main').getByRole('alert')).toHaveText(/has expired or was already used/)
})

test('it is cancelled in the window, started again, and confirmed by another account', async ({ page: browser }) => {
  await gatewayWindow.goto(`${origin}/login`)
  await followToBrowser(browser)
  const first = opened()
  await gatewayWindow.getByRole('button', { name: 'Cancel' }).click()
  await expect(browserLogin(gatewayWindow)).toBeVisible()
  await browser.locator('[name=username]').fill(ROOT.username)
  await browser.locator('[name=password]').fill(ROOT.password)
  await browser.keyboard.press('Enter')
  await browser.getByRole('button', { name: 'Log in to the app' }).click()
  await expect(browser.getByRole('main').getByRole('alert')).toHaveText(/has expired or was already used/)
  await followToBrowser(browser)
  expect(opened()).not.toBe(first)
  await expect(browser.getByRole('heading', { level: 1 })).toHaveText('Log in to the Switchyard app as root?')
  await atProvider(browser, AUTHORIZE, `${origin}/oauth/oidc`, { code: 'code-1' })
  await browser.getByRole('button', { name: 'Use another account' }).click()
  await browser.getByRole('button', { name: 'Log in with OIDC' }).click()
  await expect(browser.getByRole('heading', { level: 1 })).toHaveText('Log in to the Switchyard app as Bob?')
  await browser.getByRole('button', { name: 'Log in to the app' }).click()
  await expect(gatewayWindow).toHaveURL(`${origin}/detail`)
  await gatewayWindow.goto(`${origin}/personal`)
  await gatewayWindow.getByRole('button', { name: 'Account: Bob' }).waitFor()
})

test('accounts are bound in the system’s browser, at the page that the window had', async () => {
  await gatewayWindow.goto(`${origin}/login`)
  await gatewayWindow.locator('[name=username]').fill(ROOT.username)
  await gatewayWindow.locator('[name=password]').fill(ROOT.password)
  await gatewayWindow.keyboard.press('Enter')
  await expect(gatewayWindow).toHaveURL(`${origin}/detail`)
  await gatewayWindow.goto(`${origin}/personal`)
  await gatewayWindow.getByRole('button', { name: 'Bind OIDC' }).click()
  await expect.poll(opened).toBe(`${origin}/personal`)
  expect(gatewayWindow.url()).toBe(`${origin}/personal`)
})
