import { expect, type Page, test } from '@playwright/test'
import { logReceipts } from './receipt-rows.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor()
  await vendor.channel({ name: 'Main account' })
  await logReceipts(vendor.inner)
})
test.afterAll(() => vendor.stop())

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first()

test('a receipt that is partly scrolled away is overprinted by nothing', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await signIn(page, vendor.url, '/log')
  await rowOf(page, 'claude-sonnet-4-5').locator('[aria-expanded]').click()
  const steps = page.locator('.log-receipt-steps tr')
  await steps.nth(3).evaluate((step) => step.scrollIntoView({ block: 'end' }))
  const boxes = await steps.evaluateAll((rows) => rows.map((row) => row.firstElementChild?.getBoundingClientRect()))
  const overlaps = boxes.filter((box, place) => place > 0 && (box?.top ?? 0) < (boxes[place - 1]?.bottom ?? 0) - 1)
  expect(overlaps).toEqual([])
  const sticky = await page
    .locator('.page-table-detail *')
    .evaluateAll((inner) =>
      inner.filter((one) => getComputedStyle(one).position === 'sticky').map((one) => one.className),
    )
  expect(sticky).toEqual(['log-detail'])
})
