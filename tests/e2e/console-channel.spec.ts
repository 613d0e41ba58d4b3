import { expect } from '@playwright/test'
import { aChannelFixture, type ChannelFixture, choose, confirm, expectToast, rowOf } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

test('enable, disable, copy and delete; the copy has the key, disabled channels are greyed (docs/reference/screens.md#channels)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await fixture.show({ name: 'main', key: 'sk-secret' })
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
  expect(fixture.upstream.last().headers.authorization).toBe('Bearer sk-secret')
  await choose(page, 'main copy', 'Delete')
  await confirm(page, 'Delete channel “main copy”?', 'Delete')
  await expectToast(page, 'Channel main copy deleted')
  await expect(rowOf(page, 'main copy')).toHaveCount(0)
  await choose(page, 'main', 'Delete')
  await confirm(page, 'Delete channel “main”?', 'Delete')
  await expect(page.getByRole('heading', { name: 'No channels yet' })).toBeVisible()
  expect(troubles).toEqual([])
})
