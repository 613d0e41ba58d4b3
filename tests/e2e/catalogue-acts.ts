import type { Page } from '@playwright/test'

const section = (page: Page) => page.locator('[data-section="operation/prices"]')

/**
 * A catalogue with every kind of row: changed, new, set by hand, with additional prices, and some that cannot be read.
 */
const published = {
  'gpt-4o': {
    litellm_provider: 'openai',
    input_cost_per_token: 2e-6,
    output_cost_per_token: 8e-6,
    cache_read_input_token_cost: 5e-7,
  },
  'gpt-4o-mini': { litellm_provider: 'openai', input_cost_per_token: 1.5e-7, output_cost_per_token: 6e-7 },
  'claude-sonnet-4-20250514': {
    litellm_provider: 'anthropic',
    input_cost_per_token: 3e-6,
    output_cost_per_token: 1.5e-5,
    cache_read_input_token_cost: 3e-7,
    cache_creation_input_token_cost: 3.75e-6,
    input_cost_per_token_above_200k_tokens: 6e-6,
  },
  o1: { litellm_provider: 'openai', input_cost_per_token: 1.2e-5, output_cost_per_token: 4.8e-5 },
  'a-model-with-a-name-that-is-longer-than-most-names-of-models-are': {
    litellm_provider: 'openai',
    input_cost_per_token: 2.5e-6,
    output_cost_per_token: 1e-5,
    input_cost_per_audio_token: 4e-5,
    output_cost_per_audio_token: 8e-5,
  },
  'dall-e-3': { litellm_provider: 'openai', output_cost_per_image: 0.05 },
  'whisper-1': { litellm_provider: 'openai', input_cost_per_second: 0.0001 },
}

export const openUpdate = async (page: Page) => {
  await section(page).locator('button:has([data-icon=refresh])').click()
  await page.locator('.side-drawer input[type=radio]').first().waitFor()
}

/** Opens the drawer for price updates and enters an invalid address. */
export const refuseAddress = async (page: Page) => {
  await openUpdate(page)
  await page.locator('.side-drawer label:has(input[value=url])').click()
  await page.locator('.side-drawer button[type=submit]').click()
  await page.locator('.side-drawer [aria-invalid=true]').waitFor()
}

/** Compares prices with a catalogue in a file. */
export const comparePrices = async (page: Page) => {
  await openUpdate(page)
  await page.locator('.side-drawer label:has(input[value=file])').click()
  const buffer = Buffer.from(JSON.stringify(published))
  await page
    .locator('.side-drawer input[type=file]')
    .setInputFiles({ name: 'prices.json', mimeType: 'application/json', buffer })
  await page.locator('.side-drawer button[type=submit]').click()
  await page.locator('.catalogue-changes .page-table').waitFor()
}

/** As `comparePrices`, for a scheduled update, including prices that cannot be scheduled. */
export const comparePricesLater = async (page: Page) => {
  await comparePrices(page)
  const fold = page.locator('.catalogue-fold summary').last()
  await fold.click()
  await page.locator('.catalogue-when [role=radio]').last().click()
  await page.locator('.catalogue-when-fields').waitFor()
  await fold.scrollIntoViewIfNeeded()
}

export const openScheduled = async (page: Page) => {
  await section(page).locator('button:has([data-icon=calendar])').click()
  await page.locator('.side-drawer-list :is(.page-table, .blank-state)').waitFor()
}

/** Opens the form for a new scheduled price, with an error in every field. */
export const openSchedule = async (page: Page) => {
  await openScheduled(page)
  await page.locator('.side-drawer-list button.bp6-intent-primary').click()
  await page.locator('.side-drawer-form').waitFor()
  await page.locator('.side-drawer-form button[type=submit]').click()
  await page.locator('.side-drawer-form [aria-invalid=true]').first().waitFor()
}

/** Stubs scheduled prices in every state. */
export const someScheduled = async (page: Page) => {
  const price = {
    rates: { model: 1, completion: 4, cache: 0.25 },
    dollars: { input: 2, output: 8, cache_read: 0.5 },
  }
  const row = { price, note: '', format: '', username: 'root', created_at: 1_790_000_000, done_at: 1_795_000_000 }
  const data = [
    {
      ...row,
      id: 1,
      model: 'gpt-4o',
      state: 'pending',
      valid_from: 1_830_000_000,
      done_at: 0,
      note: 'announced in May',
    },
    {
      ...row,
      id: 2,
      model: 'dall-e-3',
      state: 'applied',
      valid_from: 1_795_000_000,
      price: { rates: { fixed: 0.05 }, dollars: {} },
    },
    { ...row, id: 3, model: 'o1', state: 'cancelled', valid_from: 1_796_000_000, format: 'litellm' },
    { ...row, id: 4, model: 'claude-sonnet-4-20250514', state: 'failed', valid_from: 1_795_000_000 },
  ]
  await page.route(/\/api\/pricing\/scheduled/, (route) =>
    route.fulfill({ json: { success: true, message: '', data, total: data.length, pending: 1 } }),
  )
}
