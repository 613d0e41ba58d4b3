import { z } from 'zod'
import { call } from './call.ts'
import { catalogueFormats, cataloguePrice, rates, scheduleNote, validFrom } from './catalogue.ts'
import { complaint, idParams, nameText, pageNumber, pageSize } from './fields.ts'

const MAX_DOLLARS = 1_000_000
const dollars = z.number().min(0).max(MAX_DOLLARS)

/** An entered price: US dollars per request, or per million tokens of each kind. Omitted fields stay unchanged. */
const enteredPrice = z
  .union([
    z.object({ fixed: dollars }),
    z.object({
      input: dollars,
      output: dollars.optional(),
      cache_read: dollars.optional(),
      cache_write: dollars.optional(),
      image: dollars.optional(),
      audio_input: dollars.optional(),
      audio_output: dollars.optional(),
    }),
  ])
  .meta({ id: 'EnteredPrice' })
export type EnteredPrice = z.infer<typeof enteredPrice>

const entered = z.object({
  model: nameText(255).refine(
    (value) => value.trim() !== '' && value !== '__proto__',
    complaint('catalogue.bad_model'),
  ),
  price: enteredPrice,
  valid_from: validFrom,
  note: scheduleNote,
})
export type EnteredSchedule = z.output<typeof entered>

const base = z
  .object({ model: z.string(), valid_from: validFrom, note: scheduleNote, rates })
  .optional()
  .describe('The value when the change was begun. If it has changed since, nothing is saved.')
const changed = entered.extend({ base })
export type ChangedSchedule = z.output<typeof changed>

const view = z
  .object({
    id: z.int(),
    model: z.string(),
    price: cataloguePrice,
    valid_from: z.int().describe('Unix seconds.'),
    note: z.string(),
    format: z
      .enum(['', ...catalogueFormats])
      .describe('The catalogue from which it was scheduled; empty if a user entered it.'),
    state: z.enum(['pending', 'applied', 'cancelled', 'failed']),
    username: z.string().describe('The user who scheduled it.'),
    created_at: z.int(),
    done_at: z.int().describe('When it was applied, cancelled or abandoned; 0 while it is pending.'),
  })
  .meta({ id: 'ScheduledPrice' })
export type ScheduledPrice = z.infer<typeof view>

/** Prices that take effect at a future time (docs/reference/billing.md#scheduled-prices). */
export const scheduledPrices = {
  list: call({
    method: 'GET',
    path: '/api/pricing/scheduled',
    summary: 'Lists scheduled prices: first the pending ones, by their time, then the finished ones.',
    access: 'operator',
    query: z.object({ p: pageNumber, page_size: pageSize }),
    answer: z.array(view),
    extras: z.object({ total: z.int(), pending: z.int() }),
  }),
  add: call({
    method: 'POST',
    path: '/api/pricing/scheduled',
    summary: 'Schedules the price of a model.',
    access: 'operator',
    body: entered,
    answer: z.null(),
  }),
  change: call({
    method: 'PUT',
    path: '/api/pricing/scheduled/:id',
    summary: 'Changes a scheduled price that is pending.',
    access: 'operator',
    params: idParams,
    body: changed,
    answer: z.null(),
  }),
  cancel: call({
    method: 'DELETE',
    path: '/api/pricing/scheduled/:id',
    summary: 'Cancels a scheduled price that is pending.',
    access: 'operator',
    params: idParams,
    answer: z.null(),
  }),
}
