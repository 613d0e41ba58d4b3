import { z } from 'zod'
import { call } from './call.ts'
import { idParams, pageNumber, pageSize, queryText } from './fields.ts'
import { changeExtent, changeOrigin, conflicts, proven } from './option.ts'

const change = z
  .object({
    id: z.int(),
    created_at: z.int().describe('Unix seconds.'),
    user_id: z.int().describe('0 for the gateway itself.'),
    username: z.string().describe('The name, at that time, of the user who made it; empty for the gateway itself.'),
    origin: changeOrigin,
    key: z.string(),
    kept: changeExtent,
    before: z.string().nullable().describe('For a secret only `set` or `cleared`; null if it was too long.'),
    after: z.string().nullable(),
    is_cut: z.boolean().describe('Whether the value is longer than shown.'),
    can_undo: z.boolean(),
  })
  .meta({ id: 'OptionChange' })
/** A change of an option: who, from what, to what. */
export type OptionChangeView = z.infer<typeof change>

/** The history of the options (docs/reference/options.md#history). */
export const optionHistory = {
  list: call({
    method: 'GET',
    path: '/api/option/history',
    summary: 'Lists changes of one or all options, newest first.',
    access: 'operator',
    query: z.object({ key: queryText(), p: pageNumber, page_size: pageSize }),
    answer: z.object({ items: z.array(change), total: z.int(), page: z.int(), page_size: z.int() }),
  }),
  one: call({
    method: 'GET',
    path: '/api/option/history/:id',
    summary: 'Returns one change with its complete values.',
    access: 'operator',
    params: idParams,
    answer: change,
  }),
  undo: call({
    method: 'POST',
    path: '/api/option/history/undo',
    summary: 'Restores the value before one change, unless the option was changed again afterwards.',
    access: 'operator',
    query: proven,
    body: z.object({
      id: z.int().positive(),
      even_if_changed: z.boolean().default(false).describe('Also if the option was changed again afterwards.'),
    }),
    answer: z.null(),
    ...conflicts,
  }),
}
