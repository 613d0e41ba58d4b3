import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { anUpstream, type Upstream } from '../support/upstream.ts'
import { freshGateway, ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { goodVendor } from './tried-vendor.ts'
import { copiedBy, tick, troublesOf } from './visitor.ts'

const KEY = 'sk-proj-a-good-key'
let gateway: ServedConsole
let vendor: Upstream
test.beforeEach(async () => {
  gateway = await readyGateway()
  vendor = await anUpstream()
})
test.afterEach(() => Promise.all([gateway.stop(), vendor.stop()]))

test('from the first page to the first answer: six inputs, a call from outside, the log', async ({ page, context }) => {
  const fresh = await freshGateway()
  vendor.answers(goodVendor)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: fresh.url })
  const troubles = troublesOf(page)
  let inputs = 0
  const fill = async (name: string, value: string) => {
    inputs += 1
    await page.locator(`[name=${name}]`).fill(value)
  }
  await page.goto(fresh.setupLink ?? fresh.url)
  await fill('username', ROOT.username)
  await fill('password', ROOT.password)
  await fill('confirmPassword', ROOT.password)
  inputs += 1
  await tick(page.getByRole('radio', { name: 'Self-use' }))
  await page.getByRole('button', { name: 'Finish setup' }).click()
  await expect(page).toHaveURL(`${fresh.url}/connect/provider`)

  await fill('key', KEY)
  await expect(page.getByRole('radio', { name: 'OpenAI', exact: true })).toBeChecked()
  await fill('address', `${vendor.url}/v1`)
  expect(inputs).toBeLessThanOrEqual(6)
  await expect(page.getByText('The address was corrected')).toBeVisible()
  await page.getByRole('button', { name: 'Test connection' }).click()
  for (const line of ['Basic request', 'Streaming request', 'Tool call'])
    await expect(lineOf(page, line)).toContainText('Works')
  await expect(page.getByRole('row', { name: 'gpt-4o-mini' })).toContainText('per 1M tokens')
  await page.getByRole('button', { name: 'Save and connect a client' }).click()

  await expect(page).toHaveURL(`${fresh.url}/connect/client`)
  await expect(page.getByText('Waiting for the first request')).toBeVisible()
  await page.getByRole('tab', { name: 'curl' }).click()
  await runInShell(await copiedBy(page, page.getByRole('button', { name: 'Copy curl' })))
  await expect(page.getByRole('status').filter({ hasText: 'It works' })).toContainText('15 tokens')
  await page.getByRole('link', { name: 'View in logs' }).click()
  await expect(page).toHaveURL(`${fresh.url}/log`)
  const [channel] = await fresh.inner.db.selectFrom('channels').select(['base_url', 'type']).execute()
  expect(channel).toEqual({ base_url: vendor.url, type: 1 })
  expect(troubles).toEqual([])
  await fresh.stop()
})

const lineOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

/** Runs the copied example as a user would, in its own process. */
async function runInShell(command: string): Promise<void> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  expect(stdout).toContain('Hello')
}
