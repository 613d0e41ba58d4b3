import { z } from 'zod'
import { call } from './call.ts'
import {
  complaint,
  idempotencyKey,
  idParams,
  nameText,
  pageNumber,
  pageSize,
  queryFlag,
  querySort,
  queryText,
} from './fields.ts'

/**
 * Maximum codes in a batch, length of their names, and quota of each code (docs/reference/wallet.md#redemption-codes).
 */
export const MAX_CODES = 100
const MAX_CODE_NAME_LENGTH = 20
const MAX_IN_A_CODE = 1_000_000_000_000

const redemptionView = z
  .object({
    id: z.int(),
    user_id: z.int().describe('The id of the user who created it.'),
    key: z.string(),
    status: z.int().describe('1 unused, 2 disabled, 3 used. An expired code stays 1.'),
    name: z.string(),
    quota: z.int(),
    created_time: z.int(),
    redeemed_time: z.int().describe('0 until it is redeemed.'),
    count: z.int().describe('Always 0; the number of codes when codes are created.'),
    used_user_id: z.int().describe('0 if not redeemed.'),
    used_username: z.string().describe('Empty if it was not redeemed, or by an account that was deleted.'),
    expired_time: z.int().describe('0 for never.'),
    DeletedAt: z.string().nullable(),
  })
  .meta({ id: 'Redemption' })
export type RedemptionView = z.infer<typeof redemptionView>

const name = nameText(100)
  .transform((text) => text.trim())
  .refine((text) => text !== '' && [...text].length <= MAX_CODE_NAME_LENGTH, complaint('redeem.name_len'))
const quota = z.int().min(1).max(MAX_IN_A_CODE)
const expiry = z.int().min(0).max(253_402_300_799).describe('Unix seconds; 0 for never.')

const newRedemptions = z.object({
  name,
  quota,
  count: z
    .int()
    .refine((count) => count >= 1, complaint('redeem.count_min'))
    .refine((count) => count <= MAX_CODES, complaint('redeem.count_max'))
    .meta({ minimum: 1, maximum: MAX_CODES })
    .default(1),
  expired_time: expiry.default(0),
  idempotency_key: idempotencyKey('A call repeated with the same key and fields returns the codes of the first call.'),
})
export type NewRedemptions = z.output<typeof newRedemptions>

const redemptionChange = z.object({
  id: z.int().positive(),
  name: name.optional(),
  quota: quota.optional(),
  expired_time: expiry.optional(),
  status: z.int().optional().describe('1 or 2; the only field that counts with status_only.'),
})
export type RedemptionChange = z.output<typeof redemptionChange>

const page = z.object({ items: z.array(redemptionView), total: z.int(), page: z.int(), page_size: z.int() })
export const redemptionSorts = ['id', 'name', 'quota', 'created_time', 'expired_time', 'redeemed_time'] as const
export type RedemptionSort = z.output<ReturnType<typeof querySort<(typeof redemptionSorts)[number]>>>

const part = { sort: querySort(redemptionSorts), p: pageNumber, page_size: pageSize }

/** Redemption codes worth quota, as created by administrators (docs/reference/wallet.md#redemption-codes). */
export const redemption = {
  list: call({
    method: 'GET',
    path: '/api/redemption',
    summary: 'Lists the redemption codes, newest first.',
    access: 'admin',
    query: z.object(part),
    answer: page,
  }),
  search: call({
    method: 'GET',
    path: '/api/redemption/search',
    summary: 'Finds redemption codes by their ID or by the beginning of their name.',
    access: 'admin',
    query: z.object({ keyword: queryText(), ...part }),
    answer: page,
  }),
  one: call({
    method: 'GET',
    path: '/api/redemption/:id',
    summary: 'Returns one redemption code.',
    access: 'admin',
    params: idParams,
    answer: redemptionView,
  }),
  create: call({
    method: 'POST',
    path: '/api/redemption',
    summary: 'Creates up to 100 redemption codes with the same name, and returns their keys.',
    access: 'admin',
    body: newRedemptions,
    answer: z.array(z.string()),
  }),
  update: call({
    method: 'PUT',
    path: '/api/redemption',
    summary: 'Changes an unused code; with status_only, only its status.',
    access: 'admin',
    query: z.object({ status_only: queryFlag() }),
    body: redemptionChange,
    answer: redemptionView,
  }),
  removeInvalid: call({
    method: 'DELETE',
    path: '/api/redemption/invalid',
    summary: 'Deletes the used, disabled and expired codes, and returns their number.',
    access: 'admin',
    answer: z.int(),
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/redemption/:id',
    summary: 'Deletes a redemption code; it can no longer be redeemed.',
    access: 'admin',
    params: idParams,
    answer: z.null(),
  }),
}
