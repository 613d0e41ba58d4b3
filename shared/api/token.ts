import { z } from 'zod'
import { budgetWindows, isTimeZone, USUAL_WARN_PERCENT } from '../budgets.ts'
import { call } from './call.ts'
import { idParams, MAX_QUOTA, pageIndex, pageSize, queryFlag, queryText, quota, said, text } from './fields.ts'

/** How far a budget has been used in its present window, in quota units. */
export const budgetUse = z.object({
  window: z.enum(budgetWindows),
  limit: z.number(),
  used: z.number(),
  /** Whole percent of the limit, rounded down; the last request may have brought it beyond 100. */
  percent: z.number(),
  /** Unix seconds; null for five hours that begin with the next request. */
  resets_at: z.number().nullable(),
  is_warning: z.boolean(),
})
export type BudgetUse = z.infer<typeof budgetUse>

/** An API token as its owner sees it, key included (spec/console.md §4.2). */
export const tokenView = z.object({
  id: z.number(),
  user_id: z.number(),
  key: z.string(),
  status: z.number(),
  name: z.string(),
  created_time: z.number(),
  accessed_time: z.number(),
  /** Unix seconds, or -1 for never. */
  expired_time: z.number(),
  remain_quota: z.number(),
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  /** Model names joined by commas. */
  model_limits: z.string(),
  /** One address or CIDR range a line; null or empty for any. */
  allow_ips: z.string().nullable(),
  used_quota: z.number(),
  group: z.string(),
  DeletedAt: z.string().nullable(),
  /** 0 is no limit; as for all that follow. */
  requests_per_minute: z.number(),
  /** Prompt and completion tokens of the answers of the last minute. */
  tokens_per_minute: z.number(),
  /** Quota for each window. */
  budgets: z.object({
    minute: z.number(),
    five_hours: z.number(),
    day: z.number(),
    week: z.number(),
    month: z.number(),
  }),
  /** An IANA name; empty is UTC. */
  budget_time_zone: z.string(),
  /** From this share of a budget on answers carry a warning; 0 is never. */
  budget_warn_percent: z.number(),
  /** How the budgets that are set stand now. */
  budget_use: z.array(budgetUse),
})
export type TokenView = z.infer<typeof tokenView>

/** A whole number, 0 for no limit. */
const limit = (max: number) =>
  z
    .number()
    .refine((value) => Number.isInteger(value) && value >= 0 && value <= max, said('token.limit_range', { max }))

const budget = limit(MAX_QUOTA)
/** The budgets to set; a window that is left out keeps its own. */
const budgets = z.object({ minute: budget, five_hours: budget, day: budget, week: budget, month: budget }).partial()

const tokenFields = z.object({
  name: text(30),
  remain_quota: quota,
  unlimited_quota: z.boolean(),
  expired_time: z.number().int().min(-1),
  model_limits_enabled: z.boolean(),
  model_limits: text(100_000),
  allow_ips: text(20_000).nullable(),
  group: text(64),
  requests_per_minute: limit(1_000_000),
  tokens_per_minute: limit(1_000_000_000),
  budgets,
  budget_time_zone: z.string().trim().max(64).refine(isTimeZone, said('token.time_zone')),
  budget_warn_percent: limit(100),
})

const { shape } = tokenFields
/** A body of POST /api/token: all but the name may be left out. */
const newToken = z.object({
  name: shape.name,
  remain_quota: shape.remain_quota.default(0),
  unlimited_quota: shape.unlimited_quota.default(false),
  expired_time: shape.expired_time.default(-1),
  model_limits_enabled: shape.model_limits_enabled.default(false),
  model_limits: shape.model_limits.default(''),
  allow_ips: shape.allow_ips.default(null),
  group: shape.group.default(''),
  requests_per_minute: shape.requests_per_minute.default(0),
  tokens_per_minute: shape.tokens_per_minute.default(0),
  budgets: shape.budgets.default({}),
  budget_time_zone: shape.budget_time_zone.default(''),
  budget_warn_percent: shape.budget_warn_percent.default(USUAL_WARN_PERCENT),
})

/** A body of PUT /api/token: only the keys that are present change, so one schema serves a full edit and a toggle. */
const tokenChange = tokenFields.partial().extend({
  id: z.number().int().positive(),
  status: z.number().int().optional(),
  /** The remaining quota the editor had loaded: the difference is applied, so spending meanwhile is not undone. */
  remain_quota_base: z.number().int().optional(),
})

const page = z.object({ total: z.number(), page: z.number(), page_size: z.number() })

export const token = {
  list: call({
    method: 'GET',
    path: '/api/token',
    access: 'user',
    query: z.object({ p: pageIndex, size: pageSize }),
    answer: z.array(tokenView),
    beside: page,
  }),
  search: call({
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    query: z.object({ keyword: queryText(), token: queryText() }),
    answer: z.array(tokenView),
  }),
  one: call({ method: 'GET', path: '/api/token/:id', access: 'user', params: idParams, answer: tokenView }),
  create: call({ method: 'POST', path: '/api/token', access: 'user', body: newToken, answer: tokenView }),
  update: call({
    method: 'PUT',
    path: '/api/token',
    access: 'user',
    query: z.object({ status_only: queryFlag() }),
    body: tokenChange,
    answer: tokenView,
  }),
  remove: call({ method: 'DELETE', path: '/api/token/:id', access: 'user', params: idParams, answer: z.null() }),
}
export type NewToken = z.output<typeof newToken>
export type TokenChange = z.output<typeof tokenChange>
