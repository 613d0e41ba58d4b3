import { z } from 'zod'
import { call } from './call.ts'
import { idParams, pageIndex, pageSize, queryFlag, queryText, quota, text } from './fields.ts'

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
})
export type TokenView = z.infer<typeof tokenView>

const tokenFields = z.object({
  name: text(30),
  remain_quota: quota,
  unlimited_quota: z.boolean(),
  expired_time: z.number().int().min(-1),
  model_limits_enabled: z.boolean(),
  model_limits: text(100_000),
  allow_ips: text(20_000).nullable(),
  group: text(64),
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
