import type { z } from 'zod'
import type { Complaint } from '../../../shared/api/fields.ts'
import type { MessageKey } from '../../../shared/messages/en.ts'
import { isObject } from '../../base/json/json.ts'

/**
 * The first of several issues; of several about size, the one with the smallest limit: the field's own rather than that
 * of numbers in general.
 */
export function mainIssue(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const [first] = issues
  if (first?.code !== 'too_big') return first
  const sizes = issues.flatMap((issue) =>
    issue.code === 'too_big' && issue.path.join('.') === first.path.join('.') ? [issue] : [],
  )
  return sizes.reduce((min, issue) => (issue.maximum < min.maximum ? issue : min), first)
}

/**
 * A plain message for an invalid part of a request; undefined if only the library has one. `input` is what was sent.
 */
export function wordsFor(issue: z.core.$ZodIssue, input: unknown): Complaint | undefined {
  if (issue.code === 'invalid_type') {
    if (valueAt(input, issue.path) === undefined) return { key: 'input.missing', values: {} }
    const key = types[issue.expected]
    return key && { key, values: {} }
  }
  if (issue.code === 'invalid_value')
    return { key: 'input.one_of', values: { values: issue.values.map(String).join(', ') } }
  if (issue.code === 'too_small') {
    const min = issue.origin === 'number' && !issue.inclusive ? 'input.above' : sizes[issue.origin]?.min
    return min && { key: min, values: { min: Number(issue.minimum) } }
  }
  if (issue.code !== 'too_big' || !issue.inclusive) return undefined
  const max = sizes[issue.origin]?.max
  return max && { key: max, values: { max: Number(issue.maximum) } }
}

const types: Readonly<Record<string, MessageKey>> = {
  string: 'input.not_text',
  number: 'input.not_number',
  int: 'input.not_whole',
  boolean: 'input.not_flag',
  array: 'input.not_list',
  object: 'input.not_object',
  record: 'input.not_object',
}

const number = { min: 'input.at_least', max: 'input.at_most' } as const
const sizes: Readonly<Record<string, Readonly<{ min: MessageKey; max: MessageKey }>>> = {
  number,
  int: number,
  string: { min: 'input.too_short', max: 'input.too_long' },
  array: { min: 'input.too_few', max: 'input.too_many' },
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)]
    else value = isObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined
  }
  return value
}
