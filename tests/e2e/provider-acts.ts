import { createHash, createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { statusSays } from './entry-acts.ts'
import { TELEGRAM_SCRIPT } from './stand-ins.ts'

/**
 * Replaces a provider's page by one that immediately redirects the browser to this address; returns the parameters it
 * was opened with.
 */
export async function atProvider(
  page: Page,
  authorize: string,
  back: string,
  answer: Readonly<Record<string, string>>,
): Promise<URL[]> {
  const asked: URL[] = []
  await page.route(
    (url) => url.href.startsWith(authorize),
    async (route) => {
      const url = new URL(route.request().url())
      asked.push(url)
      const query = new URLSearchParams({ ...answer, state: url.searchParams.get('state') ?? '' })
      await route.fulfill({ status: 302, headers: { location: `${back}?${query}` } })
    },
  )
  return asked
}

export const QR_CODE = 'https://images.example.com/qr.svg'
const qrCode = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 5"><path d="M0 0h2v2H0zM3 0h2v2H3zM0 3h2v2H0zM3 3h1v1H3zM4 4h1v1H4z"/></svg>`

/** Serves the image of the QR code at its address. */
export const withQrCode = (page: Page) =>
  page.route(QR_CODE, (route) => route.fulfill({ contentType: 'image/svg+xml', body: qrCode }))

/** Fields of Telegram's widget with its signature. */
export function signedByTelegram(fields: Record<string, string>, token: string): string {
  const said = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const key = createHash('sha256').update(token).digest()
  const hash = createHmac('sha256', key).update(said.sort().join('\n')).digest('hex')
  return new URLSearchParams({ ...fields, hash }).toString()
}

/** Enables every login method, with a fake script for Telegram, which the browser may run. */
export async function withProviders(page: Page): Promise<void> {
  await withQrCode(page)
  // Not a frame of another host, which axe could not examine.
  const button = `<body style="margin:0"><button style="width:238px;height:40px">Log in with Telegram</button>`
  const frame = `Object.assign(document.createElement('iframe'), { srcdoc: '<html lang="en">${button}', width: 238, height: 40 })`
  await page.route(TELEGRAM_SCRIPT, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `document.currentScript.before(${frame})` }),
  )
  await page.route(/\/(login|register|personal)(\?|$)/, async (route) => {
    const response = await route.fetch()
    const { 'content-security-policy': _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await statusSays({
    github_oauth: true,
    github_client_id: 'client-1',
    oidc_enabled: true,
    oidc_client_id: 'client-2',
    oidc_authorization_endpoint: 'https://login.example.com/authorize',
    linuxdo_oauth: true,
    linuxdo_client_id: 'client-3',
    wechat_login: true,
    wechat_qrcode: QR_CODE,
    telegram_oauth: true,
    telegram_bot_name: 'switchyard_bot',
  })(page)
}

/** Waits for the button in Telegram's frame. */
export const seeTelegram = (page: Page) => page.frameLocator('.telegram-field iframe').getByRole('button').waitFor()

export async function openWechat(page: Page): Promise<void> {
  await page.locator('.provider-row-buttons button').last().click()
  await page.locator('.wechat-dialog img').waitFor()
}

/** Sends an empty code, and then one that is refused. */
export async function sendWrongCode(page: Page): Promise<void> {
  await openWechat(page)
  const field = page.locator('.wechat-dialog [name=code]')
  await field.press('Enter')
  await field.fill('0000')
  await field.press('Enter')
  await page.locator('.wechat-dialog .bp6-callout').waitFor()
}

/**
 * The only address at which `inDesktop` makes the page behave as in the desktop program's window, without a response to
 * its prompts. Scripts added to a page cannot be removed, so all other addresses act as in a browser.
 */
export const DESKTOP_LOGIN = '/login?in=desktop'
export async function inDesktop(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const begun = { id: 'an-id', verifier: 'a-verifier' }
    const desktop = { platform: 'linux', ticket: async () => null, handover: async () => begun, openPersonal() {} }
    if (location.search === '?in=desktop') Object.assign(globalThis, { desktop })
  })
  await page.route(/\/api\/user\/handover/, (route) =>
    route.fulfill({ json: { success: true, message: '', data: null } }),
  )
}

/** Presses the button that opens the browser. */
export const askBrowser = (page: Page) => page.locator('.provider-row button').click()
