import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { dataOf, signedIn } from '../support/client.ts'
import { anUpstream, type Upstream } from '../support/upstream.ts'
import { expectAccessible } from './accessible.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { triedDialects } from './tried-dialects.ts'
import { goodVendor, refusals, refusingVendor } from './tried-vendor.ts'
import { copiedBy, signIn, tick, troublesOf } from './visitor.ts'

const KEY = 'sk-proj-a-good-key'
let gateway: ServedConsole
let vendor: Upstream
test.beforeEach(async () => {
  gateway = await readyGateway()
  vendor = await anUpstream()
})
test.afterEach(() => Promise.all([gateway.stop(), vendor.stop()]))

const words = [
  { refusal: 'wrong-key', said: 'The key was rejected.' },
  { refusal: 'wrong-path', said: 'No API was found at this address.' },
  { refusal: 'no-such-model', said: 'does not offer this model' },
  { refusal: 'no-credit', said: 'the account has no credit' },
] as const
for (const { refusal, said } of words) {
  test(`${refusal} shows what to do, and nothing is saved`, async ({ page }) => {
    const troubles = troublesOf(page)
    vendor.answers(refusingVendor(refusals[refusal]))
    await signIn(page, gateway.url, '/connect/provider')
    await enterAccount(page)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(lineOf(page, 'Basic request')).toContainText(said)
    await expect(lineOf(page, 'Model list')).toContainText('3 models')
    await expect(page.getByRole('button', { name: 'Save anyway' })).toBeVisible()
    expect(await gateway.inner.db.selectFrom('channels').select('id').execute()).toEqual([])
    expect(troubles).toEqual([])
  })
}

for (const dialect of triedDialects) {
  test(`${dialect.card}: failures have different messages, and a good key leads to its own client`, async ({
    page,
  }) => {
    const troubles = troublesOf(page)
    await signIn(page, gateway.url, '/connect/provider')
    await page.getByLabel('API key').fill(dialect.key)
    await expect(page.getByRole('radio', { name: dialect.card })).toBeChecked()
    await page.getByLabel('Address').fill(vendor.url)
    await expect(page.getByText(vendor.url + dialect.path)).toBeVisible()
    for (const { refusal, said } of words) {
      vendor.reset()
      vendor.answers((asked) => (/models(\?|$)/.test(asked.path) ? dialect.good(asked) : dialect.refusals[refusal]))
      await page.getByRole('button', { name: 'Test connection' }).click()
      await expect(lineOf(page, 'Basic request')).toContainText(said)
    }
    vendor.reset()
    vendor.answers(dialect.good)
    await page.getByRole('button', { name: 'Test connection' }).click()
    for (const line of ['Basic request', 'Streaming request', 'Tool call'])
      await expect(lineOf(page, line)).toContainText('Works')
    await expect(lineOf(page, 'Model list')).toContainText('2 models')
    await page.getByRole('button', { name: 'Save and connect a client' }).click()
    await page.getByLabel('Model', { exact: true }).selectOption(dialect.model)
    await expect(page.getByRole('tabpanel')).toContainText(dialect.model)
    expect(troubles).toEqual([])
  })
}

test('the example of the Anthropic SDK turns the card green, over a channel of Anthropic', async ({
  page,
  context,
}) => {
  const [dialect] = triedDialects
  if (!dialect) throw new Error('there is a dialect to try')
  vendor.answers(dialect.good)
  const root = await signedIn(gateway.url, ROOT.username, ROOT.password)
  dataOf(await root.put('/api/option', { key: 'ModelRatio', value: JSON.stringify({ [dialect.model]: 1.5 }) }))
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url })
  await signIn(page, gateway.url, '/connect/provider')
  await page.getByLabel('API key').fill(dialect.key)
  await page.getByLabel('Address').fill(vendor.url)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByRole('button', { name: 'Save and connect a client' }).click()
  await page.getByLabel('Model', { exact: true }).selectOption(dialect.model)
  await page.getByRole('tab', { name: 'Anthropic SDK' }).click()
  await page.getByRole('radio', { name: 'JavaScript' }).click()
  await expectAccessible(page)
  await runInNode(await copiedBy(page, page.getByRole('button', { name: 'Copy Anthropic SDK · JavaScript' })))
  await expect(page.getByRole('status').filter({ hasText: 'It works' })).toContainText(dialect.model)
  expect(vendor.last().path).toBe('/v1/messages')
})

