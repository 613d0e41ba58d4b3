import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { aClient, dataOf } from '../support/client.ts'
import { ROOT } from './gateway.ts'
import { onEmptyPage } from './shared-browser.ts'

/**
 * Collects the page's logged errors and warnings, and its exceptions; a test expects the list to be empty at its end.
 */
export function troublesOf(page: Page): string[] {
  const troubles: string[] = []
  page.on('console', (message) => {
    // On a busy machine the page uses its preloads later than the browser expects.
    if (message.text().includes('was preloaded using link preload but not used within a few seconds')) return
    if (['error', 'warning'].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  return troubles
}

/** Lists have ten rows a page, unless the test chooses another size. */
export const showTenRows = (page: Page): Promise<unknown> =>
  page.addInitScript(() => localStorage.getItem('page-size') ?? localStorage.setItem('page-size', '10'))

/** Logs the administrator in through the login page and waits for the next page. */
export async function signInByHand(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await logIn(page)
  await expect(page).toHaveURL(`${url}/detail`)
}

/** Fills in and submits the login page as the administrator. */
export async function logIn(page: Page): Promise<void> {
  await page.locator('[name=username]').fill(ROOT.username)
  await page.locator('[name=password]').fill(ROOT.password)
  await page.locator('form button[type=submit]').click()
}

/** Opens a page as the logged-in administrator: the browser gets the state that the login page would have left. */
export async function signIn(page: Page, url: string, path = '/token'): Promise<void> {
  await holdSession(page.context(), url)
  await page.goto(url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/**
 * Gives a browser the session of the administrator or of a user with the same password: its cookie and the stored user,
 * before the first page is loaded.
 */
export async function holdSession(
  context: BrowserContext,
  url: string,
  username: string = ROOT.username,
): Promise<void> {
  const reply = await aClient(url).post('/api/user/login', { ...ROOT, username })
  const user = JSON.stringify(dataOf(reply))
  for (const line of reply.headers.getSetCookie()) {
    const [name = '', value = ''] = line.split(';', 1).join().split('=')
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }])
  }
  await onEmptyPage(context, url, (page) => page.evaluate((who) => localStorage.setItem('user', who), user))
}

/** Presses Escape in a dialog or drawer once it has the focus: earlier, the key would do nothing. */
export async function pressEscape(page: Page): Promise<void> {
  await page.locator('.bp6-overlay-open:focus-within').first().waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
}

/** The text that a button copies to the clipboard, where it arrives a moment after the click. */
export async function copiedBy(page: Page, copy: Locator): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await copy.click()
  const text = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(text).not.toBe('')
  return text()
}

/** The text of an element, once it matches. */
export async function textOf(element: Locator, expected: RegExp): Promise<string> {
  let text = ''
  await expect(async () => {
    text = await element.innerText({ timeout: 1000 })
    expect(text).toMatch(expected)
  }).toPass()
  return text
}

/**
 * Clicks a check box, a switch or a radio button on its label, as a user would, because the drawn control covers the
 * input.
 */
export async function tick(input: Locator, isOn = true): Promise<void> {
  await input.locator('xpath=ancestor::label[1]').click()
  await expect(input).toBeChecked({ checked: isOn })
}
