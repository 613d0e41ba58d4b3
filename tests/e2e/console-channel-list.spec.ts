import { expect, test } from '@playwright/test'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { aChannelDesk, type ChannelDesk, rowOf } from './channel-desk.ts'
import { troublesOf } from './visitor.ts'

let desk: ChannelDesk
test.beforeEach(async ({ page }) => {
  desk = await aChannelDesk(page)
})
test.afterEach(() => desk.stop())

test('a failed test looks failed: its status, its age, and behind it what it means and what the provider said', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await page.clock.install()
  desk.upstream.answers({ status: 404, body: { error: { message: 'no such model here' } } })
  await desk.make({ name: 'main' })
  await desk.ask('GET', '/api/channel/test/1')
  await desk.show()
  const row = rowOf(page, 'main')
  const failed = row.getByRole('button', { name: 'Failed 404' })
  await expect(failed).toHaveClass(/intent-danger/)
  await expect(row).toContainText('just now')
  await expect(row).not.toContainText(/\d m?s\b/)
  await page.clock.fastForward('03:10')
  await expect(row.locator('time')).toHaveText('3 min ago')
  await expect(row.locator('time')).toHaveAttribute('title', /20\d\d/)
  await failed.click()
  const why = page.getByRole('dialog', { name: 'What the last test of main found' })
  await expect(why).toContainText('no such model here')
  await expectAccessibleInBothThemes(page)
  expect(troubles).toEqual([])
})
