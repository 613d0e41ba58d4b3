import { expect, type Page } from '@playwright/test'
import { chatAnswer } from '../support/chat.ts'
import { type Client, dataOf } from '../support/client.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

/** Every figure that links to the log opens the entries that add up to it (docs/reference/dashboard.md). */
let fixture: ServedVendor
test.beforeAll(async () => {
  fixture = await servedVendor()
  const ModelRatio = '{"house-large":100,"house-medium":30,"house-small":10}'
  dataOf(await fixture.root.put('/api/option', { key: 'ModelRatio', value: ModelRatio }))
  await fixture.channel({ name: 'Main account', models: 'house-large,house-medium,house-small' })
  const people = [fixture.root, await fixture.person('alice'), await fixture.person('alicia')]
  for (const [at, who] of people.entries()) {
    await asks(who, 'house-large', 1000 + at)
    await asks(who, 'house-small', 2000 + at)
    await renameToken(who)
    await asks(who, 'house-medium', 500 + at)
  }
  fixture.upstream.answers({ status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } })
  for (const who of people) await fixture.asks(who, 'house-large')
})
test.afterAll(() => fixture.stop())

async function asks(who: Client, model: string, prompt: number) {
  fixture.upstream.answers({ body: chatAnswer('hello', { prompt, completion: 10 }) })
  expect(await fixture.asks(who, model)).toBe(200)
}

/** Each user's token gets the name that another one of theirs has too. */
async function renameToken(who: Client) {
  const [{ id }] = dataOf(await who.get('/api/token/?p=0&page_size=10'))
  dataOf(await who.post('/api/token', { name: 'website', unlimited_quota: true }))
  dataOf(await who.put('/api/token', { id, name: 'website', unlimited_quota: true }))
}

/** The ranking's links, each with its figure. */
const ranked = (page: Page) =>
  page.locator('.chart-rank li:has(a)').evaluateAll((items) =>
    items.map((item) => ({
      to: item.querySelector('a')?.getAttribute('href') ?? '',
      amount: item.querySelector('.tabular')?.textContent ?? '',
    })),
  )

for (const query of ['', '?user=alice', '?range=today'])
  test(`the rankings of /detail${query} lead to entries with the same sum`, async ({ page }) => {
    await signIn(page, fixture.url, `/detail${query}`)
    await expect(page.locator('.chart-rank li:has(a)').first()).toBeVisible()
    const links = await ranked(page)
    expect(links).toHaveLength(query === '?user=alice' ? 4 : 9)
    for (const { to, amount } of links) {
      await page.goto(fixture.url + to)
      await expect(page.locator('.log-badges'), to).toContainText(`Used ${amount}`)
    }
  })

for (const [query, errors] of [
  ['', 3],
  ['?user=alice', 1],
] as const)
  test(`the errors of /detail${query} lead to as many entries`, async ({ page }) => {
    await signIn(page, fixture.url, `/detail${query}`)
    await page
      .locator('.dash-figure a')
      .filter({ hasText: String(errors) })
      .click()
    await expect(page.getByRole('main').locator('tbody > tr')).toHaveCount(errors)
  })

test('what a user has spent is the sum of their entries', async ({ page }) => {
  await signIn(page, fixture.url, '/user')
  const row = page.getByRole('row').filter({ has: page.getByText('alicia', { exact: true }) })
  await expect(row).toBeVisible()
  // settled: a row is rendered at once
  const shown = await row.textContent()
  await row.getByRole('button', { name: 'Actions for alicia' }).click()
  await page.getByRole('menuitem', { name: 'Show usage log' }).click()
  const badge = page.locator('.log-badges > *').first()
  await expect(badge).toHaveText(/^Used \$/)
  // settled: the badge has its amount
  const used = (await badge.textContent())?.replace('Used ', '')
  expect(shown).toContain(used)
})
