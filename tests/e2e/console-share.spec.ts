import { expect } from '@playwright/test'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, textOf } from './visitor.ts'

/** A second address of this machine, in place of one on a network. */
const HERE = '127.0.0.2'
const machine = () => [{ name: 'test0', address: HERE, network: `${HERE}/8`, kind: 'private' as const }]

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor({ machine })
  await vendor.channel({ models: 'gpt-4o,gpt-4o-mini' })
})
test.afterAll(() => vendor.stop())

test('root shares the gateway, gives a guest a key, takes it back and stops sharing (docs/reference/screens.md#sharing)', async ({
  page,
  browser,
}) => {
  await signIn(page, vendor.url, '/setting')
  await page.getByRole('navigation', { name: 'Related pages' }).getByRole('link', { name: 'Network sharing' }).click()
  await expect(page.getByText('No device has called yet')).toBeVisible()

  // Without encryption, because the guest's browser does not trust the gateway's certificate authority.
  await page.getByLabel('Encrypt connections (TLS)').uncheck({ force: true })
  await expect(page.getByText('Without encryption, anyone on the network')).toBeVisible()
  await page.getByLabel('Port').fill('70000')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter a whole number from 1 to 65535')).toBeVisible()
  await page.getByLabel('Port').fill('')
  await page.getByLabel('Blocked addresses').fill('192.168.7.0/24, 10.9.9.9')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Sharing settings saved')).toBeVisible()
  await expect(page.getByLabel('Blocked addresses')).toHaveValue('192.168.7.0/24\n10.9.9.9')

  await page.getByLabel('Share on the local network').click({ force: true })
  const addresses = page.getByRole('list', { name: 'Addresses' })
  const url = `http://${HERE}:${new URL(vendor.url).port}`
  await expect(addresses.getByRole('img', { name: `QR code of ${url}` })).toBeVisible()
  await expect(addresses).toContainText('Reachable')

  await page.getByRole('button', { name: 'Guest key', exact: true }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Create' }).click()
  await expect(drawer).toContainText('Enter a name')
  await drawer.getByLabel('Name').fill('Ann’s phone')
  await drawer.getByLabel('Expires').selectOption('In one week')
  await drawer.getByRole('button', { name: 'Create' }).click()
  const made = page.getByRole('dialog', { name: 'Guest key “Ann’s phone”' })
  await expect(made.getByRole('img', { name: 'QR code that opens the guest key “Ann’s phone”' })).toBeVisible()
  const key = await textOf(made.getByText(/^sk-\w{48}$/), /^sk-\w{48}$/)
  await made.getByRole('button', { name: 'Close' }).click()
  const keys = page.getByRole('list', { name: 'Guest keys' })
  await expect(keys).toContainText('$1.00 left, $0.00 used')

  const guest = await (await browser.newContext()).newPage()
  const asked: string[] = []
  guest.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers().referer ?? '')}`))
  await guest.goto(`${url}/connect/guest#key=${key}`)
  await expect(guest.getByText('gpt-4o, gpt-4o-mini')).toBeVisible()
  await expect(guest).toHaveURL(`${url}/connect/guest`)
  await expect(guest.getByText(`OPENAI_BASE_URL=${url}/v1`)).toBeVisible()
  await expect(guest.getByText('$1.00 of $1.00')).toBeVisible()
  await guest.getByRole('button', { name: 'Send a test message' }).click()
  await expect(guest.getByRole('status')).toContainText('Hello')
  expect(asked.join()).not.toContain(key)
  expect(await guest.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(key)

  await keys.getByRole('button', { name: 'Revoke Ann’s phone' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(keys).toContainText('Revoked')
  await guest.reload()
  await expect(guest.getByText('No key in this link')).toBeVisible()
  await guest.goto(`${url}/connect/guest#key=${key}`)
  await expect(guest.getByText('The gateway does not accept this key')).toBeVisible()

  await page.getByRole('button', { name: 'Stop sharing now' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop sharing now' }).click()
  await expect(page.getByText('Only programs on this computer reach the gateway now.')).toBeVisible()
  await expect(guest.goto(url)).rejects.toThrow()
  await guest.context().close()
})
