import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { aStandIn, type StandIn } from './stand-ins.ts'
import { signIn } from './visitor.ts'

let verifier: StandIn
let gateway: ServedConsole
test.beforeEach(async () => {
  // A token names the site key that gave it; a secret key holds for the site key of the same number.
  verifier = await aStandIn((body) => {
    const form = new URLSearchParams(body)
    const number = /^token-of-site-(\d)-/.exec(form.get('response') ?? '')?.[1]
    return { success: number !== undefined && form.get('secret') === `secret-${number}` }
  })
  gateway = await readyGateway({ verifyUrl: verifier.url })
})
test.afterEach(async () => {
  await gateway.stop()
  await verifier.stop()
})

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const inForce = (key: Parameters<typeof gateway.inner.settings.get>[0]) => gateway.inner.settings.get(key)

test('turning password login off is asked about; cancelling leaves it on', async ({ page }) => {
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
