import { z } from 'zod'
import { isObject, parsed } from '../json.ts'
import type { MessageKey } from '../messages/en.ts'
import { hasUnseen, turnsDirection } from '../unseen.ts'

/** A failed refinement: a message to be localized by the parsing code. */
export type Complaint = Readonly<{ key: MessageKey; values: Readonly<Record<string, string | number>> }>

/** The `refine` options for a localized message. */
export const complaint = (key: MessageKey, values: Complaint['values'] = {}) => ({
  params: { complaint: { key, values } },
})

/** Maximum quota of any field (docs/reference/security.md#money). */
export const MAX_QUOTA = 1_000_000_000_000_000
/** Minimum of a balance or a token's limit, in quota; the tables have the same bounds. */
export const MIN_QUOTA = -1_000_000_000_000

/**
 * Maximum charge of a request, which also bounds how far a balance falls below zero
 * (docs/reference/billing.md#rounding).
 */
export const MAX_CHARGE = 1_000_000_000_000

/** A query number; unparsable values count as absent (docs/reference/api.md#paths-and-queries). */
export const queryNumber = (fallback = 0) =>
  z.preprocess(
    (raw) => {
      const value = Number(raw)
      return raw === undefined || raw === '' || !Number.isSafeInteger(value) ? fallback : value
    },
    z.int().meta({ default: fallback }),
  )

/** A text chosen by the caller that identifies an operation; absent and empty mean that the caller chose no text. */
export const idempotencyKey = (effect: string) => z.string().max(64).optional().describe(effect)

/** A query flag: `1`, `t`, `true` in any case are true, everything else is false. */
export const queryFlag = () =>
  z.preprocess(
    (raw) => typeof raw === 'string' && ['1', 't', 'true'].includes(raw.toLowerCase()),
    z.boolean().meta({ default: false }),
  )

/** An optional query flag: `1`, `t`, `true` and `0`, `f`, `false` in any case; anything else is undefined. */
export const queryEither = () =>
  z.preprocess((raw) => {
    const word = typeof raw === 'string' ? raw.toLowerCase() : ''
    if (['1', 't', 'true'].includes(word)) return true
    return ['0', 'f', 'false'].includes(word) ? false : undefined
  }, z.boolean().optional())

/** A trimmed query text of at most 500 characters; absent is empty. NUL never reaches the database. */
export const queryText = () =>
  z.preprocess(
    (raw) => (typeof raw === 'string' ? raw.replaceAll('\0', '').trim() : ''),
    z.string().max(500).meta({ default: '' }),
  )

/** One of several values, or all: absent, empty and unknown values mean all. */
export const queryOneOf = <const W extends string>(words: readonly W[]) =>
  z.preprocess((raw) => (words.some((word) => word === raw) ? raw : ''), z.enum(['', ...words]).meta({ default: '' }))

/**
 * The column that sorts a list, descending with a leading minus: absent, empty and unknown values mean the list's own
 * order (docs/reference/api.md#paging).
 */
export const querySort = <const C extends string>(columns: readonly C[]) =>
  queryOneOf([...columns, ...columns.map((name) => `-${name}` as const)]).optional()

/** A 0-based page index; the page size is 1 to 100, by default 10 (docs/reference/api.md#paging). */
export const pageIndex = z.preprocess(
  (raw) => clamp(raw, 0, Number.MAX_SAFE_INTEGER, 0),
  z.int().meta({ minimum: 0, default: 0 }),
)
/** A 1-based page number; smaller values are 1 (docs/reference/api.md#paging). */
export const pageNumber = z.preprocess(
  (raw) => clamp(raw, 1, Number.MAX_SAFE_INTEGER, 1),
  z.int().meta({ minimum: 1, default: 1 }),
)
export const pageSize = z.preprocess(
  (raw) => (Number(raw) < 1 ? 10 : clamp(raw, 1, 100, 10)),
  z.int().meta({ minimum: 1, maximum: 100, default: 10 }),
)

export const idParams = z.object({ id: z.coerce.number().int().positive() })
export const ids = z.array(z.int().positive()).min(1).max(10_000)

/** Free text of at most `longest` code points, without control characters other than tabs and line breaks. */
export const text = (longest: number) =>
  z
    .string()
    // Aborts, because the next checks scan the whole text, which may take more than linear time.
    .refine((value) => isWithin(value, longest), { ...complaint('input.too_long', { max: longest }), abort: true })
    .refine((value) => !/[\p{Cc}--[\t\n\r]]/v.test(value), complaint('input.control'))
    .meta({ maxLength: longest })

/** A code point has at most two UTF-16 units. */
const isWithin = (value: string, longest: number): boolean =>
  value.length <= 2 * longest && [...value].length <= longest

/**
 * A name shown within other text: `text` without characters that change the writing direction of the following text,
 * and without invisible characters, which could make names look alike. Right-to-left letters are allowed.
 */
export const nameText = (longest: number) =>
  text(longest)
    .refine((value) => !turnsDirection(value), complaint('input.direction'))
    .refine((value) => turnsDirection(value) || !hasUnseen(value), complaint('input.unseen'))

export const quota = z.int().min(0).max(MAX_QUOTA)

/** A JSON object as text, or empty. */
export const jsonObjectText = (longest = 100_000) =>
  text(longest).refine((value) => value.trim() === '' || isObject(parsed(value)), complaint('input.json_object'))

function clamp(raw: unknown, low: number, high: number, fallback: number): number {
  const value = Number(raw)
  if (raw === undefined || raw === '' || !Number.isInteger(value)) return fallback
  return Math.min(Math.max(value, low), high)
}
