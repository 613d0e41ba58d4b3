import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'
import { ROOT } from './gateway.ts'

/** Collects what a page logs as error or warning, and what it throws; a test ends with the list empty. */
export function troublesOf(page: Page): string[] {
  const troubles: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  return troubles
}

/** Signs the administrator in through the login page and waits for the landing. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.locator('[name=username]').fill(ROOT.username)
  await page.locator('[name=password]').fill(ROOT.password)
  await page.locator('form button[type=submit]').click()
  await expect(page).toHaveURL(`${url}/token`)
}

/** Clicks a check box, a switch or a radio where a person does: on its label, for what is drawn covers the input. */
export async function tick(input: Locator, isOn = true): Promise<void> {
  await input.locator('xpath=ancestor::label[1]').click()
  await expect(input).toBeChecked({ checked: isOn })
}

/** Expects axe to find nothing on the page as it stands, once whatever moves has come to rest. */
export const expectAccessible = (page: Page): Promise<void> => expectNothing(page, new AxeBuilder({ page }))

/** Axe finds nothing in the colours of the page, once nothing moves. */
export const expectContrast = (page: Page): Promise<void> =>
  expectNothing(page, new AxeBuilder({ page }).withRules(['color-contrast']))

async function expectNothing(page: Page, axe: AxeBuilder): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  )
  // No page has frames of other origins, for which axe would open a page of its own each time.
  const { violations } = await axe.setLegacyMode().analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(found).toEqual([])
}
