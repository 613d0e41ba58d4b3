import { expect, type Frame, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
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

/** All that a browser stores of the console, as text: cookies, storages, databases, caches and the history entry. */
async function keptOf(page: Page): Promise<string> {
  const state = await page.context().storageState({ indexedDB: true })
  const more = await page.evaluate(async () => [{ ...sessionStorage }, history.state, name, await caches.keys()])
  return JSON.stringify([state, more])
}

const mayUse = (frame: Frame, feature: string) =>
  frame.evaluate(
    (name) =>
      (document as unknown as { featurePolicy: { allowsFeature(of: string): boolean } }).featurePolicy.allowsFeature(
        name,
      ),
    feature,
  )

test('a chat is shown in a frame once the user has confirmed that its host may have the key (docs/reference/screens.md#chat)', async ({
  page,
}) => {
  const referers = await aChatSite(page)
  await signIn(page, vendor.url)
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await menu.getByRole('button', { name: 'Chat' }).click()
  await menu.getByRole('link', { name: 'Our chat' }).click()
  await expect(page).toHaveURL(`${vendor.url}/chat/0`)
  await expect(menu).toHaveCount(0)
  const facts = page.locator('.chat-facts')
  await expect(facts).toContainText('chat.example')
  await expect(facts).toContainText('laptop')
  await page.emulateMedia({ colorScheme: 'light' })
  expect(referers).toEqual([])
  const steps = await page.evaluate(() => history.length)
  await page.getByRole('button', { name: 'Send key to chat.example' }).click()
  const frame = await frameOf(page)
  await expect
    .poll(() => decodeURI(frame.url()))
    .toBe(`https://chat.example/#/?settings={"key":"${key}","url":"${encodeURIComponent(vendor.url)}"}`)
  // Only the frame's address contains the key: not the page's address, title or storage. No history entry is created.
  expect(page.url()).toBe(`${vendor.url}/chat/0`)
  expect(await page.evaluate(() => history.length)).toBe(steps)
  expect(await page.title()).not.toContain('sk-')
  expect(await keptOf(page)).not.toContain(key.slice(3))
  expect(referers).toEqual([undefined])
  for (const said of [{ lang: 'en' }, { themeMode: 'light' }])
    await expect.poll(() => frame.evaluate('told')).toContainEqual([said, vendor.url])
  // The frame has its own storage, and cannot navigate this window.
  expect(await frame.evaluate(() => localStorage.setItem('own', 'yes') ?? origin)).toBe('https://chat.example')
  await frame.evaluate(() => top?.location.assign('https://elsewhere.example/')).catch(() => undefined)
  expect(page.url()).toBe(`${vendor.url}/chat/0`)
  expect([await mayUse(frame, 'microphone'), await mayUse(frame, 'camera')]).toEqual([false, false])
  // A confirmation is valid until the console is reloaded.
  await page.getByRole('link', { name: 'Home' }).click()
  await page.goBack()
  await frameOf(page)
  await put('ChatDevicesEnabled', 'true')
  await page.reload()
  await page.getByRole('button', { name: 'Send key to chat.example' }).click()
  const allowed = await frameOf(page)
  expect([await mayUse(allowed, 'microphone'), await mayUse(allowed, 'camera')]).toEqual([true, true])
  expect(await mayUse(allowed, 'geolocation')).toBe(false)
})
