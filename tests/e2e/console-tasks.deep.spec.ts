import { expect, type Page } from '@playwright/test'
import { PNG } from '../support/task-vendors.ts'
import { expectAccessible } from './accessible.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession, pressEscape, signIn, troublesOf } from './visitor.ts'

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

test('drawings: people see their own, without channel and banner; the entry disappears with its option', async ({
  page,
}) => {
  await draw()
  await holdSession(page.context(), vendor.url, 'alice')
  await page.goto(`${vendor.url}/midjourney`)
  await expect(page.getByText('drawing-1')).toBeVisible()
  await expect(page.getByText('drawing-2')).toHaveCount(0)
  await expect(page.getByText('Midjourney callbacks are turned off.')).toHaveCount(0)
  await expect(page.getByRole('columnheader', { name: 'Channel' })).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Channel ID' })).toHaveCount(0)
  const entry = (name: string) => page.getByRole('navigation', { name: 'Related pages' }).getByRole('link', { name })
  await expect(entry('Task logs')).toBeVisible()
  // The link in a page that was loaded long ago has expired: the list requests a new one automatically.
  let reads = 0
  await page.route(/\/api\/mj\/self/, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    reads += 1
    await route.fulfill({ response, body: reads === 1 ? text.replace(/until=\d+/g, 'until=1') : text })
  })
  await page.reload()
  await page.getByRole('button', { name: 'View the image of drawing-1' }).click()
  const picture = page.getByRole('dialog').getByRole('img', { name: 'Image of the drawing drawing-1' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  expect(reads).toBe(2)
  await page.unrouteAll({ behavior: 'wait' })
  await expect(page.getByRole('button', { name: 'Open the video' })).toHaveAttribute(
    'href',
    /^\/mj\/image\/drawing-1\?video=0/,
  )
  await pressEscape(page)
  for (const key of ['DrawingEnabled', 'TaskEnabled']) await vendor.root.put('/api/option', { key, value: 'false' })
  await page.reload()
  await expect(page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Usage logs' })).toBeVisible()
  await expect(entry('Drawing logs')).toHaveCount(0)
  await expect(entry('Task logs')).toHaveCount(0)
})

test('tasks: those since midnight, with a circle for their progress, and everything of one in a dialog', async ({
  page,
}) => {
  const { db } = vendor.inner
  const now = Math.floor(Date.now() / 1000)
  const song = {
    created_at: now,
    updated_at: now,
    user_id: 1,
    task_id: 'song-1',
    platform: 'suno',
    action: 'MUSIC',
    status: 'IN_PROGRESS',
    submit_time: now,
    progress: '35%',
    channel_id: 7,
    data: '[{"title":"The sea"}]',
  }
  const older = { task_id: 'song-0', submit_time: now - 2 * 86_400 }
  const done = { task_id: 'song-2', action: 'LYRICS', status: 'SUCCESS', progress: '100%', finish_time: now + 61 }
  for (const one of [{ ...song, ...older }, song, { ...song, ...done }])
    await db.insertInto('tasks').values(one).execute()
  const troubles = troublesOf(page)
  await signIn(page, vendor.url, '/task')
  const rows = rowsOf(page, 'Task logs')
  await expect(rows).toHaveCount(2)
  for (const text of ['Generate music', 'Running', '35%', 'suno', '7']) await expect(rows.nth(1)).toContainText(text)
  for (const text of ['Generate lyrics', 'Success', '100%']) await expect(rows.first()).toContainText(text)
  // The times are in seconds, not milliseconds: a minute and one second is red.
  await expect(rows.first().locator('[data-band]')).toHaveAttribute('data-band', 'red')
  await expect(rows.nth(1).getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '35')
  await expectAccessible(page)
  await rows.nth(1).getByRole('button', { name: 'song-1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Task details' })
  for (const text of ['"task_id": "song-1"', '"title": "The sea"']) await expect(dialog).toContainText(text)
  await pressEscape(page)
  expect(troubles).toEqual([])
})
