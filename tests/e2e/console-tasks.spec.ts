import { expect, type Page } from '@playwright/test'
import { PNG } from '../support/task-vendors.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { pressEscape, signIn, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

const rowsOf = (page: Page, name: string) => page.getByRole('table', { name }).locator('tbody tr')

/** Creates two drawings of alice's and one of root's; the images are at the vendor. */
async function draw(): Promise<void> {
  const { db } = vendor.inner
  await vendor.channel({ type: 5, models: 'mj_imagine', name: 'Proxy' })
  await vendor.person('alice')
  const { id: alice } = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'alice')
    .executeTakeFirstOrThrow()
  vendor.upstream.answers({ headers: { 'content-type': 'image/png' }, body: PNG })
  const now = Date.now()
  const row = {
    user_id: alice,
    code: 1,
    action: 'IMAGINE',
    mj_id: 'drawing-1',
    prompt: 'a lighthouse '.repeat(30),
    submit_time: now - 50_000,
    finish_time: now - 20_000,
    status: 'SUCCESS',
    progress: '100%',
    channel_id: 1,
    image_url: `${vendor.upstream.url}/one.png`,
    video_urls: JSON.stringify([`${vendor.upstream.url}/one.mp4`]),
  }
  const failed = { mj_id: 'drawing-2', action: 'UPSCALE', status: 'FAILURE', fail_reason: 'Declined', image_url: '' }
  const old = { mj_id: 'drawing-0', submit_time: now - 40 * 86_400_000 }
  const rows = [{ ...row, ...old }, row, { ...row, ...failed, finish_time: now + 60_000, user_id: 1, channel_id: 2 }]
  for (const one of rows) await db.insertInto('midjourneys').values(one).execute()
}

test('drawings: an administrator sees those of all users, filters them, reads a prompt and looks at a picture', async ({
  page,
}) => {
  await draw()
  const troubles = troublesOf(page)
  await signIn(page, vendor.url, '/log')
  await page.getByRole('navigation', { name: 'Related pages' }).getByRole('link', { name: 'Drawing logs' }).click()
  await expect(page.getByText('Midjourney callbacks are turned off.')).toBeVisible()
  const rows = rowsOf(page, 'Drawing logs')
  // Collapsed columns have a separate line; the row of 40 days ago is outside the range.
  await expect(page.getByRole('button', { name: 'View the image of drawing-1' })).toBeVisible()
  await expect(page.getByText('drawing-0')).toHaveCount(0)
  for (const text of ['Imagine', 'Submitted', 'Success', '100%', '30 s'])
    await expect(page.locator('main')).toContainText(text)
  for (const text of ['Upscale', 'Failed', 'Declined']) await expect(page.locator('main')).toContainText(text)
  await expect(rows.filter({ hasText: 'drawing-2' }).locator('[data-band]')).toHaveAttribute('data-band', 'red')
  await expect(rows.filter({ hasText: 'drawing-1' }).locator('[data-band]')).toHaveAttribute('data-band', 'green')
  await expect(rows.filter({ hasText: 'drawing-2' }).locator('.bp6-progress-bar')).toHaveClass(/bp6-intent-warning/)
  await page.getByRole('button', { name: 'View the image of drawing-1' }).click()
  const picture = page.getByRole('dialog').getByRole('img', { name: 'Image of the drawing drawing-1' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  await pressEscape(page)
  await page.locator('.long-text').filter({ hasText: 'a lighthouse' }).first().click()
  await expect(page.getByRole('dialog')).toContainText('a lighthouse a lighthouse')
  await pressEscape(page)
  const channel = page.getByRole('textbox', { name: 'Channel ID' })
  await channel.fill('2')
  // A closing dialog returns the focus once it is gone.
  await channel.press('Enter')
  await expect(page.getByText('drawing-1')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Task ID' }).fill('drawing-9')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No matching tasks')).toBeVisible()
  // The filter is in the address, and Back undoes one step of it, in the fields too.
  await expect(page).toHaveURL(/channel=2&task=drawing-9$/)
  await page.goBack()
  await expect(page.getByText('drawing-2').first()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Task ID' })).toHaveValue('')
  await page.goForward()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByText('drawing-2').first()).toBeVisible()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByText('drawing-1')).toBeVisible()
  // Turning callbacks on removes the banner.
  await vendor.root.put('/api/option', { key: 'MjNotifyEnabled', value: 'true' })
  await page.reload()
  await expect(page.getByText('drawing-1')).toBeVisible()
  await expect(page.getByText('Midjourney callbacks are turned off.')).toHaveCount(0)
  expect(troubles).toEqual([])
})
