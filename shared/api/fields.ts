import { z } from 'zod'
import { isObject, parsed } from '../json.ts'
import type { MessageKey } from '../messages/en.ts'
import { hasUnseen, turnsDirection } from '../unseen.ts'

/** What a refined field says when it does not hold: a message in the reader's language, told by whoever parses. */
export type Complaint = Readonly<{ key: MessageKey; values: Readonly<Record<string, string | number>> }>

/** What a `refine` says in a message of ours. */
export const complaint = (key: MessageKey, values: Complaint['values'] = {}) => ({
  params: { complaint: { key, values } },
})

/** The largest amount of quota any field may carry (docs/reference/security.md#money). */
export const MAX_QUOTA = 1_000_000_000_000_000
/** How far below zero a balance or the limit of a token can be, in quota; the tables have the same bounds. */
export const MIN_QUOTA = -1_000_000_000_000

/** The most one request costs: no balance falls further below zero (docs/reference/billing.md#rounding). */
export const MAX_CHARGE = 1_000_000_000_000

/** A query number: what does not parse counts as absent (docs/reference/api.md#paths-and-queries). */
export const queryNumber = (fallback = 0) =>
  z.preprocess(
    (raw) => {
      const value = Number(raw)
      return raw === undefined || raw === '' || !Number.isSafeInteger(value) ? fallback : value
    },
    z.int().meta({ default: fallback }),
  )

/** A query switch: `1`, `t`, `true` in any case are true, all else is false. */
export const queryFlag = () =>
  z.preprocess(
    (raw) => typeof raw === 'string' && ['1', 't', 'true'].includes(raw.toLowerCase()),
    z.boolean().meta({ default: false }),
  )

/** A query switch that may be left open: `1`, `t`, `true` and `0`, `f`, `false` in any case; all else asks for neither. */
export const queryEither = () =>
  z.preprocess((raw) => {
    const word = typeof raw === 'string' ? raw.toLowerCase() : ''
    if (['1', 't', 'true'].includes(word)) return true
    return ['0', 'f', 'false'].includes(word) ? false : undefined
  }, z.boolean().optional())

/** A query text, trimmed; absent is empty. A NUL never reaches the database. */
export const queryText = () =>
  z.preprocess(
    (raw) => (typeof raw === 'string' ? raw.replaceAll('\0', '').trim() : ''),
    z.string().max(500).meta({ default: '' }),
  )

/** One of a few words, or all of them: absent, empty and unknown ones ask for all. */
export const queryOneOf = <const W extends string>(words: readonly W[]) =>
  z.preprocess((raw) => (words.some((word) => word === raw) ? raw : ''), z.enum(['', ...words]).meta({ default: '' }))

/** A 0-based page index and its size under the given name, 1 to 100, default 10 (docs/reference/api.md#paging). */
export const pageIndex = z.preprocess(
  (raw) => clamp(raw, 0, Number.MAX_SAFE_INTEGER, 0),
  z.int().meta({ minimum: 0, default: 0 }),
)
/** A 1-based page number; less than 1 is 1 (docs/reference/api.md#paging). */
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

/** Free text of at most `longest` characters (counted as people count, not in bytes), without control characters. */
export const text = (longest: number) =>
  z
    .string()
    // Ends here: what follows walks over the whole text, and may cost more than its length.
    .refine((value) => isWithin(value, longest), { ...complaint('input.too_long', { max: longest }), abort: true })
    .refine((value) => !/[\p{Cc}--[\t\n\r]]/v.test(value), complaint('input.control'))
    .meta({ maxLength: longest })

/** A character has at most two units. */
const isWithin = (value: string, longest: number): boolean =>
  value.length <= 2 * longest && [...value].length <= longest

/**
 * A name that people read among other words: `text` without what turns the writing direction of everything behind it, and
 * without what nobody sees, for such a name could pass for another. Letters that are written from the right stay.
 */
export const nameText = (longest: number) =>
  text(longest)
    .refine((value) => !turnsDirection(value), complaint('input.direction'))
    .refine((value) => turnsDirection(value) || !hasUnseen(value), complaint('input.unseen'))

/** A whole amount of quota, never negative. */
export const quota = z.int().min(0).max(MAX_QUOTA)

/** An object in JSON text, or empty for none. */
export const jsonObjectText = (longest = 100_000) =>
  text(longest).refine((value) => value.trim() === '' || isObject(parsed(value)), complaint('input.json_object'))

function clamp(raw: unknown, low: number, high: number, fallback: number): number {
  const value = Number(raw)
  if (raw === undefined || raw === '' || !Number.isInteger(value)) return fallback
  return Math.min(Math.max(value, low), high)
}
