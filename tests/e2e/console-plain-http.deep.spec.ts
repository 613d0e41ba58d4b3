import { type Browser, chromium, expect, test } from '@playwright/test'
import { chatStream } from '../support/chat.ts'
import { chromiumLaunch } from './chromium.ts'
import { screens } from './screens.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { logIn, signInByHand, troublesOf } from './visitor.ts'

/** A name of the local network: browsers trust its pages over plain HTTP less than those of loopback. */
const NAME = 'gateway.lan'

let vendor: ServedVendor
let browser: Browser
let url: string
test.beforeAll(async () => {
  vendor = await servedVendor({ environment: { ALLOWED_HOSTS: NAME } })
  await vendor.channel({ models: 'gpt-4o,gpt-4o-mini' })
  const launch = chromiumLaunch()
  browser = await chromium.launch({ ...launch, args: [...launch.args, `--host-resolver-rules=MAP ${NAME} 127.0.0.1`] })
  url = vendor.url.replace('127.0.0.1', NAME)
})
test.afterAll(async () => {
  await browser.close()
  await vendor.stop()
})

/** At such an address the browser reports that it ignores one header. */
const isOurs = (trouble: string) => !trouble.includes('The Cross-Origin-Opener-Policy header has been ignored')

/** The console's pages, once each, for a user who is logged in. */
const paths = new Set(screens.flatMap(({ path, isSignedIn }) => (isSignedIn ? [path.replace(/[?#].*/, '')] : [])))

test('every page works at an address of the local network over plain http (docs/reference/share.md)', async () => {
  test.setTimeout(30_000 + 5000 * paths.size)
  const page = await browser.newPage()
  const troubles = troublesOf(page)
  await signInByHand(page, url)
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
  for (const path of paths) {
    await page.goto(url + path)
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
    await page.waitForFunction(() => !document.querySelector('main .bp6-skeleton'))
    expect(troubles.filter(isOurs), path).toEqual([])
  }
  await page.close()
})

test('the playground answers and stores its conversation there, and a text can be copied', async () => {
  const page = await browser.newPage()
  const troubles = troublesOf(page)
  await signInByHand(page, url)
  vendor.upstream.streams(chatStream(['An ', 'answer']))
  await page.goto(`${url}/playground`)
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await expect(page.getByRole('log')).toContainText('An answer')
  await page.getByRole('button', { name: 'Copy' }).last().click()
  await expect(page.locator('.bp6-toast').filter({ hasText: 'Copied' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('log')).toContainText('An answer')
  expect(troubles.filter(isOurs)).toEqual([])
  await page.close()
})

test('the playground shows that the login has expired, and a login leads back to it without that', async () => {
  const page = await browser.newPage()
  await page.goto(`${url}/playground?expired=true`)
  await expect(page).toHaveURL(`${url}/login?expired=true&next=%2Fplayground`)
  await logIn(page)
  await expect(page).toHaveURL(`${url}/playground`)
  await page.goto(`${url}/playground?expired=true`)
  await expect(page.getByRole('alert')).toHaveText('Not logged in or login expired, please log in again')
  await page.close()
})
