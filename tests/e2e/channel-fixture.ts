import { expect, type Locator, type Page } from '@playwright/test'
import { signedIn } from '../support/client.ts'
import { anUpstream, type Script, type Upstream } from '../support/upstream.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { holdSession } from './visitor.ts'

/** A gateway with a fake vendor, and an administrator on the channels page. */
export type ChannelFixture = Readonly<{
  gateway: ServedConsole
  upstream: Upstream
  page: Page
  /** Creates a channel to the fake vendor as the page would; the page must then be reloaded. */
  make: (fields: object) => Promise<void>
  /** Creates channels and opens the page. */
  show: (...channels: object[]) => Promise<void>
  /** Calls the API as the administrator. */
  ask: (method: string, path: string, body?: object) => Promise<Told>
  stop: () => Promise<void>
}>

export type Told = Readonly<{ success: boolean; message: string; data: unknown }>

/** Starts everything; the vendor responds to chats until it gets a script. */
export async function aChannelFixture(page: Page): Promise<ChannelFixture> {
  const [gateway, upstream] = await Promise.all([readyGateway(), anUpstream()])
  await holdSession(page.context(), gateway.url)
  const root = await signedIn(gateway.url, ROOT.username, ROOT.password)
  const ask: ChannelFixture['ask'] = (method, path, body) => root.send(method, path, body)
  const make = async (fields: object) => {
    const usual = { type: 1, key: 'sk-one', models: 'gpt-4o,gpt-4o-mini', group: 'default', base_url: upstream.url }
    expect(await ask('POST', '/api/channel', { ...usual, ...fields })).toMatchObject({ success: true })
  }
  const show = async (...channels: object[]) => {
    for (const channel of channels) await make(channel)
    await page.goto(`${gateway.url}/channel`)
    await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor()
  }
  const stop = async () => {
    await Promise.all([gateway.stop(), upstream.stop()])
  }
  return { gateway, upstream, page, make, show, ask, stop }
}

export const rowOf = (page: Page, name: string): Locator => page.locator('tbody tr').filter({ hasText: name })

/**
 * Chooses an entry from a row's menu, and waits until the menu is gone, because only then is the focus back on its
 * button.
 */
export async function choose(page: Page, name: string, entry: string): Promise<void> {
  const label = { name: `Actions for ${name}`, exact: true }
  const menu = page.getByRole('menu', label)
  await page.getByRole('button', label).click()
  await menu.getByRole('menuitem', { name: entry, exact: true }).click()
  await expect(menu).toHaveCount(0)
}

export async function confirm(page: Page, question: string, verb: string): Promise<void> {
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(question)
  await dialog.getByRole('button', { name: verb, exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

/** Expands all collapsed sections of a form. */
export async function unfold(within: Locator | Page): Promise<void> {
  const folded = within.locator('.section-head[aria-expanded=false]')
  await within.locator('.section-head').first().waitFor()
  // settled: the sections of a form appear together, and only a click expands one
  for (let left = await folded.count(); left > 0; left -= 1) {
    await folded.first().click()
    await expect(folded).toHaveCount(left - 1)
  }
}

/** The JSON behind the rows or fields of a column; switches to it if necessary. */
export async function jsonOf(drawer: Locator, label: string): Promise<Locator> {
  const show = drawer.getByRole('button', { name: `Edit as JSON: ${label}` })
  const field = drawer.getByLabel(`${label} (JSON)`, { exact: true })
  await show.or(field).waitFor()
  // settled: the button is shown instead of the field, and only a click changes that
  if (await show.isVisible()) await show.click()
  return field
}

export const expectToast = (page: Page, text: string | RegExp): Promise<void> =>
  expect(page.locator('.bp6-toast').filter({ hasText: text })).toBeVisible()

/** A vendor's response to a request for its models, and to any other. */
export const listing = (models: readonly string[]): Script => ({ body: { data: models.map((id) => ({ id })) } })
