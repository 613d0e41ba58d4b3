import { z } from 'zod'
import { call } from './call.ts'
import { complaint } from './fields.ts'

/** Maximum characters of an option's value, as stated in its error message. */
export const MAX_VALUE = 1_000_000

const key = z.string().min(1).max(200)
const bad = { error: 'option.bad_value' } as const
const value = z.union([z.string().max(MAX_VALUE, bad), z.number(), z.boolean()], bad).transform(String)
/** Proves the human check's keys: a token obtained with the site key, required if a change could lock everyone out. */
export const proven = z.object({ turnstile: z.string().max(4096).optional() })

const base = z
  .string()
  .max(MAX_VALUE)
  .optional()
  .describe(
    'The value when the change was begun; for a secret, the time of its last change, as in the state of the options. If it has changed since, nothing is saved.',
  )
const wanted = z.object({ key, value, base })
/** Maximum body size of a change: space for an ASCII value and its base, both of maximum length. */
const bodyMebibytes = 4

/** The cause of a change: a manual edit, reset, undo or import; the first setup; a price sync or schedule. */
export const changeOrigin = z.enum(['edit', 'reset', 'undo', 'import', 'setup', 'sync', 'schedule'])
export type ChangeOrigin = z.infer<typeof changeOrigin>

/**
 * How much of a change is stored: both values, only that a secret was `set` or `cleared`, or neither due to their
 * length.
 */
export const changeExtent = z.enum(['whole', 'secret', 'too_long'])
export type ChangeExtent = z.infer<typeof changeExtent>

const conflict = z
  .object({
    key: z.string(),
    value: z.string().describe('The new value; empty for a secret.'),
    changed_by: z.string().describe('The user who changed it last; empty if not recorded.'),
    changed_at: z.int().describe('Unix seconds.'),
  })
  .meta({ id: 'OptionConflict' })
export type OptionConflict = z.infer<typeof conflict>

/** Conflicting options of a call refused because of an outdated base; nothing was saved. */
export const conflicts = {
  extras: z.object({ conflicts: z.array(conflict).optional() }),
  failureHasFields: true,
} as const

const state = z
  .object({
    key: z.string(),
    is_default: z.boolean(),
    is_set: z.boolean().describe('Whether it is not empty. Nothing else is disclosed about a secret.'),
    changed_at: z.int().describe('Unix seconds; 0 if it was never stored.'),
    changed_by: z.string().describe('The user who changed it last; empty if not recorded.'),
  })
  .meta({ id: 'OptionState' })
export type OptionState = z.infer<typeof state>

/**
 * Reading and writing options (docs/reference/options.md#writing). Values are always text; secrets are never read
 * back.
 */
export const option = {
  list: call({
    method: 'GET',
    path: '/api/option',
    summary: 'Lists the readable options, without secrets.',
    access: 'operator',
    answer: z.array(z.object({ key: z.string(), value: z.string() })),
  }),
  state: call({
    method: 'GET',
    path: '/api/option/state',
    summary: 'Returns for each option whether it has its default, whether it is empty, and who changed it last.',
    access: 'operator',
    answer: z.array(state),
  }),
  update: call({
    method: 'PUT',
    path: '/api/option',
    summary: 'Changes one option.',
    access: 'operator',
    query: proven,
    bodyMebibytes,
    body: wanted,
    answer: z.null(),
    ...conflicts,
  }),
  updateMany: call({
    method: 'PUT',
    path: '/api/option/batch',
    summary: 'Changes several options together: all, or none if one is refused.',
    access: 'operator',
    query: proven,
    bodyMebibytes,
    body: z.object({
      changes: z
        .array(wanted)
        .min(1)
        .max(50)
        .refine((all) => new Set(all.map((one) => one.key)).size === all.length, complaint('option.twice')),
    }),
    answer: z.null(),
    ...conflicts,
  }),
  reset: call({
    method: 'POST',
    path: '/api/option/reset',
    summary: 'Resets one option to its default.',
    access: 'operator',
    bodyMebibytes,
    body: z.object({ key, base }),
    answer: z.null(),
    ...conflicts,
  }),
  resetRatios: call({
    method: 'POST',
    path: '/api/option/rest_model_ratio',
    summary: 'Resets the model ratios to their defaults; prices per call and all other ratios stay.',
    access: 'operator',
    answer: z.null(),
  }),
}
