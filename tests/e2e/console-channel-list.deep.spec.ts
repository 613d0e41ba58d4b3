import { expect } from '@playwright/test'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { aChannelFixture, type ChannelFixture, confirm, expectToast, rowOf } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { openStopped } from './stopped-clock.ts'
import { tick, troublesOf } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

test('a failed test is visible: its status, its age, and in a popover its meaning and the provider’s message', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  fixture.upstream.answers({ status: 404, body: { error: { message: 'no such model here' } } })
  await fixture.make({ name: 'main' })
  await fixture.ask('GET', '/api/channel/test/1')
  await openStopped(page, () => fixture.show())
  const row = rowOf(page, 'main')
  const failed = row.getByRole('button', { name: 'Failed 404' })
  await expect(failed).toHaveClass(/intent-danger/)
  await expect(row).toContainText('just now')
  await expect(row).not.toContainText(/\d m?s\b/)
  await page.clock.fastForward('03:10')
  await expect(row.locator('time')).toHaveText('3 min ago')
  await expect(row.locator('time')).toHaveAttribute('title', /20\d\d/)
  await page.clock.resume()
  await failed.click()
  const why = page.getByRole('dialog', { name: 'Last test result of main' })
  await expect(why).toContainText('no such model here')
  await expect(why).toContainText('3 min ago')
  await expectAccessibleInBothThemes(page)
  expect(troubles).toEqual([])
})

test('a row shows its models and its activity of 24 hours, and its name opens its form; Back closes it with a confirmation', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  const hours = (last: number) => [...new Array(23).fill(0), last]
  await page.route(/\/api\/channel\/activity$/, (route) => {
    const channels = [{ channel_id: 1, served: hours(95), failed: hours(5) }]
    return route.fulfill({ json: { success: true, message: '', data: { since: 1, channels } } })
  })
  await fixture.show({ name: 'main', models: 'gpt-4o,gpt-4o-mini,o3' }, { name: 'spare' })
  const row = rowOf(page, 'main')
  await expect(row).toContainText('95%')
  await expect(row.getByRole('img', { name: /^Requests per hour, last 24 hours: 0, .*100$/ })).toBeVisible()
  await row.getByRole('button', { name: '3 gpt-4o, gpt-4o-mini' }).click()
  await expect(page.getByRole('dialog', { name: 'Models of main (3)' })).toContainText('o3')
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')

  const drawer = page.getByRole('dialog', { name: 'Edit main' })
  await row.getByRole('link', { name: 'main' }).press('Enter')
  await expect(page).toHaveURL(`${fixture.gateway.url}/channel/edit/1`)
  await drawer.getByLabel('Name', { exact: true }).fill('renamed')
  await page.goBack()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(drawer.getByLabel('Name', { exact: true })).toHaveValue('renamed')
  await page.goBack()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(drawer).toHaveCount(0)
  await expect(page).toHaveURL(`${fixture.gateway.url}/channel`)

  await page.getByRole('button', { name: 'Add channel' }).click()
  await expect(page).toHaveURL(`${fixture.gateway.url}/channel/new`)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await row.getByRole('link', { name: 'main' }).click()
  await drawer.getByLabel('Name', { exact: true }).fill('renamed')
  await drawer.locator('button[type=submit]').click()
  await expect(rowOf(page, 'renamed')).toBeVisible()
  await expect(page).toHaveURL(`${fixture.gateway.url}/channel`)
  expect(troubles).toEqual([])
})

test('several channels are enabled, disabled and ordered at once; disabling needs a confirmation that names them', async ({
  page,
}) => {
  await openStopped(page, () => fixture.show({ name: 'one' }, { name: 'two' }, { name: 'three' }))
  await page.clock.resume()
  await page.getByText('Select multiple').click()
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await expectToast(page, 'Select the channels first')
  await page.clock.fastForward('00:07')
  await expectToast(page, 'Select the channels first')
  await tick(page.getByRole('checkbox', { name: 'Select one' }))
  await tick(page.getByRole('checkbox', { name: 'Select two' }))
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toContainText('two, one')
  await confirm(page, 'Disable the selected channels (2)?', 'Disable')
  await expectToast(page, 'Channels updated: 2')
  await expect(rowOf(page, 'one')).toContainText('Disabled')
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  await expect(rowOf(page, 'one')).toContainText('Enabled')
  await expectToast(page, 'Channels updated: 2')
  await page.clock.fastForward('00:07')
  await expect(page.locator('.bp6-toast')).toHaveCount(0)
  await page.getByRole('button', { name: 'Set weight' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set weight' })
  await dialog.getByLabel('Weight').fill('-1')
  await dialog.getByLabel('Weight').press('Enter')
  await expect(dialog.getByLabel('Weight')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Weight').fill('4')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('textbox', { name: 'Weight: two' })).toHaveValue('4')
  await expect(page.getByRole('textbox', { name: 'Weight: three' })).toHaveValue('0')
})

test('a number that is refused, or not confirmed after all, does not stay in its row', async ({ page }) => {
  await fixture.show({ name: 'one', tag: 'red', priority: 3 })
  const calls = '**/api/channel'
  await page.route(calls, (route) => (route.request().method() === 'PUT' ? route.abort() : route.fallback()))
  const own = page.getByRole('textbox', { name: 'Priority: one' })
  await own.fill('7')
  await own.press('Enter')
  await expect(page.locator('.bp6-toast')).toBeVisible()
  await expect(own).toHaveValue('3')
  await page.unroute(calls)
  await page.getByText('Group by tag').click()
  const shared = page.getByRole('textbox', { name: 'Priority: Tag: red' })
  await shared.fill('9')
  await shared.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(shared).toHaveValue('3')
})
