import { z } from 'zod'
import { MAX_QUOTA } from '../api/fields.ts'
import { webLink } from '../links.ts'
import { domainsOf, isMailDomain, linesOf } from './lists.ts'

/** The longest wait a timer of the runtime can hold, in seconds; a longer interval would fire at once. */
const longestTimerSeconds = 2_147_483

const number = z.number({ error: 'option.bad_number' })
const whole = z.int({ error: 'option.bad_integer' })
const trimmed = z.string().trim()

/** Any text, kept as it is. */
export const text = { wire: 'text', schema: z.string() } as const

/** One line of text: an id, a name, a link; surrounding blanks are dropped. */
export const line = { wire: 'text', schema: trimmed } as const

/** A line that must not be empty. */
export const requiredLine = { wire: 'text', schema: trimmed.min(1, { error: 'option.required' }) } as const

/** Exactly 'true' or 'false' on the wire. */
export const flag = { wire: 'flag', schema: z.boolean() } as const

/** A whole number within limits, both included. */
export const between = (min: number, max: number) =>
  ({
    wire: 'number',
    bounds: { min, max, isWhole: true },
    schema: whole.min(min, { error: 'option.number_min' }).max(max, { error: 'option.number_max' }),
  }) as const

/** A number within limits, both included. */
export const numberBetween = (min: number, max: number) =>
  ({
    wire: 'number',
    bounds: { min, max },
    schema: number.min(min, { error: 'option.number_min' }).max(max, { error: 'option.number_max' }),
  }) as const

/** A number above 0 up to a limit, e.g. a price or a rate. */
export const rateUpTo = (max: number) =>
  ({
    wire: 'number',
    bounds: { above: 0, max },
    schema: number.positive({ error: 'option.number_above' }).max(max, { error: 'option.number_above' }),
  }) as const

/** An amount of quota. */
export const quotaAmount = between(0, MAX_QUOTA)

/** A price or an exchange rate. */
export const rate = rateUpTo(1_000_000)

/** A share between 0.1 and 1 (docs/reference/options.md#validation). */
export const share = numberBetween(0.1, 1)

/** Days that charges stay in the ledger: 0 for ever, else no fewer than budgets of API tokens look back on. */
export const ledgerDays = {
  wire: 'number',
  bounds: { min: 0, max: 36_500, isWhole: true },
  schema: whole
    .min(0, { error: 'option.number_min' })
    .max(36_500, { error: 'option.number_max' })
    .refine((days) => days === 0 || days >= MIN_LEDGER_DAYS, { error: 'option.ledger_days' }),
} as const

/** Charges younger than this are never removed from the ledger. */
export const MIN_LEDGER_DAYS = 62

/** An interval in whole seconds or minutes, at least 1 and short enough for a timer. */
export const interval = (unitSeconds: 1 | 60) => between(1, Math.floor(longestTimerSeconds / unitSeconds))

/**
 * An http(s) address that paths are appended to: empty, or without a trailing slash, which is dropped
 * (docs/reference/options.md#validation).
 */
export const address = {
  wire: 'text',
  schema: trimmed
    .transform(withoutTrailingSlashes)
    .pipe(z.union([z.literal(''), webLink], { error: 'option.bad_url' })),
} as const

/** A complete http(s) URL or nothing; its trailing slash is part of it and stays. */
export const endpoint = {
  wire: 'text',
  schema: trimmed.pipe(z.union([z.literal(''), webLink], { error: 'option.bad_url' })),
} as const

/** Where a picture is: an http(s) URL, a path on this gateway, an embedded image, or nothing. */
export const picture = {
  wire: 'text',
  schema: trimmed.pipe(
    z.union(
      [
        z.literal(''),
        webLink,
        z.string().regex(/^\/(?!\/)/),
        z.string().regex(/^data:image\/(png|jpeg|gif|webp|avif|svg\+xml|x-icon|vnd\.microsoft\.icon)[;,][!-~]*$/),
      ],
      {
        error: 'option.bad_url',
      },
    ),
  ),
} as const

/** One entry a line; blank lines and surrounding blanks are dropped. */
export const lines = { wire: 'text', schema: z.string().transform((value) => linesOf(value).join('\n')) } as const

/** A comma list of mail domains. */
export const domains = {
  wire: 'text',
  schema: z
    .string()
    .transform(domainsOf)
    .pipe(z.array(z.string().refine(isMailDomain, { error: 'option.domain_list' })))
    .transform((list) => list.join(',')),
} as const

/** One of a few words. */
export const choice = <const Word extends string>(words: readonly Word[]) =>
  ({ wire: 'text', schema: z.literal(words, { error: 'option.bad_choice' }) }) as const

/** A JSON value of the given shape. */
export const jsonOf = <Schema extends z.ZodType>(schema: Schema) => ({ wire: 'json', schema }) as const

function withoutTrailingSlashes(url: string): string {
  let end = url.length
  while (url.endsWith('/', end)) end -= 1
  return url.slice(0, end)
}