test('every program has a tab on a desktop and an entry in a list on a phone', async ({ page }) => {
  vendor.answers(goodVendor)
  await signIn(page, gateway.url, '/connect/provider')
  await enterAccount(page)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByRole('button', { name: 'Save and connect a client' }).click()
  const tabs = page.getByRole('tab')
  await expect(tabs).toHaveText(programs)
  const lefts = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().left))
  expect(new Set(lefts).size).toBe(1)
  await page.getByRole('tab', { name: 'Gemini SDK' }).click()
  await page.getByRole('radio', { name: 'JavaScript' }).click()
  await page.getByRole('tab', { name: 'OpenAI SDK' }).click()
  await expect(page.getByRole('tabpanel')).toContainText("import OpenAI from 'openai'")
  await page.setViewportSize({ width: 390, height: 844 })
  const list = page.getByLabel('Examples')
  await expect(list.locator('option')).toHaveText(programs)
  await list.selectOption('Cherry Studio')
  await expect(page.getByText('Settings → Model Provider')).toBeVisible()
  await expectNoOverflow(page)
})

test('missing values are reported at their fields before any request', async ({ page }) => {
  await signIn(page, gateway.url, '/connect/provider')
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('Paste the key first')).toBeVisible()
  await expect(page.getByText('Choose the provider of this key')).toBeVisible()
  await page.getByLabel('Search providers').fill('深度')
  await expect(page.getByText('No results.')).toBeVisible()
  await page.getByLabel('Search providers').fill('deep')
  await tick(page.getByRole('radio', { name: 'DeepSeek' }))
  await expect(page.getByText('https://api.deepseek.com/v1/chat/completions')).toBeVisible()
  expect(vendor.requests).toEqual([])
})

test('the main path needs no mouse', async ({ page }) => {
  vendor.answers(goodVendor)
  await signIn(page, gateway.url, '/connect/provider')
  await page.getByLabel('API key').focus()
  await page.keyboard.type(KEY)
  await tabTo(page, 'address')
  await page.keyboard.type(vendor.url)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Save and connect a client' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${gateway.url}/connect/client`)
  await expect(page.getByText('Waiting for the first request')).toBeVisible()
})

test('a user who cannot connect a provider is referred to the administrator', async ({ page }) => {
  await signIn(page, gateway.url, '/connect/client')
  await page.getByRole('main').getByRole('link', { name: 'Connect a provider' }).click()
  await expect(page).toHaveURL(`${gateway.url}/connect/provider`)
})

test('both pages speak Chinese, and fit a phone in the dark', async ({ browser }) => {
  vendor.answers(goodVendor)
  const context = await browser.newContext({
    locale: 'zh-CN',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  const page = await context.newPage()
  await signIn(page, gateway.url, '/connect/provider')
  await page.locator('[name=key]').fill(KEY)
  await page.locator('[name=address]').fill(vendor.url)
  await page.getByRole('button', { name: '测试连接' }).click()
  await expect(lineOf(page, '普通请求')).toContainText('可用')
  await expect(page.getByRole('button', { name: '移除“gpt-4o-mini”' })).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await page.getByRole('button', { name: '保存并接入客户端' }).click()
  await expect(page.getByText('正在等待第一个请求…')).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await context.close()
})

async function enterAccount(page: Page): Promise<void> {
  await page.getByLabel('API key').fill(KEY)
  await page.getByLabel('Address').fill(vendor.url)
}

/** The programs with examples, in order of demand. */
const programs = [
  'Claude Code',
  'Codex',
  'Gemini CLI',
  'Qwen Code',
  'opencode',
  'Crush',
  'Goose',
  'Continue',
  'Aider',
  'Zed',
  'curl',
  'OpenAI SDK',
  'Anthropic SDK',
  'Gemini SDK',
  'LibreChat',
  'Cherry Studio',
  'CC Switch',
  'Open WebUI',
  'LobeChat',
  'n8n',
  'Cursor',
  'Cline, Roo Code',
  'Other programs',
]

const lineOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

async function tabTo(page: Page, name: string): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('main .bp6-skeleton, main [role=status][aria-label]'))
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate(() => document.activeElement?.getAttribute('name'))) === name) return
  }
  throw new Error(`Tab does not lead to ${name}`)
}

/** Runs a copied JavaScript example in a folder where the project's packages can be imported. */
async function runInNode(code: string): Promise<void> {
  const file = join(import.meta.dirname, `example-${randomUUID()}.tmp.mjs`)
  await writeFile(file, code)
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file])
    expect(stdout).toContain('Hello')
  } finally {
    await rm(file, { force: true })
  }
}

async function expectNoOverflow(page: Page): Promise<void> {
  const widths = await page.evaluate(() =>
    [document.documentElement, document.querySelector('main')].map((box) => box && box.scrollWidth - box.clientWidth),
  )
  expect(widths).toEqual([0, 0])
}
