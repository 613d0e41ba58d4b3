import type { Page } from '@playwright/test'
import { statusSays } from './entry-acts.ts'
import { widgetScript } from './stand-ins.ts'

export const showSection = (name: string) => async (page: Page) => {
  const section = page.locator(`[data-section="${name}"]`)
  await section.waitFor()
  await section.evaluate((element) => element.scrollIntoView({ block: 'start' }))
}

/** Stubs a call with this data. */
export const answersWith = (path: RegExp, data: unknown) => (page: Page) =>
  page.route(path, (route) => route.fulfill({ json: { success: true, message: '', data } }))

/** Stubs a response cache that has entries until it is cleared. */
export const withCached = (page: Page) =>
  page.route(/\/api\/response_cache$/, (route) => {
    const report = { answers: 1234, bytes: 48_234_496, hits: 98_765 }
    const data = route.request().method() === 'GET' ? report : report.answers
    return route.fulfill({ json: { success: true, message: '', data } })
  })

/** Presses the test button below a section's settings. */
export const tryOut = (name: string, receiver?: string) => async (page: Page) => {
  await showSection(name)(page)
  const tool = page.locator(`[data-section="${name}"] .setting-tool`)
  if (receiver !== undefined) await tool.locator('input').fill(receiver)
  await tool.locator('button[type=submit]').click()
}

/** Requests a clean-up of the log, and leaves its confirmation open. */
export async function askToClear(page: Page): Promise<void> {
  await tryOut('operation/log')(page)
  await page.locator('.confirm').waitFor()
}

export async function addWrongDomain(page: Page): Promise<void> {
  await showSection('system/whitelist')(page)
  const box = page.locator('.setting-domain-add input')
  await box.fill('not a domain')
  await box.press('Enter')
}

/** Stores a site key, with the human verification off and a fake script in place of Cloudflare's. */
export async function withSiteKey(page: Page): Promise<void> {
  await withWidget(page)
  await page.route(/\/api\/option$/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const one of answer.data) if (one.key === 'TurnstileSiteKey') one.value = 'site-1'
    await route.fulfill({ response, json: answer })
  })
}

/** Turns the human verification on, which shows its widget. */
export async function askForProof(page: Page): Promise<void> {
  await showSection('system/login')(page)
  await page.locator('[data-option="TurnstileCheckEnabled"] label').click()
  await seeWidget(page)
}

export async function withHumanCheck(page: Page): Promise<void> {
  await withWidget(page)
  await statusSays({ turnstile_check: true, turnstile_site_key: 'site-1' })(page)
}

/** Waits for the content of the widget. */
export const seeWidget = (page: Page) => page.frameLocator('.human-check iframe').getByText('verified').waitFor()

export async function findRelease(page: Page): Promise<void> {
  await page.locator('.setting-update button').click()
  await page.locator('.setting-release .operator-text').waitFor()
}

/** Sets an address for updates that reports a release. */
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

/** Stubs a widget that gives no token, since a token would close the dialog. */
const withWidget = (page: Page) =>
  page.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: widgetScript.replace(/setTimeout.*/, '') }),
  )
