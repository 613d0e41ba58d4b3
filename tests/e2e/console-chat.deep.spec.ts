import { expect, type Frame, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { holdTimers } from './held-timers.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
let key = ''
test.beforeAll(async () => {
  vendor = await servedVendor()
  dataOf(await vendor.root.post('/api/token', { name: 'laptop', unlimited_quota: true }))
  dataOf(await vendor.root.post('/api/token', { name: 'off', unlimited_quota: true }))
  const [off, laptop] = dataOf(await vendor.root.get('/api/token?p=0&size=100'))
  dataOf(await vendor.root.put('/api/token?status_only=true', { id: off.id, status: 2 }))
  key = `sk-${laptop.key}`
  await put('Chats', [
    { 'Our chat': 'https://chat.example/#/?settings={"key":"{key}","url":"{address}"}' },
    { 'A program': 'ama://set-api-key?server={address}&key={key}' },
    { 'Tells its key': 'https://{key}.example/' },
    { 'On this host': `${vendor.url}/chat-of-ours?key={key}` },
  ])
})
test.afterAll(() => vendor.stop())

const put = async (name: string, value: unknown) =>
  dataOf(
    await vendor.root.put('/api/option', {
      key: name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    }),
  )

/** The chat's site: stores the keys it receives, and the referring page. */
async function aChatSite(page: Page): Promise<(string | undefined)[]> {
  const referers: (string | undefined)[] = []
  const script = 'window.told = []; addEventListener("message", ({ data, origin }) => told.push([data, origin]))'
  await page.route('https://chat.example/**', (route) => {
    referers.push(route.request().headers().referer)
    return route.fulfill({ contentType: 'text/html', body: `<!doctype html><p>A chat</p><script>${script}</script>` })
  })
  return referers
}

const frameOf = async (page: Page): Promise<Frame> => {
  await expect(page.frameLocator('iframe.chat-frame').locator('p')).toHaveText('A chat')
  const frame = page.frames().find((one) => one.url().startsWith('https://chat.example/'))
  if (!frame) throw new Error('the chat is in no frame')
  return frame
}

test('a chat opens links in separate tabs, which cannot navigate the console (docs/reference/security.md#chat-frames)', async ({
  page,
}) => {
  const lead =
    'for (const one of [window.opener, window.opener?.top, window.top]) try { one.location = "https://led.example/" } catch {}'
  const html = (body: string) => ({ contentType: 'text/html', body: `<!doctype html>${body}` })
  await page.context().route('https://popup.example/**', (route) => route.fulfill(html(`<script>${lead}</script>`)))
  await page.context().route('https://led.example/**', (route) => route.fulfill(html('<p>Led</p>')))
  await page.route('https://chat.example/**', (route) =>
    route.fulfill(
      html(`<p>A chat</p><a id=top target=_top href="https://led.example/">Top</a>
        <a id=parent target=_parent href="https://led.example/">Parent</a>
        <a id=tab target=_blank rel=opener href="https://popup.example/">Tab</a>`),
    ),
  )
  await signIn(page, vendor.url, '/chat/0')
  await page.getByRole('button', { name: 'Send key to chat.example' }).click()
  const frame = await frameOf(page)
  for (const id of ['top', 'parent']) await frame.locator(`#${id}`).click()
  const [tab] = await Promise.all([page.waitForEvent('popup'), frame.locator('#tab').click()])
  await expect(tab).toHaveURL('https://led.example/')
  expect(page.url()).toBe(`${vendor.url}/chat/0`)
  await expect(page.locator('iframe.chat-frame')).toBeVisible()
})

test('a chat that this very origin serves has neither that origin nor windows without the sandbox (docs/reference/security.md#chat-frames)', async ({
  page,
}) => {
  await signIn(page, vendor.url, '/chat/3')
  await page.getByRole('button', { name: /^Send key to/ }).click()
  const frame = page.locator('iframe.chat-frame')
  await expect(frame).toHaveAttribute('sandbox', /allow-scripts/)
  await expect(frame).not.toHaveAttribute('sandbox', /allow-same-origin|escape-sandbox/)
})

test('a program opens outside, a broken link is reported, and without a token the page leads to the tokens', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.open = (url) => {
      document.documentElement.dataset.opened = String(url)
      return null
    }
  })
  await signIn(page, vendor.url, '/chat/1')
  await page.getByRole('button', { name: 'Send key to ama:' }).click()
  const opened = `ama://set-api-key?server=${encodeURIComponent(vendor.url)}&key=${key}`
  await expect(page.locator('html')).toHaveAttribute('data-opened', opened)
  await page.evaluate(() => delete document.documentElement.dataset.opened)
  await page.getByRole('button', { name: 'Open A program again' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-opened', opened)
  await expect(page.locator('iframe')).toHaveCount(0)
  for (const place of ['2', '9', 'x']) {
    await page.goto(`${vendor.url}/chat/${place}`)
    await expect(page.getByRole('alert')).toContainText('The chat link is misconfigured. Contact the administrator.')
  }
  await page.route('**/api/token?p=0&size=100', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto(`${vendor.url}/chat`)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute('**/api/token?p=0&size=100')
  await again.click()
  await expect(page.getByRole('button', { name: 'Send key to chat.example' })).toBeVisible()
  await page.route('**/api/token?p=0&size=100', async (route) => {
    const answer = await (await route.fetch()).json()
    const data = answer.data.map((one: object) => ({ ...one, status: 2 }))
    await route.fulfill({ json: { ...answer, data } })
  })
  const endTimers = await holdTimers(page)
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('You have no enabled API token. Enable or create one first.')
  await expect.poll(() => endTimers(1500)).toBe(1)
  await expect(page).toHaveURL(`${vendor.url}/token`)
  await expect(page.getByText('You have no enabled API token. Enable or create one first.')).toBeVisible()
  await page.route('**/api/status', async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, data: { ...answer.data, chats: { one: 1 } } } })
  })
  await page.goto(`${vendor.url}/token`)
  await expect(page.getByText('Chat data could not be parsed').first()).toBeVisible()
})

