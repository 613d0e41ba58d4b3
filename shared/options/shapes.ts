import { z } from 'zod'
import { isChatLink } from '../links.ts'

const longestInteger = 2_147_483_647
const ratio = z.number({ error: 'option.map_number' }).min(0, { error: 'option.map_number' })
const mapShape = { error: 'option.map_shape' } as const
const listShape = { error: 'option.list_shape' } as const

/** Model name to a ratio or price of at least 0. */
export const ratioMap = z.record(z.string(), ratio, mapShape)

/** Name to text. */
export const textMap = z.record(z.string(), z.string({ error: 'option.map_text' }), mapShape)

/** List of names, none of them empty. */
export const nameList = z.array(
  z.string({ error: 'option.list_text' }).min(1, { error: 'option.list_text' }),
  listShape,
)

/** Group name to whatever; names end up in comma lists, so they may be neither empty nor contain a comma. */
export const groupMap = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), value, mapShape).superRefine((map, context) => {
    const bad = Object.keys(map).find((name) => name.trim() === '' || name.includes(','))
    if (bad !== undefined) context.addIssue({ code: 'custom', message: 'option.group_name', params: { name: bad } })
  })

/** Group name to its price ratio. */
export const groupRatios = groupMap(z.number({ error: 'option.map_number' }).min(0, { error: 'option.group_negative' }))

/** Group of the user to group in use to the ratio that replaces the ordinary one. */
export const groupGroupRatios = groupMap(ratioMap)

/** Group name to [most requests, most successes] within the global period; 0 requests means unlimited. */
export const groupRateLimits = groupMap(z.custom<[number, number]>(isRateLimit, { error: 'option.rate_group' }))

/** Payment methods as the wallet offers them; keys beyond the three are kept. */
export const payMethods = z.array(
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

/** Chat presets: objects of exactly one name and its URL template with {key} and {address}. */
export const chats = z.array(
  z
    .record(z.string(), z.string({ error: 'option.chats_shape' }), { error: 'option.chats_shape' })
    .refine((chat) => Object.keys(chat).length === 1, { error: 'option.chats_shape' })
    .refine((chat) => Object.values(chat).every(isChatLink), { error: 'option.chats_link' }),
  listShape,
)

/** Model name to header name to its values; none may carry what HTTP forbids in a header. */
export const modelHeaders = z.record(
  z.string(),
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
  mapShape,
)

/** Name to a whole number of at least 1. */
export const countMap = z.record(
  z.string(),
  z.int({ error: 'option.map_count' }).min(1, { error: 'option.map_count' }).max(longestInteger),
  mapShape,
)

/** Model name to its default max tokens; the entry `default` is required. */
export const maxTokens = countMap.refine((map) => Object.hasOwn(map, 'default'), {
  error: 'option.needs_default',
})

function isRateLimit(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [most, successes]: unknown[] = value
  return isLimit(most, 0) && isLimit(successes, 1)
}

const isLimit = (value: unknown, least: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= longestInteger
