import type { Page, Route } from '@playwright/test'
import type { DeepTestResult, ProxyVerdict, Run, RunItem } from '../../shared/api/channel-runs.ts'
import type { Verdict } from '../../shared/api/verdict.ts'
import { unfold } from './channel-fixture.ts'
import { chooseInRow } from './screen-acts.ts'

/** A successful response of the gateway with this data. */
const report = (route: Route, data: unknown) => route.fulfill({ json: { success: true, message: '', data } })

const showRuns =
  (...runs: Run[]) =>
  (page: Page) =>
    page.route(/\/api\/channel\/runs$/, (route) => report(route, runs))

const item = (id: number, name: string, more: Partial<RunItem> = {}): RunItem => ({
  channel_id: id,
  name,
  ok: true,
  message: '',
  seconds: 1.2,
  balance: null,
  switched: '',
  ...more,
})
const items = [
  item(1, 'Main account'),
  item(2, 'Second account of the research department', {
    ok: false,
    message: 'status code 401: Incorrect API key provided. 请检查密钥。',
    switched: 'off',
  }),
  item(3, 'Old account', { switched: 'on' }),
  item(4, 'eu-west', { ok: false, message: 'The upstream did not answer in time' }),
  item(5, 'eu-north'),
]
const going: Run = { kind: 'test', state: 'running', total: 12, started_at: 1_700_000_000, ended_at: 0, items }

/** A run in progress, and one that has ended. */
export const showGoing = showRuns(going)
/** Both kinds of runs at their end: one completed, one cancelled. */
export const showEnded = (page: Page) => {
  const ended_at = Math.floor(Date.now() / 1000) - 60
  const balances: Run = {
    ...going,
    kind: 'balance',
    state: 'done',
    total: 2,
    ended_at,
    items: [items[0], items[4]] as RunItem[],
  }
  return showRuns({ ...going, state: 'cancelled', ended_at }, balances)(page)
}

const verdict = (ms: number, more: Partial<Verdict> = {}): Verdict => ({
  ok: true,
  ms,
  code: 'ok',
  message: '',
  ...more,
})
const examinations: readonly DeepTestResult[] = [
  {
    model: 'gpt-4o',
    upstream_model: 'gpt-4o-2024-11-20',
    kind: 'chat',
    plain: verdict(812),
    stream: verdict(640, { ok: false, code: 'unreadable' }),
    tool: verdict(1204, { ok: false, code: 'no_tool_call' }),
  },
  {
    model: 'gpt-4o-mini',
    upstream_model: 'gpt-4o-mini',
    kind: 'chat',
    plain: verdict(95, { ok: false, code: 'no_credit', message: 'You exceeded your current quota' }),
    stream: verdict(88, { ok: false, code: 'no_credit', message: 'You exceeded your current quota' }),
    tool: verdict(0, { ok: false, code: 'no_credit' }),
  },
]

/** Stubs the findings of a deep test. */
export const foundOut = (page: Page) =>
  page.route(/\/api\/channel\/deep_test\//, (route) => {
    const { model } = route.request().postDataJSON()
    return report(
      route,
      examinations.find((one) => one.model === model),
    )
  })

/** Opens the models of the last channel that has test buttons. */
export const openTests = async (page: Page) => {
  await page.locator('.channel-actions .bp6-button-group button').last().click()
  await page.locator('.bp6-dialog').waitFor()
}

/** Runs a deep test of all models of the channel with the most. */
export async function deepTestAll(page: Page): Promise<void> {
  await page.locator('.channel-actions .bp6-button-group button:nth-child(2)').first().click()
  await page.getByRole('radio').last().click()
  await page.locator('.test-dialog-foot .bp6-dialog-footer-main-section button').click()
  await page.locator('.test-dialog-models > li').last().locator('.verdict-line').first().waitFor()
}

/** Stubs the verdict on a proxy. */
export const proxySays = (said: ProxyVerdict) => (page: Page) =>
  page.route(/\/api\/channel\/proxy$/, (route) => report(route, said))

/** Verifies a proxy in the editor of the last channel. */
export async function verifyProxy(page: Page): Promise<void> {
  await chooseInRow('edit')(page)
  await unfold(page)
  await page.locator('[name=proxy]').fill('socks5://user:password@proxy.internal:1080')
  await page.locator('.bp6-form-group:has([name=proxy]) button').click()
  await page.locator('.proxy-verdict .verdict-line').waitFor()
  await page.locator('.proxy-verdict').evaluate((words) => words.scrollIntoView({ block: 'center' }))
}

/** Requests the balance of the first channel, whose vendor reports none. */
export async function askBalance(page: Page): Promise<void> {
  await page.locator('.page-table .tabular.bp6-minimal.bp6-button').first().click()
  await page.locator('.remaining-failure .bp6-tag').first().waitFor()
}

/** Opens the menu of actions on all channels. */
export const openBatchMenu = (page: Page) =>
  page.locator('.channel-toolbar button:has([data-icon=chevron-down])').click()