test('in the desktop’s window no site of others is shown: chats open in the browser', async ({ page }) => {
  await page.addInitScript(() => {
    const nothing = async () => null
    Object.assign(window, {
      desktop: { platform: 'linux', ticket: nothing, handover: nothing, openPersonal: () => {} },
    })
    window.open = (url) => {
      document.documentElement.dataset.opened = String(url)
      return null
    }
  })
  await signIn(page, vendor.url, '/chat/0')
  await page.getByRole('button', { name: 'Send key to chat.example' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-opened', /^https:\/\/chat\.example\/#\/\?settings=.*sk-/)
  await expect(page.getByText('This chat opens in a window of your browser.')).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
})

test('the operator’s link is gone to with key and address, where there is one', async ({ page }) => {
  await aChatSite(page)
  await signIn(page, vendor.url, '/chat2link')
  await expect(page.getByRole('alert')).toContainText('No chat link is configured. Ask the administrator to add one.')
  await page.getByRole('alert').getByRole('link', { name: 'System settings' }).click()
  await expect(page.getByRole('textbox', { name: 'Chat link' })).toBeVisible()
  await put('ChatLink', 'https://chat.example/app/')
  await page.goto(`${vendor.url}/token`)
  await page.goto(`${vendor.url}/chat2link`)
  await page.getByRole('button', { name: 'Send key to chat.example' }).click()
  await page.waitForURL('https://chat.example/**')
  expect(decodeURI(page.url())).toBe(
    `https://chat.example/app/#/?settings={"key":"${key}","url":"${encodeURIComponent(vendor.url)}"}`,
  )
  await page.goBack()
  await expect(page).toHaveURL(`${vendor.url}/token`)
  await put('ChatLink', '')
})
