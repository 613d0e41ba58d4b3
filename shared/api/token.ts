import { z } from 'zod'
import { budgetWindows, isTimeZone, USUAL_WARN_PERCENT } from '../budgets.ts'
import { call } from './call.ts'
import {
  complaint,
  idParams,
  MAX_QUOTA,
  nameText,
  pageIndex,
  pageSize,
  queryFlag,
  querySort,
  queryText,
  quota,
  text,
} from './fields.ts'

/** Usage of a budget in its current window, in quota units. */
export const budgetUse = z
  .object({
    window: z.enum(budgetWindows),
    limit: z.int(),
    used: z.int(),
    percent: z.int().describe('Percentage of the limit, rounded down; the last request may have exceeded 100.'),
    resets_at: z.int().nullable().describe('Unix seconds; null if the five hours begin with the next request.'),
    is_warning: z.boolean(),
  })
  .meta({ id: 'BudgetUse' })
export type BudgetUse = z.infer<typeof budgetUse>

/** An API token as its owner sees it, key included (docs/reference/accounts.md#api-tokens). */
const tokenView = z
  .object({
    id: z.int(),
    user_id: z.int(),
    key: z.string(),
    status: z.int(),
    name: z.string(),
    created_time: z.int(),
    accessed_time: z.int(),
    expired_time: z.int().describe('Unix seconds, or -1 for never.'),
    remain_quota: z.int(),
    unlimited_quota: z.boolean(),
    model_limits_enabled: z.boolean(),
    model_limits: z.string().describe('Model names, separated by commas.'),
    allow_ips: z.string().nullable().describe('One address or CIDR range per line; null or empty for any.'),
    used_quota: z.int(),
    group: z.string(),
    DeletedAt: z.string().nullable(),
    requests_per_minute: z.int().describe('0 means unlimited, also for the following limits.'),
    tokens_per_minute: z.int().describe('Max prompt and completion tokens of responses per minute.'),
    /** Quota for each window. */
    budgets: z.object({
      minute: z.int(),
      five_hours: z.int(),
      day: z.int(),
      week: z.int(),
      month: z.int(),
    }),
    budget_time_zone: z.string().describe('An IANA name; empty is UTC.'),
    budget_warn_percent: z
      .int()
      .describe('Percentage of a budget from which responses have a warning header; 0 means never.'),
    response_cache: z.boolean().describe('Whether identical requests may be served from the response cache.'),
    keep_bodies: z
      .boolean()
      .describe('Whether the bodies of requests and responses are stored for some time, if the operator allows it.'),
    budget_use: z.array(budgetUse).describe('The current state of its budgets.'),
  })
  .meta({ id: 'Token' })
export type TokenView = z.infer<typeof tokenView>

/** A whole number, 0 for no limit. */
const limit = (max: number) =>
  z
    .number()
    .refine((value) => Number.isInteger(value) && value >= 0 && value <= max, complaint('token.limit_range', { max }))
    .meta({ type: 'integer', minimum: 0, maximum: max })

const budget = limit(MAX_QUOTA)
/** The budgets to set; an omitted window stays unchanged. */
const budgets = z.object({ minute: budget, five_hours: budget, day: budget, week: budget, month: budget }).partial()

const tokenFields = z.object({
  name: nameText(30),
  remain_quota: quota,
  unlimited_quota: z.boolean(),
  expired_time: z.int().min(-1),
  model_limits_enabled: z.boolean(),
  model_limits: text(50_000),
  allow_ips: text(20_000).nullable(),
  group: text(64),
  requests_per_minute: limit(1_000_000),
  tokens_per_minute: limit(1_000_000_000),
  budgets,
  budget_time_zone: z.string().trim().max(64).refine(isTimeZone, complaint('token.time_zone')),
  budget_warn_percent: limit(100),
  response_cache: z.boolean(),
  keep_bodies: z.boolean(),
})

const shape = tokenFields.shape
/** Body of POST /api/token: a new token's fields, all but the name with a default. */
export const newToken = z.object({
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
  response_cache: shape.response_cache.default(false),
  keep_bodies: shape.keep_bodies.default(false),
})

/** Body of PUT /api/token: only present keys change, so one schema serves a full edit and a toggle. */
const tokenChange = tokenFields.partial().extend({
  id: z.int().positive(),
  status: z.int().optional(),
  remain_quota_base: z
    .int()
    .optional()
    .describe(
      'The remaining quota that the editor loaded: the difference is applied, so that spending in the meantime is not undone.',
    ),
})

const someTokens = z.object({ ids: z.array(z.int().positive()).min(1).max(100) })

export const tokenSorts = [
  'id',
  'name',
  'used_quota',
  'remain_quota',
  'accessed_time',
  'expired_time',
  'created_time',
] as const
export type TokenSort = z.output<ReturnType<typeof querySort<(typeof tokenSorts)[number]>>>

const page = z.object({ total: z.int(), page: z.int(), page_size: z.int() })

export const token = {
  list: call({
    method: 'GET',
    path: '/api/token',
    summary: 'Lists your API tokens, newest first.',
    access: 'user',
    query: z.object({ sort: querySort(tokenSorts), p: pageIndex, size: pageSize }),
    answer: z.array(tokenView),
    extras: page,
  }),
  search: call({
    method: 'GET',
    path: '/api/token/search',
    summary: 'Finds your API tokens by name and key.',
    access: 'user',
    query: z.object({ keyword: queryText(), token: queryText(), sort: querySort(tokenSorts) }),
    answer: z.array(tokenView),
  }),
  one: call({
    method: 'GET',
    path: '/api/token/:id',
    summary: 'Returns one of your API tokens.',
    access: 'user',
    params: idParams,
    answer: tokenView,
  }),
  create: call({
    method: 'POST',
    path: '/api/token',
    summary: 'Creates an API token; the response contains its key.',
    access: 'user',
    body: newToken,
    answer: tokenView,
  }),
  update: call({
    method: 'PUT',
    path: '/api/token',
    summary: 'Changes the fields of an API token that are present in the body.',
    access: 'user',
    query: z.object({ status_only: queryFlag() }),
    body: tokenChange,
    answer: tokenView,
  }),
  rekey: call({
    method: 'POST',
    path: '/api/token/:id/key',
    summary: 'Replaces the key of an API token; the old key stops working at once.',
    access: 'user',
    params: idParams,
    answer: tokenView,
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/token/:id',
    summary: 'Deletes an API token; its key stops working at once.',
    access: 'user',
    params: idParams,
    answer: z.null(),
  }),
  removeMany: call({
    method: 'POST',
    path: '/api/token/batch',
    summary: 'Deletes several of your API tokens, and returns their number.',
    access: 'user',
    body: someTokens,
    answer: z.int(),
  }),
  disableMany: call({
    method: 'POST',
    path: '/api/token/batch/disable',
    summary: 'Disables several of your API tokens, and returns how many of them were enabled.',
    access: 'user',
    body: someTokens,
    answer: z.int(),
  }),
  clearCache: call({
    method: 'DELETE',
    path: '/api/token/:id/cache',
    summary: 'Deletes the cached responses of an API token, and returns their number.',
    access: 'user',
    params: idParams,
    answer: z.int(),
  }),
}
export type NewToken = z.output<typeof newToken>
export type TokenChange = z.output<typeof tokenChange>
