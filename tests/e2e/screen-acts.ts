import { expect, type Page } from '@playwright/test'
import { chatStream } from '../support/chat.ts'
import type { Consoles } from './furnished.ts'

/** Presses the page's primary action. */
export const startMain = (page: Page) =>
  page.locator('main button:is(.bp6-intent-primary, [data-main-action])').first().click()
/** As `startMain`, for an action that opens a drawer, whose code is fetched on first use. */
export const startForm = async (page: Page) => {
  await startMain(page)
  await page.locator('.side-drawer').waitFor()
}
export const openRowMenu = (page: Page) =>
  page.locator('.page-table :is(tr, li) button:has([data-icon=more])').last().click()
/** Opens the command palette, whose code is fetched on first use. */
export const openPalette = async (page: Page) => {
  await page.keyboard.press('Control+k')
  await page.locator('.command-palette input').waitFor()
}
/** Opens the dialog for the columns of the list. */
export const openColumns = async (page: Page) => {
  await page.locator('main button:has([data-icon=list-columns])').click()
  await page.locator('.bp6-dialog').waitFor()
}
export const openSaved = async (page: Page) => {
  await page.locator('main button:has([data-icon=bookmark])').click()
  await page.locator('.bp6-dialog').waitFor()
}
export const openExport = async (page: Page) => {
  await page.locator('main button:has([data-icon=download])').click()
  await page.getByRole('menu').waitFor()
}
/** Opens the less frequent filters; on a phone all of them. */
export const openFilters = (page: Page) =>
  page.locator('main button:is(:has([data-icon=filter]), :has([data-icon=filter-list]))').click()
export const submitDrawer = (page: Page) => page.locator('.bp6-drawer button.bp6-intent-primary').click()
/** Opens the menu of the last row, and chooses an entry by its icon. */
export const chooseInRow = (icon: string) => async (page: Page) => {
  await openRowMenu(page)
  await chooseInMenu(page, icon)
  await page.locator('.bp6-dialog, .bp6-drawer').first().waitFor()
}
export const editRow = async (page: Page) => {
  await chooseInRow('edit')(page)
  await page.locator('.side-drawer').waitFor()
}
/**
 * Chooses an entry from the open menu, and waits until the menu is gone, because only then is the focus back on its
 * button.
 */
const chooseInMenu = async (page: Page, icon: string) => {
  const menu = page.locator('.bp6-popover .bp6-menu')
  await menu.locator(`.bp6-menu-item:has([data-icon=${icon}])`).click()
  await expect(menu).toHaveCount(0)
}
/** Opens the first token's drawer at its limits and budgets. */
export const openBudgets = async (page: Page) => {
  await page.locator('.page-table :is(tr, li) button:has([data-icon=more])').first().click()
  await chooseInMenu(page, 'edit')
  await page.locator('.token-folding').evaluate((section) => section.scrollIntoView({ block: 'start' }))
}
/** Shows how much of the first token's budgets is used. */
export const readBudgets = async (page: Page) => {
  await page.locator('.token-budget').first().click()
  await page.locator('.token-budgets').waitFor()
}
/** Opens the receipt of a model's first entry, and scrolls to it. */
export const openReceiptOf = (model: string) => async (page: Page) => {
  const row = page.locator('.page-table :is(tr, li)').filter({ hasText: model }).first()
  await row.locator('.page-table-opener').click()
  await page.locator('.receipt').evaluate((receipt) => receipt.scrollIntoView({ block: 'center' }))
}
/** A home-page announcement this browser has not seen. */
export async function announce(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.removeItem('notice'))
  const report = (path: string, data: string) =>
    page.route(path, (route) => route.fulfill({ json: { success: true, message: '', data } }))
  await report(
    '**/api/notice',
    'Models of **Anthropic** are slower than usual until Friday.\n\n- Use `gpt-4o` meanwhile\n- 请耐心等待',
  )
  await report(
    '**/api/home_page_content',
    '## Welcome\n\nQuestions? <a href="mailto:help@example.com">Write to us</a>.',
  )
}
/** Stubs the operator's text about the gateway. */
export const tellAbout = (page: Page) =>
  page.route('**/api/about', (route) =>
    route.fulfill({
      json: {
        success: true,
        message: '',
        data: '## Who we are\n\nThe gateway of the research group. Questions go to **Ann**.\n\n| hours | who |\n|---|---|\n| 9 to 17 | Ann |\n\n请耐心等待',
      },
    }),
  )
/** Leaves a list loading forever. */
export const holdBack = (path: RegExp) => (page: Page) => page.route(path, () => new Promise<void>(() => {}))
/** Makes a list fail. */
export const fail = (path: RegExp) => (page: Page) =>
  page.route(path, (route) => route.fulfill({ status: 500, body: '' }))

