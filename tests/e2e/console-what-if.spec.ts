import { expect } from '@playwright/test'
import { aChannelDesk, type ChannelDesk, expectToast } from './channel-desk.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

let desk: ChannelDesk
test.beforeEach(async ({ page }) => {
  desk = await aChannelDesk(page)
})
test.afterEach(() => desk.stop())

/** Requests of an hour ago that a channel answered. */
async function served(channel: number, times: number): Promise<void> {
  const row = {
    user_id: 1,
    created_at: Math.floor(Date.now() / 1000) - 3600,
    type: 2,
    model_name: 'gpt-4o',
    channel_id: channel,
    token_name: 'client',
    group: 'default',
    quota: 500,
    request_id: 'a-request',
    other: JSON.stringify({ duration_ms: 1200, ended: 'complete', admin_info: { use_channel: [String(channel)] } }),
  }
  await desk.gateway.inner.db
    .insertInto('logs')
    .values(Array.from({ length: times }, () => row))
    .execute()
}

test('what would have happened without a channel is worked out, told, and applied once it has been read', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await desk.show({ name: 'main', priority: 10 }, { name: 'spare', models: 'gpt-4o' })
  await served(1, 40)
  await page.goto(`${desk.gateway.url}/explain-routing`)
  await page.getByText('What if', { exact: true }).click()
  await expect(page).toHaveURL(/tab=what-if/)
  await expect(page.getByRole('heading', { name: 'See what a change of channels would do' })).toBeVisible()

  // By keyboard: found by its name, switched off, worked out.
  await page.getByLabel('Add a channel to change').focus()
  await page.keyboard.type('mai')
  await expect(page.locator('.what-if-picks').getByRole('option')).toHaveText([/main/])
  await page.keyboard.press('Enter')
  const main = page.getByRole('group', { name: 'main' })
  await expect(main).toContainText('Now: enabled, priority 10, weight 0')
  await main.getByLabel('Enabled').focus()
  await page.keyboard.press('Space')
  await main.getByLabel('Weight').fill('x')
  await expect(main).toContainText('Enter a whole number')
  await expect(page.getByRole('button', { name: 'Work it out' })).toBeDisabled()
  await main.getByLabel('Weight').fill('3')
  await page.getByLabel('Retries on failure').selectOption('1')
  await main.getByLabel('Weight').press('Enter')

  await expect(page.getByText('Of 40 requests, 40 would be answered (40 were)')).toBeVisible()
  await expect(page.getByText('Models that a group could no longer use: 1.')).toBeVisible()
  await expect(page.getByText('“spare” was not used in this time.')).toBeVisible()
  const channels = page.getByRole('table', { name: 'By channel, was → would be' })
  await expect(channels.getByRole('row').filter({ hasText: 'main' })).toContainText('40 → 0')
  await expect(channels.getByRole('row').filter({ hasText: 'spare' })).toContainText('0 → 40')
  await expect(channels.getByRole('row').filter({ hasText: 'spare' })).toContainText('Never served')
  await expect(page.getByRole('region', { name: 'Models no longer available' })).toContainText('gpt-4o-mini')
  await expect(page.getByRole('region', { name: 'What this is based on' })).toContainText(
    'Prices are by model and group',
  )

  await page.getByLabel('Requests', { exact: true }).selectOption('6')
  await expect(page.getByText('You have changed the form since.')).toBeVisible()
  await page.getByRole('button', { name: 'Apply to channels…' }).click()
  const question = page.getByRole('alertdialog', { name: 'Apply these changes?' })
  await expect(question).toContainText('main: disable, weight 0 → 3')
  await expect(question).toContainText('The number of retries is not changed here.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect((await desk.ask('GET', '/api/channel/1')).data).toMatchObject({ status: 1, weight: 0 })
  await page.getByRole('button', { name: 'Apply to channels…' }).click()
  await question.getByRole('button', { name: 'Apply' }).click()
  await expectToast(page, 'Channels updated: 1')
  expect((await desk.ask('GET', '/api/channel/1')).data).toMatchObject({ status: 2, weight: 3, priority: 10 })
  expect((await desk.ask('GET', '/api/channel/2')).data).toMatchObject({ status: 1, weight: 0 })
  expect(troubles).toEqual([])
})
