import { expect, type Page } from '@playwright/test'
import { type Client, dataOf, signedIn } from '../support/client.ts'
import { expectAccessible } from './accessible.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { aStandIn, type StandIn, widgetScript } from './stand-ins.ts'
import { signIn, tick, troublesOf } from './visitor.ts'

const message = 'This site is for demonstration only, no server!'
let verifier: StandIn
let gateway: ServedConsole
let root: Client
test.beforeEach(async () => {
  // A token names the site key that issued it; a secret key matches the site key of the same number.
  verifier = await aStandIn((body) => {
    const form = new URLSearchParams(body)
    const number = /^token-of-site-(\d)-/.exec(form.get('response') ?? '')?.[1]
    return { success: number !== undefined && form.get('secret') === `secret-${number}` }
  })
  gateway = await readyGateway({ verifyUrl: verifier.url })
  root = await signedIn(gateway.url, ROOT.username, ROOT.password)
})
test.afterEach(async () => {
  await gateway.stop()
  await verifier.stop()
})

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const set = async (key: string, value: unknown) => dataOf(await root.put('/api/option', { key, value }))
const inForce = (key: Parameters<typeof gateway.inner.settings.get>[0]) => gateway.inner.settings.get(key)
const withWidget = (page: Page) =>
  page.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: widgetScript }),
  )

test('each switch is saved when it is clicked; one that is refused falls back and shows the reason', async ({
  page,
}) => {
  await signIn(page, gateway.url, '/setting?tab=system')
  const login = panelOf(page, 'Login and registration')
  await tick(login.getByLabel('New registrations', { exact: true }), false)
  await expect(page.getByText('Update succeeded')).toBeVisible()
  expect(inForce('RegisterEnabled')).toBe(false)
  const github = login.getByLabel('Login with GitHub', { exact: true })
  await github.locator('xpath=ancestor::label[1]').click()
  await expect(login.getByText(/Cannot turn on Login with GitHub/)).toBeVisible()
  await expect(github).not.toBeChecked()
})

test('turning password login off needs a confirmation; cancelling leaves it on', async ({ page }) => {
  await signIn(page, gateway.url, '/setting?tab=system')
  const login = panelOf(page, 'Login and registration')
  const password = login.getByLabel('Password login', { exact: true })
  const label = password.locator('xpath=ancestor::label[1]')
  const question = page.getByRole('alertdialog', { name: 'Turn off password login?' })
  await label.click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(password).toBeChecked()
  await label.click()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Turn off' }).click()
  await expect(login.getByText(/Password login cannot be turned off/)).toBeVisible()
  await expect(password).toBeChecked()
  expect(inForce('PasswordLoginEnabled')).toBe(true)
})

