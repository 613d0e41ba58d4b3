import { expect, type Page } from '@playwright/test'
import { expectBoxes } from './boxes.ts'
import { choose } from './channel-fixture.ts'
import { type Consoles, consoles } from './furnished.ts'
import { editRow, startForm } from './screen-acts.ts'
import { test } from './shared-browser.ts'
import { listsUsers } from './stub-users.ts'
import { holdSession, pressEscape, tick } from './visitor.ts'

let served: Consoles
test.beforeAll(async () => {
  served = await consoles()
})
test.afterAll(() => served.stop())

/** Opens a page of the busy console, and waits for its rows. */
async function show(page: Page, path: string): Promise<void> {
  await page.goto(served.busy.url + path)
  await page.locator('.page-table').waitFor()
}

/**
 * The columns shown for tokens, channels and users where they are a table, and the content of second lines at narrow
 * widths.
 */
const lists = [
  {
    path: '/token',
    first: ['Name', 'Status', 'Used quota', 'Remaining quota', 'Actions'],
    second: ['Last used', 'Expires', 'Group', 'Models'],
  },
  {
    path: '/channel',
    first: ['Name', 'Status', 'Last test', 'Last 24 hours', 'Used / remaining', 'Actions'],
    second: ['Group', 'Models', 'Priority', 'Weight'],
  },
  {
    path: '/user',
    first: ['ID', 'Username', 'Balance', 'Spent', 'Status', 'Actions'],
    second: ['Group', 'Email', 'Requests', 'Referrals', 'Role', 'Last active'],
  },
]
for (const { path, first, second } of lists) {
  test(`${path} shows all its columns without scrolling sideways from 768 pixels on (docs/reference/screens.md#lists)`, async ({
    page,
    context,
  }) => {
    await holdSession(context, served.busy.url)
    await listsUsers(page)
    const table = page.getByRole('table')
    for (const width of [768, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      await show(page, path)
      await expect(table.getByRole('columnheader').filter({ visible: true })).toHaveText([
        ...(path === '/channel' ? [] : ['']),
        ...first.map((title) => new RegExp(title.replace('Used / remaining', 'Used ?/ ?remaining'))),
      ])
      const line = table.locator('.page-table-second').first()
      await expect(line.locator('dt')).toHaveText(second)
      for (const title of second) await expect(line.getByText(title, { exact: true })).toBeInViewport({ ratio: 1 })
      expect(await beyond(page)).toBe(0)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(table.locator('.page-table-second')).toHaveCount(0)
    await expect(table.getByRole('columnheader', { name: second.at(-1) ?? '', exact: true })).toBeVisible()
    expect(await beyond(page)).toBe(0)
  })
}

/** By how much the list overflows its card. */
const beyond = (page: Page) => page.locator('.page-table-card').evaluate((box) => box.scrollWidth - box.clientWidth)

/** Pages for a visitor on a touch screen. */
const visitorPaths = ['/', '/login', '/register', '/reset', '/user/reset?email=a%40example.com&token=b']

/** Controls on a touch screen: lists, their drawers, dialogs and menus. */
const places: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'the tokens': (page) => show(page, '/token'),
  'the form of a token': async (page) => {
    await show(page, '/token')
    await startForm(page)
    await page.getByRole('button', { name: 'Limits and budgets' }).click()
  },
  'the channels': (page) => show(page, '/channel'),
  'the form of a channel': async (page) => {
    await show(page, '/channel')
    await editRow(page)
  },
  'the keys of a channel': async (page) => {
    await show(page, '/channel')
    await choose(page, 'Old account', 'Keys…')
    await page.getByRole('dialog').waitFor()
  },
  'the users': async (page) => {
    await listsUsers(page)
    await show(page, '/user')
  },
  'the form of a user': async (page) => {
    await show(page, '/user/edit/2')
    await page.getByRole('dialog').waitFor()
  },
  'the columns of a list': async (page) => {
    await show(page, '/channel')
    await page.getByRole('button', { name: 'Column settings' }).click()
    await page.getByRole('dialog').waitFor()
  },
  'the log': async (page) => {
    await show(page, '/log')
    await page.locator('.page-table-opener').nth(1).click()
  },
  'the personal settings': async (page) => {
    await page.goto(`${served.busy.url}/personal`)
    await page.getByRole('tab', { name: 'Privacy' }).waitFor()
    await tick(page.getByLabel('Webhook', { exact: true }))
  },
  'the settings of the system': async (page) => {
    await page.goto(`${served.busy.url}/setting?tab=system`)
    await page.getByRole('button', { name: 'Remove “gmail.com”' }).waitFor()
  },
}
for (const width of [390, 768]) {
  test.describe(`under a finger, ${width} wide`, () => {
    test.use({ viewport: { width, height: 844 }, hasTouch: true, isMobile: true })

    test('buttons and links are 40 pixels high and wide', async ({ page, context }) => {
      test.slow()
      for (const path of visitorPaths) {
        await test.step(path, async () => {
          await page.goto(served.busy.url + path)
          await page.getByRole('heading', { level: 1 }).waitFor()
          expect(await smallTargets(page)).toEqual([])
        })
      }
      await holdSession(context, served.busy.url)
      for (const [name, go] of Object.entries(places)) {
        await test.step(name, async () => {
          await go(page)
          expect(await smallTargets(page)).toEqual([])
        })
      }
    })
  })
}

/** Controls that are too small for touch; a link within text may be as high as the text. */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('button, select, input, textarea, [role=menuitem], [role=tab], a'))
      .filter((one) => !one.matches('.bp6-tag-input input, .layout-skip') && one.closest('[aria-hidden=true]') === null)
      .filter((one) => one.tagName !== 'A' || getComputedStyle(one).display !== 'inline')
      // The label of a check box is a target too.
      .map((one) => one.closest('label.bp6-control') ?? one)
      .map((one) => ({ one, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 39.5 || box.height < 39.5))
      .map(({ one, box }) => `${one.outerHTML.slice(0, 120)} ${box.width}x${box.height}`),
  )

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the menu is a list of pages within its drawer, and the name of the product is shown completely', async ({
    page,
    context,
  }) => {
    await holdSession(context, served.busy.url)
    await show(page, '/token')
    const brand = page.locator('.top-bar-brand')
    expect(await brand.evaluate((box) => Array.from(box.children, (one) => one.scrollWidth - one.clientWidth))).toEqual(
      expect.not.arrayContaining([expect.not.closeTo(0, 0)]),
    )
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await expect(menu.getByRole('list').first()).toHaveCSS('list-style-type', 'none')
    await expectBoxes([menu.getByRole('link', { name: 'Usage logs' })], ({ x }) => expect(x).toBeGreaterThan(0))
    await pressEscape(page)
    await expect(menu).toHaveCount(0)
  })
})
