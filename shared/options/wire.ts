import type { z } from 'zod'
import type { MessageKey } from '../messages/en.ts'
import type { MessageParams } from '../messages/format.ts'
import type { Bounds, Option, WireValue } from './option.ts'

/** Why a value was not taken: a message key and what fills its placeholders. */
export class OptionRefusal extends Error {
  override readonly name = 'OptionRefusal'
  readonly key: MessageKey
  readonly params: MessageParams

  constructor(key: MessageKey, params: MessageParams = {}) {
    super(key)
    this.key = key
    this.params = params
  }
}

/** The string that stands for a value in the table and on the API. */
export function encodeAs(wire: WireValue, value: unknown): string {
  return wire === 'json' ? JSON.stringify(value) : String(value)
}

/** The value a string stands for, checked and tidied by the option's schema. Throws `OptionRefusal`. */
export function decodeAs<T>(option: Option<T>, raw: string): T {
  const result = option.schema.safeParse(readers[option.wire](raw))
  if (result.success) return result.data
  throw refusalOf(option, result.error.issues[0])
}

const readers = {
  text: (raw) => raw,
  flag: (raw) => {
    if (raw === 'true') return true
    if (raw === 'false') return false
    throw new OptionRefusal('option.bad_flag')
  },
  number: (raw) => {
    if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(raw.trim())) throw new OptionRefusal('option.bad_number')
    return Number(raw)
  },
  json: (raw) => {
    try {
      return JSON.parse(raw) as unknown
    } catch {
      throw new OptionRefusal('option.bad_json')
    }
  },
} satisfies Record<WireValue, (raw: string) => unknown>

const fallbacks = {
  text: 'param.invalid',
  flag: 'option.bad_flag',
  number: 'option.bad_number',
  json: 'option.bad_json',
} satisfies Record<WireValue, MessageKey>

/** Turns the first complaint of a schema into a refusal: its text is the message key, its numbers fill the placeholders; a number's are all its bounds. */
function refusalOf(
  { wire, bounds }: Pick<Option<unknown>, 'wire' | 'bounds'>,
  issue: z.core.$ZodIssue | undefined,
): OptionRefusal {
  if (issue === undefined || !isOurs(issue.message)) return new OptionRefusal(fallbacks[wire])
  return new OptionRefusal(issue.message, { ...paramsOf(issue), ...(bounds && limitsOf(bounds)) })
}

/** Checks of our own say the key of a message; those of the library speak English. */
const isOurs = (complaint: string): complaint is MessageKey => complaint.startsWith('option.')

const limitsOf = (bounds: Bounds): MessageParams => ({
  min: 'above' in bounds ? bounds.above : bounds.min,
  max: bounds.max,
})

function paramsOf(issue: z.core.$ZodIssue): MessageParams {
  const name = issue.path.map(String).join('.')
  if (issue.code === 'too_small') return { name, min: Number(issue.minimum) }
  if (issue.code === 'too_big') return { name, max: Number(issue.maximum) }
  if (issue.code === 'invalid_value') return { name, values: issue.values.map(String).join(', ') }
  if (issue.code === 'custom' && typeof issue.params?.name === 'string') return { name: issue.params.name }
  return { name }
}
