import type { Page, Route } from '@playwright/test'
import type { DashboardLive, DashboardSummary, QuotaData } from '../../shared/api/data.ts'

const HOUR_S = 3600
const models = [
  'gpt-4o',
  'claude-sonnet-4-20250514',
  'gemini-2.5-pro',
  'gpt-4o-mini',
  'deepseek-chat',
  'accounts/fireworks/models/llama-v3p1-405b-instruct',
  'text-embedding-3-large',
  'o3-mini',
]

/** Rows for these models in each hour of a range up to now: busy by day, quiet by night, and deterministic. */
function rowsOf({ from, to }: { from: number; to: number }, names: readonly string[]): QuotaData[] {
  const rows: QuotaData[] = []
  const end = Math.min(to, Date.now() / 1000)
  for (let at = Math.ceil(from / HOUR_S) * HOUR_S; at <= end; at += HOUR_S)
    for (const [place, model_name] of names.entries()) {
      const hour = (at / HOUR_S) % 24
      const wave = Math.max(0, Math.sin(((hour - 4) / 24) * Math.PI * 2)) + 0.15
      const count = Math.round((wave * 60 * (1 + ((hour * 7 + place * 13) % 5))) / (place + 1))
      if (count === 0) continue
      const common = { id: 0, user_id: 0, username: '', model_name, created_at: at }
      rows.push({ ...common, count, token_used: count * 1830, quota: count * Math.max(600, 9400 - place * 900) })
    }
  return rows
}

const ranked = (name: string, place: number, id = 0) => ({
  id,
  name,
  count: 812 - place * 97,
  quota: 48_200_000 / (place + 1) ** 2,
})

const summary: DashboardSummary = {
  made_at: 1_795_230_000,
  refresh_seconds: 300,
  today: { count: 18_422, errors: 37, quota: 91_400_000, token_used: 33_800_000 },
  yesterday: { count: 15_930, errors: 12, quota: 97_100_000, token_used: 29_200_000 },
  dearest: {
    models: models.slice(0, 5).map((name, place) => ranked(name, place)),
    tokens: ['laptop', 'integration-of-the-website', 'ci', 'guest', ''].map((name, place) =>
      ranked(name, place, place + 3),
    ),
    users: ['root', 'operations-team', 'a-person-with-a-rather-long-name', 'bob', 'eve'].map((name, place) =>
      ranked(name, place, place + 1),
    ),
  },
  latency: {
    whole: { count: 18_422, p50: 2143, p95: 14_263, p99: 38_055 },
    first: { count: 16_200, p50: 392, p95: 1290, p99: 4287 },
    is_sample: false,
  },
  account: { username: 'root', quota: 412_000_000, used_quota: 1_208_000_000, request_count: 402_118, days_left: 4.5 },
}

const live: DashboardLive = {
  requests: 748,
  errors: 3,
  token_used: 1_368_000,
  running: 41,
  channels: {
    total: 34,
    enabled: 31,
    troubled: 5,
    first: [
      {
        id: 3,
        name: 'Old account',
        state: 'auto_disabled',
        reason: 'status code 401: Incorrect API key provided: sk-proj-****abcd',
        seconds: 0,
      },
      { id: 2, name: 'Second account of the research department', state: 'failing', reason: 'overloaded', seconds: 95 },
      { id: 7, name: 'Azure, Sweden Central', state: 'limited', reason: 'Rate limit reached for gpt-4o', seconds: 12 },
      { id: 9, name: 'Spare', state: 'disabled', reason: '', seconds: 0 },
      { id: 11, name: 'Tests', state: 'disabled', reason: '', seconds: 0 },
    ],
  },
}

const answer = (data: unknown) => ({ json: { success: true, message: '', data } })

/** Stubs the dashboard of a busy installation with `count` models. */
export const busyDashboard =
  (count = models.length) =>
  async (page: Page): Promise<void> => {
    const names = Array.from({ length: count }, (_, place) => models[place] ?? `house-model-${place}`)
    const tellRows = (route: Route) => {
      const { searchParams: asked } = new URL(route.request().url())
      const range = { from: Number(asked.get('start_timestamp')), to: Number(asked.get('end_timestamp')) }
      return route.fulfill(answer(rowsOf(range, names)))
    }
    await page.route(/\/api\/data\?/, tellRows)
    await page.route(/\/api\/data\/summary/, (route) => route.fulfill(answer(summary)))
    await page.route(/\/api\/data\/live/, (route) => route.fulfill(answer(live)))
  }
