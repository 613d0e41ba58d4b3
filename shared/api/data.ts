import { z } from 'zod'
import { call } from './call.ts'
import { queryNumber, queryText } from './fields.ts'

/** Usage of one model in one hour (docs/reference/dashboard.md#usage-by-hour). */
const quotaData = z
  .object({
    id: z.int().describe('0 if it is the sum of several rows.'),
    user_id: z.int().describe('0 if it is the sum of all users.'),
    username: z.string(),
    model_name: z.string(),
    created_at: z.int().describe('Unix seconds; the start of the hour.'),
    token_used: z.int().describe('Prompt and completion tokens.'),
    count: z.int().describe('Charged requests.'),
    quota: z.int(),
  })
  .meta({ id: 'QuotaData' })
export type QuotaData = z.infer<typeof quotaData>

const usage = z
  .object({
    count: z.int().describe('Charged requests.'),
    errors: z.int().describe('Failed requests.'),
    quota: z.int(),
    token_used: z.int(),
  })
  .meta({ id: 'UsageOfHours' })
export type UsageOfHours = z.infer<typeof usage>

const ranked = z.object({
  id: z.int().describe('Id of the token or user; 0 for a model.'),
  name: z.string().describe('Empty if the token or user was deleted.'),
  username: z.string().optional().describe('The owner of the token.'),
  count: z.int(),
  quota: z.int(),
})
export type Ranked = z.infer<typeof ranked>

const times = z
  .object({
    count: z.int().describe('Number of evaluated requests.'),
    p50: z.int().describe('Milliseconds, accurate to 5 %, like the following fields.'),
    p95: z.int(),
    p99: z.int(),
  })
  .nullable()

/** Key figures of the installation or of one user (docs/reference/dashboard.md#summary). */
const summary = z
  .object({
    made_at: z.int().describe('Unix seconds; figures are up to five seconds old.'),
    refresh_seconds: z
      .int()
      .describe('Seconds after which an open dashboard refreshes its charts (DataExportInterval).'),
    today: usage,
    yesterday: usage.describe('Up to the current time of day.'),
    dearest: z.object({
      models: z.array(ranked).describe('The five most expensive in the range.'),
      tokens: z.array(ranked),
      users: z.array(ranked).nullable().describe('Null for a single user.'),
    }),
    latency: z.object({
      whole: times.describe('From arrival to the end; null without charged requests.'),
      first: times.describe('To the first byte; only streams.'),
      is_sample: z.boolean().describe('Only the newest 1,000 requests were evaluated.'),
    }),
    account: z
      .object({
        username: z.string(),
        quota: z.int(),
        used_quota: z.int(),
        request_count: z.int(),
        days_left: z
          .number()
          .nullable()
          .describe('Days that the balance lasts at the average cost of the last seven days; null without costs.'),
      })
      .nullable()
      .describe('The requested user, else your own account; null if no user has that name.'),
  })
  .meta({ id: 'DashboardSummary' })
export type DashboardSummary = z.infer<typeof summary>

const hourHealth = z
  .object({
    created_at: z.int().describe('Unix seconds; the start of the hour.'),
    count: z.int().describe('Charged requests.'),
    errors: z.int().describe('Failed requests.'),
    p95: z
      .int()
      .nullable()
      .describe('95th percentile of the time from arrival to the end, in milliseconds; only for all users together.'),
  })
  .meta({ id: 'HourHealth' })
export type HourHealth = z.infer<typeof hourHealth>

const minuteUsage = z
  .object({
    created_at: z.int().describe('Unix seconds; the start of the minute.'),
    model_name: z.string(),
    count: z.int().describe('Charged requests.'),
    errors: z.int().describe('Failed requests.'),
    quota: z.int(),
    token_used: z.int().describe('Prompt and completion tokens.'),
  })
  .meta({ id: 'MinuteUsage' })
export type MinuteUsage = z.infer<typeof minuteUsage>

const minutes = z
  .object({
    from: z.int().describe('Unix seconds; later than requested if there are too many requests to count them all.'),
    rows: z.array(minuteUsage),
  })
  .meta({ id: 'UsageMinutes' })
export type UsageMinutes = z.infer<typeof minutes>

const troubledChannel = z.object({
  id: z.int(),
  name: z.string(),
  state: z
    .enum(['auto_disabled', 'limited', 'failing', 'failed', 'disabled'])
    .describe('failing: cooling down after failures; failed: the last test failed, or no request succeeded for a day.'),
  reason: z.string().describe('The reason, if known.'),
  seconds: z.int().describe('Seconds until a cooling channel may be used again; 0 for other states.'),
})
export type TroubledChannel = z.infer<typeof troubledChannel>

