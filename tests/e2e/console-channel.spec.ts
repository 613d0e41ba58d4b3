import { expect } from '@playwright/test'
import { aChannelDesk, type ChannelDesk, choose, confirm, expectToast, rowOf } from './channel-desk.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

let desk: ChannelDesk
test.beforeEach(async ({ page }) => {
  desk = await aChannelDesk(page)
})
test.afterEach(() => desk.stop())

test('enable, disable, copy and delete; the copy keeps the key, what is off is greyed (docs/reference/screens.md#channels)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await desk.show({ name: 'main', key: 'sk-secret' })
  const row = rowOf(page, 'main')
  await choose(page, 'main', 'Disable')
  await expect(row).toContainText('Disabled')
  await expect(row).toHaveClass(/bp6-text-muted/)
  const colourOf = () =>
    row
      .locator('td')
      .first()
      .evaluate((cell) => getComputedStyle(cell).color)
  const muted = await colourOf()
  await choose(page, 'main', 'Enable')
  await expect(row).not.toHaveClass(/bp6-text-muted/)
  await expect.poll(colourOf).not.toBe(muted)
  await choose(page, 'main', 'Copy')
  await expectToast(page, 'Copied as main copy')
  await page.getByRole('button', { name: 'Test main copy', exact: true }).click()
  await expectToast(page, 'Channel main copy ok')
  expect(desk.upstream.last().headers.authorization).toBe('Bearer sk-secret')
  await choose(page, 'main copy', 'Delete')
  await confirm(page, 'Delete channel “main copy”?', 'Delete')
  await expectToast(page, 'Channel main copy deleted')
  await expect(rowOf(page, 'main copy')).toHaveCount(0)
  await choose(page, 'main', 'Delete')
  await confirm(page, 'Delete channel “main”?', 'Delete')
  await expect(page.getByRole('heading', { name: 'No channels yet' })).toBeVisible()
  expect(troubles).toEqual([])
})

test('all channels of a tag are disabled and enabled (docs/reference/screens.md#channels)', async ({ page }) => {
  const troubles = troublesOf(page)
  await desk.show({ name: 'one', tag: 'west' }, { name: 'two', tag: 'west' })
  await page.getByText('Tag aggregation').click()
  const west = rowOf(page, 'Tag: west')
  await expect(west).toContainText('2 of 2 enabled')
  await choose(page, 'Tag: west', 'Disable all')
  await expect(west).toContainText('0 of 2 enabled')
  await choose(page, 'Tag: west', 'Enable all')
  await expect(west).toContainText('2 of 2 enabled')
  expect(troubles).toEqual([])
})

test('a test shows its time in colour; single models are tested and judged (docs/reference/screens.md#channels)', async ({
  page,
}) => {
  await desk.show({ name: 'main' })
  await expect(rowOf(page, 'main')).toContainText('Untested')
  await page.getByRole('button', { name: 'Test main', exact: true }).click()
  await expectToast(page, /Channel main OK, \d+\.\d\d s/)
  await expect(rowOf(page, 'main').locator('[data-band=green]')).toHaveText(/\d m?s$/)
  expect(desk.upstream.last().json.model).toBe('gpt-4o')

  desk.upstream.answers(({ json }) =>
    json.model === 'gpt-4o'
      ? { status: 404, body: { error: { message: 'no such model' } } }
      : { body: { choices: [] } },
  )
  await page.getByRole('button', { name: 'Test individual models of main' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test models of main' })
  await dialog.getByRole('button', { name: 'Test all (2)' }).click()
  await expect(dialog.getByRole('listitem').first()).toContainText('status code 404: no such model')
  await expect(dialog.getByRole('listitem').last().locator('.bp6-intent-success')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Search models' }).fill('mini')
  await dialog.getByRole('button', { name: 'Test gpt-4o-mini' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
})
