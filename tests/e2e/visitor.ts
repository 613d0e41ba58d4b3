import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { aClient, dataOf } from '../support/client.ts'
import { ROOT } from './gateway.ts'
import { onEmptyPage } from './shared-browser.ts'

/** Collects what a page logs as error or warning, and what it throws; a test ends with the list empty. */
export function troublesOf(page: Page): string[] {
  const troubles: string[] = []
  page.on('console', (message) => {
    // What a page has asked for ahead, a busy machine comes to later than the browser waits.
    if (message.text().includes('was preloaded using link preload but not used within a few seconds')) return
    if (['error', 'warning'].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  return troubles
}

/** Signs the administrator in through the login page and waits for the landing. */
export async function signInByHand(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await logIn(page)
  await expect(page).toHaveURL(`${url}/token`)
}

/** Fills in the login page as the administrator and sends it. */
export async function logIn(page: Page): Promise<void> {
  await page.locator('[name=username]').fill(ROOT.username)
  await page.locator('[name=password]').fill(ROOT.password)
  await page.locator('form button[type=submit]').click()
}

/** Opens a page with the administrator signed in: the browser gets what the login page would have left it with. */
export async function signIn(page: Page, url: string, path = '/token'): Promise<void> {
  await holdSession(page.context(), url)
  await page.goto(url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/**
 * Gives a browser a session, the administrator's or that of somebody with the same password: its cookie, and who that is
 * before the first page is read.
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

/** Presses Escape in a dialog or drawer, once it has taken the focus: the key would do nothing before. */
export async function pressEscape(page: Page): Promise<void> {
  await page.locator('.bp6-overlay-open:focus-within').first().waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
}

/** What the page puts on the clipboard when it is told to: it is there a moment after the click. */
export async function copiedBy(page: Page, copy: Locator): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await copy.click()
  const text = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(text).not.toBe('')
  return text()
}

/** The text of an element, once it is as expected. */
export async function textOf(element: Locator, expected: RegExp): Promise<string> {
  let text = ''
  await expect(async () => {
    text = await element.innerText({ timeout: 1000 })
    expect(text).toMatch(expected)
  }).toPass()
  return text
}

/** Clicks a check box, a switch or a radio where a person does: on its label, for what is drawn covers the input. */
export async function tick(input: Locator, isOn = true): Promise<void> {
  await input.locator('xpath=ancestor::label[1]').click()
  await expect(input).toBeChecked({ checked: isOn })
}