/** Enters an account at the fake vendor, and tests it. */
export async function tryAccount(page: Page, { calling }: Consoles): Promise<void> {
  await page.locator('[name=key]').fill('sk-proj-a-good-key')
  await page.locator('[name=address]').fill(calling.upstream.url)
  await page.locator('.connect-actions button[type=submit]').click()
  await page.locator('.verdicts').waitFor()
}

/** Sets the vendor's response to the next calls. */
export const vendorAnswers =
  (...scripts: Parameters<Consoles['calling']['upstream']['answers']>) =>
  (_: Page, { calling }: Consoles) => {
    calling.upstream.reset()
    calling.upstream.answers(...scripts)
  }

/** As `vendorAnswers`, for the playground, with no stored conversation from an earlier screen. */
export const playingWith =
  (script: Parameters<Consoles['calling']['upstream']['answers']>[0]) => async (page: Page, served: Consoles) => {
    vendorAnswers(script)(page, served)
    await page.addInitScript(() => void indexedDB.deleteDatabase('playground-1'))
  }

/** Sends a message in the playground. */
export async function say(page: Page): Promise<void> {
  await page.locator('.play-composer textarea').fill('How do I read a file in Python? 怎样读取文件？')
  await page.locator('.play-composer textarea').press('Enter')
}

export async function sayAndWait(page: Page): Promise<void> {
  await say(page)
  await page.locator('.markdown').first().waitFor()
  await page.locator('.play-composer button[type=submit]').waitFor()
  await page.locator('.play-figures').filter({ hasText: '$' }).first().waitFor()
}
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** Compares two models, with files attached to the next message. */
export async function compareModels(page: Page): Promise<void> {
  await page.locator('.playground-actions button:has([data-icon=comparison])').click()
  const close = page.locator('.playground-drawer-head button')
  await close.or(page.locator('.playground-panel')).waitFor()
  // settled: the width of the window decides whether the settings are in a drawer
  if (await close.isVisible()) await close.click()
  await sayAndWait(page)
  const picture = { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') }
  const paper = { name: 'quarterly-report.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(200_000) }
  const song = { name: 'song.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(10) }
  await page.locator('.play-composer input[type=file]').setInputFiles([picture, paper, song])
  await page.locator('.attachment').nth(1).waitFor()
}
export async function listConversations(page: Page): Promise<void> {
  await sayAndWait(page)
  await page.locator('.playground-actions button:has([data-icon=chat])').click()
  await page.locator('.conversation').first().waitFor()
}
/** Opens the code that makes a response's request. */
export async function viewCode(page: Page): Promise<void> {
  await sayAndWait(page)
  await page.locator('.play-tools button:has([data-icon=code])').first().click()
  await page.locator('.code-dialog-code').waitFor()
}

/** Chooses an example by its id: a tab on wide screens, an entry of the list on a phone. */
export const chooseExample = (id: string) => async (page: Page) => {
  const tab = page.locator(`.examples [data-tab-id="${id}"]`)
  const list = page.locator('.examples > .bp6-html-select select')
  await tab.or(list).waitFor()
  // settled: the width of the window decides which one is shown
  if (await list.isVisible()) await list.selectOption(id)
  else await tab.click()
}

/** Opens the time range of the log: a button on wide screens, among the other filters on a phone. */
export const openRange = async (page: Page) => {
  const calendar = page.locator('.filter-bar button:has([data-icon=calendar])')
  await calendar.or(page.locator('.filter-bar > button')).click()
}

/** Calls until the page, which shows the requests of one token, has seen a call. */
export const callFromOutside = (page: Page, { calling }: Consoles) =>
  expect(async () => {
    await calling.asks(calling.root, 'gpt-4o')
    // The first call creates the token.
    if ((await page.locator('#client-token option', { hasText: 'laptop' }).count()) === 0) await page.reload()
    await page.locator('#client-token').selectOption('laptop', { timeout: 1000 })
    await expect(page.locator('.waiting-card.bp6-intent-success')).toBeVisible({ timeout: 1000 })
  }).toPass()

const markdown = [
  'Open it in a **context manager**, so that it is closed whatever happens:\n\n```python\nfrom pathlib import Path\n\n',
  'with Path("notes.txt").open(encoding="utf-8") as file:\n    for number, line in enumerate(file, start=1):\n',
  '        print(f"{number:>4}  {line.rstrip()}")\n```\n\n- `encoding` 请始终写明，否则取决于系统。\n- For a small file, ',
  '`Path("notes.txt").read_text()` does.\n\n| Way | Memory |\n|--|--|\n| line by line | one line |\n| `read_text` | all |\n',
]
const thought = { choices: [{ index: 0, delta: { reasoning_content: 'Short question, short answer.' } }] }
/** A streamed response with everything a response can have: reasoning, code, a list and a table, in both scripts. */
export const answer = [thought, ...chatStream(markdown, { prompt: 1000, completion: 200 })]