const live = z
  .object({
    requests: z.int().describe('Requests that arrived in the last minute and have ended.'),
    errors: z.int().describe('Failed requests among these.'),
    token_used: z.int(),
    running: z.int().nullable().describe('Running requests; null for a single user.'),
    channels: z
      .object({
        total: z.int(),
        enabled: z.int(),
        troubled: z.int().describe('Number of channels that are disabled, cooling down or failing.'),
        first: z.array(troubledChannel).describe('At most five of them; those that the system disabled come first.'),
      })
      .nullable()
      .describe('Null without administrator rights.'),
  })
  .meta({ id: 'DashboardLive' })
export type DashboardLive = z.infer<typeof live>

const tokenHours = z
  .array(
    z.object({
      token_id: z.int(),
      counts: z.array(z.int()).describe('Requests in each of 24 hours, including failed ones, oldest hour first.'),
      quota: z.int().describe('Total cost of these requests.'),
    }),
  )
  .meta({ id: 'TokenHours' })
export type TokenHours = z.infer<typeof tokenHours>

const range = { start_timestamp: queryNumber(), end_timestamp: queryNumber() }
/** `today` and `yesterday` are the client's local midnights. */
const days = { ...range, today: queryNumber(), yesterday: queryNumber() }
/** `default_time` is accepted and ignored. */
const rows = { ...range, default_time: queryText().optional() }

/** Hourly usage, and the dashboard. */
export const data = {
  list: call({
    method: 'GET',
    path: '/api/data',
    summary: 'Lists usage by hour and model, for all users together or for one.',
    access: 'admin',
    query: z.object({ ...rows, username: queryText() }),
    answer: z.array(quotaData),
  }),
  own: call({
    method: 'GET',
    path: '/api/data/self',
    summary: 'Lists your own usage by hour and model, over at most 30 days.',
    access: 'user',
    query: z.object(rows),
    answer: z.array(quotaData),
  }),
  summary: call({
    method: 'GET',
    path: '/api/data/summary',
    summary: 'Compares today with yesterday; returns top costs and request durations.',
    access: 'admin',
    query: z.object({ ...days, username: queryText() }),
    answer: summary,
  }),
  ownSummary: call({
    method: 'GET',
    path: '/api/data/self/summary',
    summary: 'Compares today with yesterday for your own requests; returns top costs and durations.',
    access: 'user',
    query: z.object(days),
    answer: summary,
  }),
  health: call({
    method: 'GET',
    path: '/api/data/health',
    summary: 'Lists failures and durations by hour, for all users together or for one.',
    access: 'admin',
    query: z.object({ ...range, username: queryText() }),
    answer: z.array(hourHealth),
  }),
  ownHealth: call({
    method: 'GET',
    path: '/api/data/self/health',
    summary: 'Lists your own failures by hour, over at most 30 days.',
    access: 'user',
    query: z.object(range),
    answer: z.array(hourHealth),
  }),
  minutes: call({
    method: 'GET',
    path: '/api/data/minutes',
    summary: 'Lists usage by minute and model over at most three hours, for all users together or for one.',
    access: 'admin',
    query: z.object({ ...range, username: queryText() }),
    answer: minutes,
  }),
  ownMinutes: call({
    method: 'GET',
    path: '/api/data/self/minutes',
    summary: 'Lists your own usage by minute and model, over at most three hours.',
    access: 'user',
    query: z.object(range),
    answer: minutes,
  }),
  live: call({
    method: 'GET',
    path: '/api/data/live',
    summary: 'Returns the load of the last minute, and the channels that are disabled or cooling down.',
    access: 'admin',
    query: z.object({ username: queryText() }),
    answer: live,
  }),
  ownLive: call({
    method: 'GET',
    path: '/api/data/self/live',
    summary: 'Returns your own load of the last minute.',
    access: 'user',
    answer: live,
  }),
  tokenHours: call({
    method: 'POST',
    path: '/api/data/self/tokens',
    summary: 'Returns the number of requests of your tokens in each of the last 24 hours.',
    access: 'user',
    onDemo: 'open',
    body: z.object({ ids: z.array(z.int().positive()).min(1).max(100) }),
    answer: tokenHours,
  }),
}
