import { expect, type Page } from '@playwright/test'
import { aChannelFixture, type ChannelFixture } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

async function explain(page: Page, model: string): Promise<void> {
  await page.getByLabel('Model').fill(model)
  await page.getByRole('button', { name: 'Explain routing' }).click()
}

test('"Routing explorer" shows in text and in a table which channels would be used, which not, and why; nothing is called', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await fixture.show(
    { name: 'first', priority: 10, weight: 0 },
    { name: 'twin', priority: 10, weight: 0 },
    { name: 'last', model_mapping: '{"gpt-4o":"gpt-4o-2024-11-20"}' },
    { name: 'away' },
  )
  await fixture.ask('PUT', '/api/channel', { id: 4, status: 2 })
  await fixture.ask('PUT', '/api/option', { key: 'RetryTimes', value: '2' })
  await page.getByRole('link', { name: 'Routing explorer' }).click()
  await expect(page.getByRole('heading', { name: 'Find out which channel would be used' })).toBeVisible()
  await page.getByRole('button', { name: 'Explain routing' }).click()
  await expect(page.getByText('Enter a model', { exact: true })).toBeVisible()
  const calls = fixture.upstream.requests.length

  await explain(page, 'gpt-4o')
  const said = page.getByRole('status')
  await expect(said).toContainText('A request for gpt-4o in the group default would first use')
  await expect(said).toContainText('“first” (50%) or “twin” (50%)')
  await expect(said).toContainText('then “last”. It would be retried on at most 2 other channels.')
  const table = page.getByRole('table', { name: 'Candidate channels' })
  await expect(table.getByRole('row')).toContainText([
    /Channel/,
    /Priority 10/,
    /(first|twin).*50%.*\(0 \+ 10\) of 20.*Eligible.*gpt-4o.*1 of 1/,
    /(first|twin).*50%/,
    /Priority 0/,
    /last.*100%.*\(0 \+ 10\) of 10.*gpt-4o-2024-11-20/,
  ])
  await expect(page.getByRole('region', { name: 'Disabled' })).toContainText(/away.*Disabled/)
  await explain(page, 'nobody-has-this')
  await expect(page.getByText('This request would be refused')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No channel in this group offers this model' })).toBeVisible()
  expect(fixture.upstream.requests.length).toBe(calls)
  await page.goBack()
  await expect(page.getByLabel('Model')).toHaveValue('gpt-4o')
  await expect(said).toContainText('“first” (50%)')
  await table.getByRole('link', { name: 'last' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit last' })).toBeVisible()
  expect(troubles).toEqual([])
})
