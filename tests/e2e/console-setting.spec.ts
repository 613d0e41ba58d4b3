import { expect, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, tick } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function storedIn(key: string): Promise<string | undefined> {
  const list = dataOf(await vendor.root.get('/api/option')) as { key: string; value: string }[]
  return list.find((one) => one.key === key)?.value
}

/** The option keys that the page sends, in order. */
function sentBy(page: Page): string[] {
  const keys: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/api/option')) keys.push(request.postDataJSON().key)
  })
  return keys
}

test('only changes are sent, flags first; without changes a notice is shown and nothing is sent', async ({ page }) => {
  await signIn(page, vendor.url, '/setting')
  const sent = sentBy(page)
  const general = panelOf(page, 'General')
  await general.getByRole('button', { name: 'Save General' }).click()
  await expect(page.getByText("You don't seem to have changed anything")).toBeVisible()
  await general.getByLabel('Retries on failure', { exact: true }).fill('4')
  await general.getByLabel('Docs address').fill('https://docs.example.com/')
  await tick(general.getByLabel('Collapse sidebar by default'))
  await general.getByRole('button', { name: 'Save General' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  expect(sent[0]).toBe('DefaultCollapseSidebar')
  expect(sent.toSorted()).toEqual(['DefaultCollapseSidebar', 'RetryTimes', 'general_setting.docs_link'])
  expect(await storedIn('RetryTimes')).toBe('4')
  await expect(general.getByText('unsaved')).toHaveCount(0)
})

test('a secret is sent only when typed, never shown, and removed on request', async ({ page }) => {
  await signIn(page, vendor.url, '/setting?tab=system')
  const sent = sentBy(page)
  const smtp = panelOf(page, 'SMTP')
  const secret = smtp.getByLabel('SMTP credential', { exact: true })
  await secret.fill('mail-pass')
  await secret.fill('')
  await smtp.getByRole('button', { name: 'Save SMTP' }).click()
  await expect(page.getByText("You don't seem to have changed anything")).toBeVisible()
  await expect(secret).toHaveAttribute('placeholder', 'Not set')
  await secret.fill('mail-pass')
  await smtp.getByRole('button', { name: 'Save SMTP' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  await expect(secret).toHaveValue('')
  await expect(secret).toHaveAttribute('placeholder', 'Stored. Not shown again.')
  expect(vendor.inner.settings.get('SMTPToken')).toBe('mail-pass')
  await smtp.getByRole('button', { name: 'Remove the stored value of SMTP credential' }).click()
  await smtp.getByRole('button', { name: 'Save SMTP' }).click()
  await expect.poll(() => vendor.inner.settings.get('SMTPToken')).toBe('')
  expect(sent).toEqual(['SMTPToken', 'SMTPToken'])
})