test('the human check is proven by its widget before it is on, and the login page then has it', async ({ page }) => {
  const troubles = troublesOf(page)
  await withWidget(page)
  await set('TurnstileSiteKey', 'site-1')
  await set('TurnstileSecretKey', 'secret-2')
  await signIn(page, gateway.url, '/setting?tab=system')
  const login = panelOf(page, 'Login and registration')
  const check = login.getByLabel('Turnstile human verification', { exact: true })
  await check.locator('xpath=ancestor::label[1]').click()
  await expect(login.getByText(/so nothing was saved. Check both keys/)).toBeVisible()
  await expect(check).not.toBeChecked()
  await panelOf(page, 'Turnstile').getByLabel('Turnstile secret key', { exact: true }).fill('secret-1')
  await panelOf(page, 'Turnstile').getByRole('button', { name: 'Save Turnstile' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  await check.locator('xpath=ancestor::label[1]').click()
  await expect(check).toBeChecked()
  await expect.poll(() => inForce('TurnstileCheckEnabled')).toBe(true)

  await page.context().clearCookies()
  await page.evaluate(() => localStorage.removeItem('user'))
  await page.goto(`${gateway.url}/login`)
  await expect(page.frameLocator('iframe[title="Human verification"]').getByText('verified site-1')).toBeVisible()
  await page.locator('[name=username]').fill(ROOT.username)
  await page.locator('[name=password]').fill(ROOT.password)
  await expect(async () => {
    await page.locator('form button[type=submit]').click()
    await expect(page).toHaveURL(`${gateway.url}/detail`, { timeout: 2000 })
  }).toPass()
  expect(troubles.filter((line) => line.includes('Content Security Policy'))).toEqual([])
})

test('keys in use are exchanged with proof of both, and another administrator’s keys only after a confirmation', async ({
  page,
}) => {
  await withWidget(page)
  await set('TurnstileSiteKey', 'site-1')
  await set('TurnstileSecretKey', 'secret-1')
  await gateway.inner.settings.set('TurnstileCheckEnabled', 'true')
  await signInByToken(page)
  const panel = panelOf(page, 'Turnstile')
  await expect(panel.getByText('Human verification is on.')).toBeVisible()
  await panel.getByLabel('Turnstile site key', { exact: true }).fill('site-2')
  await panel.getByLabel('Turnstile secret key', { exact: true }).fill('secret-2')
  await panel.getByRole('button', { name: 'Save Turnstile' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  expect([inForce('TurnstileSiteKey'), inForce('TurnstileSecretKey')]).toEqual(['site-2', 'secret-2'])
  await panel.getByLabel('Turnstile site key', { exact: true }).fill('site-4')
  await panel.getByLabel('Turnstile secret key', { exact: true }).fill('secret-4')
  await gateway.inner.settings.set('TurnstileSiteKey', 'site-3')
  await panel.getByRole('button', { name: 'Save Turnstile' }).click()
  const conflict = page.getByRole('dialog', { name: 'Changed in the meantime' })
  await expect(conflict).toContainText('site-3')
  expect(inForce('TurnstileSiteKey')).toBe('site-3')
  await tick(conflict.getByRole('radio', { name: 'Save mine' }))
  await conflict.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => [inForce('TurnstileSiteKey'), inForce('TurnstileSecretKey')]).toEqual(['site-4', 'secret-4'])
})

test('a widget that cannot be loaded is reported, and nothing is saved', async ({ page }) => {
  await page.route('https://challenges.cloudflare.com/**', (route) => route.abort())
  await set('TurnstileSiteKey', 'site-1')
  await set('TurnstileSecretKey', 'secret-1')
  await signIn(page, gateway.url, '/setting?tab=system')
  const login = panelOf(page, 'Login and registration')
  await login.getByLabel('Turnstile human verification', { exact: true }).locator('xpath=ancestor::label[1]').click()
  const dialog = page.getByRole('dialog', { name: 'Verify the keys' })
  await expect(dialog.getByText(/Human verification could not be loaded/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(login.getByLabel('Turnstile human verification', { exact: true })).not.toBeChecked()
})

test('a site for demonstration has its badge, and shows everyone but root a notice at a change', async ({ page }) => {
  await set('DemoSiteEnabled', true)
  await signIn(page, gateway.url, '/setting?tab=system')
  await expect(page.getByText('Demo site', { exact: true }).first()).toBeVisible()
  await page.route('**/api/option', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 405, json: { success: false, message } })
      : route.fallback(),
  )
  await panelOf(page, 'Login and registration')
    .getByLabel('New registrations', { exact: true })
    .locator('xpath=ancestor::label[1]')
    .click()
  await expect(page.getByText(message).first()).toBeVisible()
})

/** Logs in while the human verification is on, with a token that the verifier accepts. */
async function signInByToken(page: Page): Promise<void> {
  await page.goto(`${gateway.url}/login`)
  await page.locator('[name=username]').fill(ROOT.username)
  await page.locator('[name=password]').fill(ROOT.password)
  await expect(async () => {
    await page.locator('form button[type=submit]').click()
    await expect(page).toHaveURL(`${gateway.url}/detail`, { timeout: 2000 })
  }).toPass()
  await page.goto(`${gateway.url}/setting?tab=system`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}
