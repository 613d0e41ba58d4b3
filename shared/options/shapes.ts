import { z } from 'zod'
import { isChatLink } from '../links.ts'
import type { MessageKey } from '../messages/en.ts'

const MAX_INTEGER = 2_147_483_647
/** The largest ratio, and the largest price in US dollars: above any real price, and small enough for every sum. */
const MAX_RATIO = 1_000_000
const mapShape = { error: 'option.map_shape' } as const
const listShape = { error: 'option.list_shape' } as const
const ratioFrom = (tooSmall: 'option.map_number' | 'option.group_negative') =>
  z.number({ error: 'option.map_number' }).min(0, { error: tooSmall }).max(MAX_RATIO, { error: 'option.map_max' })
const ratio = ratioFrom('option.map_number')

type Naming = (name: string) => MessageKey | undefined

/** Why a text is not a name: requests are trimmed, so a name with surrounding blanks would never match. */
const whyNoName: Naming = (name) => (name === '' || name !== name.trim() ? 'option.name_blank' : undefined)
/** As `whyNoName`, for groups: their names are used in comma-separated lists. */
const whyNoGroup: Naming = (name) => (name.trim() === '' || name.includes(',') ? 'option.group_name' : whyNoName(name))

/** Groups that accounts can be in: `auto` only selects among them, and has no ratio. */
const whyNoRealGroup: Naming = (name) => (name === 'auto' ? 'option.group_auto' : whyNoGroup(name))

const namedMap = <Value extends z.ZodType>(value: Value, complaint: Naming = whyNoName) =>
  z.record(z.string(), value, mapShape).superRefine((map, context) => {
    for (const name of Object.keys(map)) {
      const message = complaint(name)
      if (message) return context.addIssue({ code: 'custom', message, path: [name], params: { name } })
    }
  })

/** A list of non-empty names. */
const namesOf = (complaint: Naming) =>
  z.array(
    z
      .string({ error: 'option.list_text' })
      .min(1, { error: 'option.list_text' })
      .superRefine((name, context) => {
        const message = complaint(name)
        if (message) context.addIssue({ code: 'custom', message, params: { name } })
      }),
    listShape,
  )

/** Model name to a ratio or price from 0 to `MAX_RATIO`. */
export const ratioMap = namedMap(ratio)

/** Maximum steps of a model. */
export const MAX_STEPS = 8
const MAX_STEP_TOKENS = 100_000_000

/** The cost factors of prompts above a number of tokens, and of their output. */
const priceStep = z.strictObject(
  {
    above: z
      .int({ error: 'option.map_count' })
      .min(1, { error: 'option.map_count' })
      .max(MAX_STEP_TOKENS, { error: 'option.map_max' }),
    input: ratio,
    output: ratio,
  },
  { error: 'option.steps_shape' },
)

/** Model name to the steps of its price, each above the one before. */
export const priceSteps = namedMap(
  z
    .array(priceStep, { error: 'option.steps_shape' })
    .max(MAX_STEPS, { error: 'option.steps_shape' })
    .refine((steps) => steps.every(({ above }, index) => above > (steps[index - 1]?.above ?? 0)), {
      error: 'option.steps_order',
    }),
)

export const textMap = namedMap(z.string({ error: 'option.map_text' }))

/** A list of names, none of them empty or with surrounding blanks. */
export const nameList = namesOf(whyNoName)

export const groupMap = <Value extends z.ZodType>(value: Value) => namedMap(value, whyNoGroup)

export const groupRatios = namedMap(ratioFrom('option.group_negative'), whyNoRealGroup)

/** The user's group, then the group in use, to the ratio that replaces the ordinary ratio of the group in use. */
export const groupGroupRatios = namedMap(namedMap(ratio, whyNoRealGroup), whyNoRealGroup)

/** The distinct groups that `auto` tries, in order. */
export const groupList = namesOf(whyNoRealGroup).superRefine((names, context) => {
  const seen = new Set<string>()
  const repeated = names.findIndex((name) => seen.size === seen.add(name).size)
  const name = names[repeated]
  if (name !== undefined)
    context.addIssue({ code: 'custom', message: 'option.group_twice', path: [repeated], params: { name } })
})

/** Group name to [max requests, max successes] within the global period; 0 requests means unlimited. */
export const groupRateLimits = groupMap(z.custom<[number, number]>(isRateLimit, { error: 'option.rate_group' }))

/** Maximum entries of a list that is sent to every browser, and characters of each. */
const MAX_LIST_LENGTH = 100
const MAX_ENTRY_LENGTH = 2000

/** Payment methods of the wallet; additional keys are preserved. */
export const payMethods = z
  .array(
    z.looseObject(
      {
        name: z.string({ error: 'option.pay_shape' }).min(1, { error: 'option.pay_shape' }),
        type: z.string({ error: 'option.pay_shape' }).min(1, { error: 'option.pay_shape' }),
        color: z.string({ error: 'option.pay_shape' }).optional(),
      },
      { error: 'option.pay_shape' },
    ),
    listShape,
  )
  .max(MAX_LIST_LENGTH, { error: 'option.list_long' })
  .refine(hasShortEntries, { error: 'option.entry_long' })

/** Chat presets: objects of exactly one name and its URL template with {key} and {address}. */
export const chats = z
  .array(
    z
      .record(z.string(), z.string({ error: 'option.chats_shape' }), { error: 'option.chats_shape' })
      .refine((chat) => Object.keys(chat).length === 1, { error: 'option.chats_shape' })
      .refine((chat) => Object.keys(chat).every((name) => name.trim() !== ''), { error: 'option.chats_shape' })
      .refine((chat) => Object.values(chat).every(isChatLink), { error: 'option.chats_link' }),
    listShape,
  )
  .max(MAX_LIST_LENGTH, { error: 'option.list_long' })
  .refine(hasShortEntries, { error: 'option.entry_long' })

/** Model name to header name to its values, without characters that HTTP forbids in a header. */
export const modelHeaders = namedMap(
  z
    .record(
      z.string(),
      z.array(z.string({ error: 'option.map_list' }).regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'option.header' }), {
        error: 'option.map_list',
      }),
      mapShape,
    )
    .refine((headers) => Object.keys(headers).every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)), {
      error: 'option.header',
    }),
)

export const countMap = namedMap(
  z
    .int({ error: 'option.map_count' })
    .min(1, { error: 'option.map_count' })
    .max(MAX_INTEGER, { error: 'option.map_count' }),
)

/** Model name to its default max tokens; the entry `default` is required. */
export const maxTokens = countMap.refine((map) => Object.hasOwn(map, 'default'), {
  error: 'option.needs_default',
})

/** Whether all entries of a list are within the limit for data that is sent to every browser. */
function hasShortEntries(list: readonly unknown[]): boolean {
  return list.every((entry) => JSON.stringify(entry).length <= MAX_ENTRY_LENGTH)
}

function isRateLimit(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [max, successes]: unknown[] = value
  return isLimit(max, 0) && isLimit(successes, 1)
}

const isLimit = (value: unknown, min: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= MAX_INTEGER
