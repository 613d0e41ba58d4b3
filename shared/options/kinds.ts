import { z } from 'zod'
import { MAX_QUOTA } from '../api/fields.ts'
import { webLink } from '../links.ts'
import { domainsOf, isMailDomain, linesOf } from './lists.ts'

/** Maximum delay of a runtime timer, in seconds; a longer interval would fire at once. */
const MAX_TIMER_SECONDS = 2_147_483

const rangedNumber = z.number({ error: 'option.number_min' })
const positiveNumber = z.number({ error: 'option.number_above' })
const integer = z.int({ error: 'option.bad_integer' })
/** Maximum characters of a line, and of a text or image that is sent to every browser. */
const MAX_LINE_LENGTH = 2000
const MAX_SHOWN_LENGTH = 20_000
const MAX_PICTURE_LENGTH = 100_000
const upTo = (longest: number) => z.string().trim().max(longest, { error: 'option.text_long' })
const trimmed = upTo(MAX_LINE_LENGTH)
/** Line breaks become spaces, because such a text is used in mails, titles and headers. */
const oneLine = z
  .string()
  .transform((value) => value.replace(/[\r\n\u0085\u2028\u2029]+/g, ' '))
  .pipe(trimmed)

export const text = { wire: 'text', control: 'area', schema: z.string() } as const

/** Text that is sent to every browser with the status, stored as is. */
export const shownText = { ...text, schema: z.string().max(MAX_SHOWN_LENGTH, { error: 'option.text_long' }) } as const

/** One line of text: an id, a name, a link; trimmed. */
export const line = { wire: 'text', schema: oneLine } as const

export const requiredName = {
  wire: 'text',
  schema: oneLine.pipe(upTo(100).min(1, { error: 'option.required' })),
} as const

/** Exactly 'true' or 'false' on the wire. */
export const flag = { wire: 'flag', schema: z.boolean() } as const

export const between = (min: number, max: number) =>
  ({
    wire: 'number',
    bounds: { min, max, isWhole: true },
    schema: integer.min(min, { error: 'option.bad_integer' }).max(max, { error: 'option.bad_integer' }),
  }) as const

export const numberBetween = (min: number, max: number) =>
  ({
    wire: 'number',
    bounds: { min, max },
    schema: rangedNumber.min(min, { error: 'option.number_min' }).max(max, { error: 'option.number_max' }),
  }) as const

/** A number above 0 up to a limit, e.g. a price or a rate. */
export const rateUpTo = (max: number) =>
  ({
    wire: 'number',
    bounds: { above: 0, max },
    schema: positiveNumber.positive({ error: 'option.number_above' }).max(max, { error: 'option.number_above' }),
  }) as const

export const quotaAmount = { ...between(0, MAX_QUOTA), control: 'amount' } as const

export const rate = rateUpTo(1_000_000)

/** A share between 0.1 and 1 (docs/reference/options.md#validation). */
export const share = numberBetween(0.1, 1)

/** Days of retention: 0 is forever. */
export const retentionDays = between(0, 36_500)

/** Minimum age in days at which charges may be removed from the ledger. */
export const MIN_LEDGER_DAYS = 62

/**
 * Days that charges stay in the ledger: 0 is forever; any other number is at least `MIN_LEDGER_DAYS`, which is longer
 * than every budget window of API tokens.
 */
export const ledgerDays = {
  ...retentionDays,
  bounds: { ...retentionDays.bounds, least: MIN_LEDGER_DAYS },
  schema: retentionDays.schema.refine((days) => days === 0 || days >= MIN_LEDGER_DAYS, { error: 'option.ledger_days' }),
} as const

/** An interval in whole seconds or minutes, at least 1 and short enough for a timer. */
export const interval = (unitSeconds: 1 | 60) => between(1, Math.floor(MAX_TIMER_SECONDS / unitSeconds))

const plainAddress = trimmed
  .transform(withoutTrailingSlashes)
  .pipe(z.union([z.literal(''), webLink], { error: 'option.bad_url' }))
const plainEndpoint = trimmed.pipe(z.union([z.literal(''), webLink], { error: 'option.bad_url' }))
/** Refuses an address with credentials, because the gateway's calls do not send them. */
const unsentCredentials = (url: string) => (hasCredentials(url) ? 'option.address_unsent' : undefined)
const shownCredentials = (url: string) => (hasCredentials(url) ? 'option.address_credentials' : undefined)

/**
 * An http(s) address that paths are appended to: empty, or without a trailing slash, which is dropped
 * (docs/reference/options.md#validation).
 */
export const address = {
  wire: 'text',
  control: 'address',
  schema: plainAddress,
  unsaved: unsentCredentials,
} as const

/** A publicly visible address, which must not contain credentials. */
export const ownAddress = {
  ...address,
  schema: plainAddress
    .refine((url) => !hasCredentials(url), { error: 'option.address_credentials' })
    .refine((url) => !unspecifiedHost.test(url), { error: 'option.address_everywhere' }),
} as const

/** Addresses that mean every interface to a listener, and nothing to a caller. */
const unspecifiedHost = /^https?:\/\/(0\.0\.0\.0|\[::\])(:\d+)?(\/|$)/i

/** A complete http(s) URL or nothing; a trailing slash is part of it and stays. */
export const endpoint = {
  wire: 'text',
  control: 'address',
  schema: plainEndpoint,
  unsaved: unsentCredentials,
} as const

/** A publicly visible endpoint. */
export const shownEndpoint = { ...endpoint, unsaved: shownCredentials } as const

/** An image's location: an http(s) URL, a path on this gateway, an embedded image, or nothing. */
export const picture = {
  wire: 'text',
  schema: upTo(MAX_PICTURE_LENGTH).pipe(
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

/** One entry per line; blank lines are dropped and lines trimmed. */
export const lines = {
  wire: 'text',
  control: 'lines',
  schema: z.string().transform((value) => linesOf(value).join('\n')),
} as const

export const domains = {
  wire: 'text',
  control: 'domains',
  schema: z
    .string()
    .transform(domainsOf)
    .pipe(z.array(z.string().refine(isMailDomain, { error: 'option.domain_list' })))
    .transform((list) => list.join(',')),
} as const

export const choice = <const Word extends string>(words: readonly Word[]) =>
  ({ wire: 'text', control: 'choice', words, schema: z.literal(words, { error: 'option.bad_choice' }) }) as const

export const jsonOf = <Schema extends z.ZodType>(schema: Schema) => ({ wire: 'json', schema }) as const

const hasCredentials = (url: string): boolean => /^https?:\/\/[^/?#\\]*@/i.test(url)

function withoutTrailingSlashes(url: string): string {
  let end = url.length
  while (url.endsWith('/', end)) end -= 1
  return url.slice(0, end)
}
