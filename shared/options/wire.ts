import type { z } from 'zod'
import {
  brokenPosition,
  flawIn,
  isStorable,
  type JsonFlaw,
  MAX_JSON_DEPTH,
  positionOf,
  type TextPosition,
} from '../json-text.ts'
import type { MessageKey } from '../messages/en.ts'
import type { MessageParams } from '../messages/format.ts'
import type { Bounds, Option, WireValue } from './option.ts'

/** Why a value was refused: a message key, its placeholder values and, for JSON text, the position. */
export class OptionRefusal extends Error {
  override readonly name = 'OptionRefusal'
  readonly key: MessageKey
  readonly params: MessageParams
  readonly position: TextPosition | undefined

  constructor(key: MessageKey, params: MessageParams = {}, position?: TextPosition) {
    super(key)
    this.key = key
    this.params = params
    this.position = position
  }
}

export function encodeAs(wire: WireValue, value: unknown): string {
  return wire === 'json' ? JSON.stringify(value) : String(value)
}

/** Decodes a string and validates it by the option's schema. Throws `OptionRefusal`. */
export function decodeAs<T>(option: Option<T>, raw: string): T {
  if (!isStorable(raw)) throw new OptionRefusal('option.bad_text')
  const result = option.schema.safeParse(readers[option.wire](raw))
  if (result.success) return result.data
  throw refusalOf(option, result.error.issues[0], raw)
}

const readers = {
  text: (raw) => raw,
  flag: (raw) => {
    if (raw === 'true') return true
    if (raw === 'false') return false
    throw new OptionRefusal('option.bad_flag')
  },
  // The schema refuses NaN, and reports the allowed bounds.
  number: (raw) => (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(raw.trim()) ? Number(raw) : Number.NaN),
  json: (raw) => {
    let value: unknown
    try {
      value = JSON.parse(raw)
    } catch {
      throw new OptionRefusal('option.bad_json', {}, brokenPosition(raw))
    }
    const flaw = flawIn(raw)
    if (flaw)
      throw new OptionRefusal(flaws[flaw.kind], { name: shortened(flaw.name), max: MAX_JSON_DEPTH }, flaw.position)
    return value
  },
} satisfies Record<WireValue, (raw: string) => unknown>

const flaws = {
  duplicate: 'option.json_duplicate',
  forbidden: 'option.json_name',
  deep: 'option.json_deep',
  signs: 'option.bad_text',
} satisfies Record<JsonFlaw['kind'], MessageKey>

const fallbacks = {
  text: 'param.invalid',
  flag: 'option.bad_flag',
  number: 'option.bad_number',
  json: 'option.bad_json',
} satisfies Record<WireValue, MessageKey>

/**
 * Converts the first issue of a schema to a refusal: the issue's text is the message key, and its numbers fill the
 * placeholders; for a number, all of its bounds do.
 */
function refusalOf(
  { wire, bounds }: Pick<Option<unknown>, 'wire' | 'bounds'>,
  issue: z.core.$ZodIssue | undefined,
  raw: string,
): OptionRefusal {
  const path = issue?.path.map((step) => (typeof step === 'number' ? step : String(step))) ?? []
  const position = wire === 'json' ? positionOf(raw, path) : undefined
  if (issue === undefined || !isOurs(issue.message)) return new OptionRefusal(fallbacks[wire], {}, position)
  return new OptionRefusal(issue.message, { ...paramsOf(issue), ...(bounds && limitsOf(bounds)) }, position)
}

/** Our checks return a message key; those of the library are in English. */
const isOurs = (complaint: string): complaint is MessageKey => complaint.startsWith('option.')

const limitsOf = (bounds: Bounds): MessageParams => ({
  min: 'above' in bounds ? bounds.above : bounds.min,
  max: bounds.max,
  ...(bounds.least !== undefined && { least: bounds.least }),
})

function paramsOf(issue: z.core.$ZodIssue): MessageParams {
  const name = shortened(issue.path.map(String).join('.'))
  if (issue.code === 'too_small') return { name, min: Number(issue.minimum) }
  if (issue.code === 'too_big') return { name, max: Number(issue.maximum) }
  if (issue.code === 'invalid_value') return { name, values: issue.values.map(String).join(', ') }
  if (issue.code === 'custom' && typeof issue.params?.name === 'string') return { name: shortened(issue.params.name) }
  return { name }
}

const shortened = (name: string): string => (name.length > 80 ? `${name.slice(0, 79)}…` : name)
