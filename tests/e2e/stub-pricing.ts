import type { Page } from '@playwright/test'
import type { ListedPrice, PriceFacts } from '../../shared/api/pricing.ts'

const usual: ListedPrice = {
  model_name: '',
  quota_type: 0,
  model_ratio: 1.25,
  completion_ratio: 4,
  model_price: 0,
  owner_by: '',
  enable_groups: ['default', 'vip'],
  cache_ratio: 0.5,
  cache_creation_ratio: 1.25,
  cache_creation_ratio_1h: 2,
  image_ratio: 1,
  audio_ratio: null,
  audio_completion_ratio: 1,
  audio_input_price: null,
  price_steps: [],
  web_search_price: { low: 30, medium: 35, high: 50 },
  unset: false,
}

/** Models of many makers, with every kind of price. */
const models: readonly Partial<ListedPrice>[] = [
  { model_name: 'claude-opus-4-20250514', model_ratio: 7.5, completion_ratio: 5, cache_ratio: 0.1 },
  { model_name: 'claude-sonnet-4-20250514', model_ratio: 1.5, completion_ratio: 5, cache_ratio: 0.1 },
  { model_name: 'dall-e-3', quota_type: 1, model_price: 0.04, enable_groups: ['vip'] },
  { model_name: 'deepseek-chat', model_ratio: 0.135, cache_ratio: 0.25 },
  { model_name: 'gemini-2.0-flash', model_ratio: 0.05, audio_input_price: 0.7 },
  { model_name: 'glm-4-flash', model_ratio: 0, completion_ratio: 1 },
  {
    model_name: 'gpt-4o',
    price_steps: [
      { above: 32_000, input: 2, output: 2 },
      { above: 128_000, input: 2.5, output: 2.5 },
    ],
  },
  {
    model_name: 'gpt-4o-audio-preview',
    audio_ratio: 16,
    audio_completion_ratio: 2,
    enable_groups: ['research', 'vip'],
  },
  { model_name: 'gpt-4o-mini', model_ratio: 0.075 },
  { model_name: 'grok-3-beta', model_ratio: 1.5, completion_ratio: 5 },
  {
    model_name: 'ERNIE-4.0-8K',
    model_ratio: 8.21918,
    completion_ratio: 1,
    enable_groups: ['default', 'research', 'vip'],
  },
  { model_name: 'internal/summaries-of-the-research-department-2026', unset: true, model_ratio: 37.5 },
  { model_name: 'mj_imagine', quota_type: 1, model_price: 0.1 },
  { model_name: 'qwen-plus', model_ratio: 10, completion_ratio: 1, enable_groups: ['default'] },
  { model_name: 'text-embedding-3-small', model_ratio: 0.01, completion_ratio: 1, cache_ratio: 1 },
]

const facts: PriceFacts = {
  group_ratio: { default: 1, research: 6, svip: 3.5, vip: 1.5 },
  usable_group: { default: 'default group', research: 'Own account', svip: '', vip: 'vip group', auto: '' },
  auto_groups: ['vip', 'default'],
  own_group: 'default',
  accepts_unset: false,
  quota_per_unit: 500_000,
  file_search_price: 2.5,
  code_container_price: 30,
}

/** Stubs a long list of prices, for a user who can top up online. */
export async function sellsModels(page: Page): Promise<void> {
  const data = models.map((model) => ({ ...usual, ...model }))
  await page.route(/\/api\/pricing$/, (route) =>
    route.fulfill({ json: { success: true, message: '', data, ...facts } }),
  )
  await page.route(/\/api\/status$/, async (route) => {
    const response = await route.fetch()
    const told = await response.json()
    await route.fulfill({ json: { ...told, data: { ...told.data, enable_online_topup: true, price: 2 } } })
  })
}

/** Shows ratios, expands the first row and selects two. */
export async function unfoldPrices(page: Page): Promise<void> {
  await page.locator('.pricing-ratio-switch .bp6-switch').click()
  const checks = page.locator('.page-table-check:visible')
  await checks.nth(1).click()
  await checks.nth(2).click()
  await page.locator('.page-table-opener').first().click()
}

/** Calculates the cost of a call, and waits for the receipt. */
export async function askCost(page: Page): Promise<void> {
  await page.locator('.bp6-drawer .section-head').first().click()
  await page.locator('.bp6-drawer button.bp6-intent-primary').click()
  await page.locator('.estimate-answer .receipt').waitFor()
}
