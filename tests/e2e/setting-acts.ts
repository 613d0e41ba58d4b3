import type { Page } from '@playwright/test'
import { statusSays } from './entry-acts.ts'
import { widgetScript } from './stand-ins.ts'

/** Brings a section of the settings to the top of the window. */
export const showSection = (name: string) => async (page: Page) => {
  const section = page.locator(`[data-section="${name}"]`)
  await section.waitFor()
  await section.evaluate((element) => element.scrollIntoView({ block: 'start' }))
}

/** Answers a call with this data. */
export const answersWith = (path: RegExp, data: unknown) => (page: Page) =>
  page.route(path, (route) => route.fulfill({ json: { success: true, message: '', data } }))

/** The response cache holds something, which is gone once it is cleared. */
export const withCached = (page: Page) =>
  page.route(/\/api\/response_cache$/, (route) => {
    const report = { answers: 1234, bytes: 48_234_496, hits: 98_765 }
    const data = route.request().method() === 'GET' ? report : report.answers
    return route.fulfill({ json: { success: true, message: '', data } })
  })

/** Presses the button below the settings of a section that tries them. */
export const tryOut = (name: string, receiver?: string) => async (page: Page) => {
  await showSection(name)(page)
  const tool = page.locator(`[data-section="${name}"] .setting-tool`)
  if (receiver !== undefined) await tool.locator('input').fill(receiver)
  await tool.locator('button[type=submit]').click()
}

/** Asks for a clean-up of the log, which is asked about. */
export async function askToClear(page: Page): Promise<void> {
  await tryOut('operation/log')(page)
  await page.locator('.confirm').waitFor()
}

/** Types a domain that is none, and presses Enter. */
export async function addWrongDomain(page: Page): Promise<void> {
  await showSection('system/whitelist')(page)
  const box = page.locator('.setting-domain-add input')
  await box.fill('not a domain')
  await box.press('Enter')
}

/** A site key is stored, the human check is off, and Cloudflare's script is another one. */
export async function withSiteKey(page: Page): Promise<void> {
  await withWidget(page)
  await page.route(/\/api\/option$/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const one of answer.data) if (one.key === 'TurnstileSiteKey') one.value = 'site-1'
    await route.fulfill({ response, json: answer })
  })
}

/** Turns the human check on, which asks for its widget. */
export async function askForProof(page: Page): Promise<void> {
  await showSection('system/login')(page)
  await page.locator('[data-option="TurnstileCheckEnabled"] label').click()
  await seeWidget(page)
}

/** The site has the human check. */
export async function withHumanCheck(page: Page): Promise<void> {
  await withWidget(page)
  await statusSays({ turnstile_check: true, turnstile_site_key: 'site-1' })(page)
}

/** Waits for what the widget shows. */
export const seeWidget = (page: Page) => page.frameLocator('.human-check iframe').getByText('verified').waitFor()

/** Asks for the newest release, which there is. */
export async function findRelease(page: Page): Promise<void> {
  await page.locator('.setting-update button').click()
  await page.locator('.setting-release .operator-text').waitFor()
}

/** An address is set for releases, and tells of one. */
export async function withRelease(page: Page): Promise<void> {
  const notes =
    '## New\n\n- Prices of all vendors are synced\n- `GET /api/pricing` answers faster\n\nSee the [guide](https://example.com).'
  const release = { tag: 'v9.9.0', notes, url: 'https://example.com/r', version: '0.1.0', is_latest: false }
  await answersWith(/\/api\/option\/latest_release$/, release)(page)
  await page.route(/\/api\/option$/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const one of answer.data) if (one.key === 'UpdateCheckUrl') one.value = 'https://example.com/latest'
    await route.fulfill({ response, json: answer })
  })
}

/** A widget that holds still: its token would end the dialog. */
const withWidget = (page: Page) =>
  page.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: widgetScript.replace(/setTimeout.*/, '') }),
  )
