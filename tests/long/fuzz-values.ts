import { z } from 'zod'
import type { ApiCall } from '../../shared/api/call.ts'

/** All randomness of a fuzz run: fractions in [0, 1) and values derived from them. */
export interface Dice {
  chance(share: number): boolean
  below(limit: number): number
  one<T>(of: readonly T[]): T
}

/** Dice over a source of fractions. */
export function diceOf(random: () => number): Dice {
  const below = (limit: number) => Math.floor(random() * limit)
  return {
    chance: (share) => random() < share,
    below,
    one: <T>(of: readonly T[]): T => of[below(of.length)] as T, // never called with an empty list
  }
}

/** Values that no well-meaning client would send. Small positive ids are left out because the run itself needs them. */
const odd: readonly unknown[] = [
  null,
  true,
  false,
  '',
  ' ',
  '0',
  '-1',
  'NaN',
  '\u0000',
  '\ud800',
  '__proto__',
  '%s%n{{7*7}}',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  'http://169.254.169.254/',
  'data:image/png;base64,AAAA',
  'x'.repeat(5000),
  '😀'.repeat(300),
  '年'.repeat(300),
  0,
  -1,
  7,
  1.5,
  -0.0,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 53 + 2,
  2 ** 31,
  [],
  {},
  [[]],
  [null],
  { __proto__: null, constructor: { prototype: {} } },
]

/** An odd value, sometimes a deep or a wide one. */
export function oddValue(dice: Dice): unknown {
  if (dice.chance(0.03)) return nested(dice.one([10, 63, 64, 65, 500]))
  if (dice.chance(0.03)) return Array.from({ length: dice.one([100, 3000]) }, () => dice.one(odd))
  if (dice.chance(0.03)) return Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index]))
  return dice.one(odd)
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let turn = 0; turn < depth; turn += 1) value = turn % 2 ? [value] : { a: value }
  return value
}

/** The value with some of its parts replaced by odd ones, left out or duplicated. */
export function mangled(dice: Dice, value: unknown, share = 0.12): unknown {
  if (dice.chance(share / 2)) return oddValue(dice)
  if (Array.isArray(value)) {
    const items = value.filter(() => !dice.chance(share / 2)).map((item) => mangled(dice, item, share))
    return dice.chance(share / 2) ? [...items, ...items, oddValue(dice)] : items
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(() => !dice.chance(share / 3))
  const kept = entries.map(([name, part]) => [name, mangled(dice, part, share)])
  if (dice.chance(share / 2)) kept.push([dice.one(['extra', '__proto__', '', 'n', 'user']), oddValue(dice)])
  return Object.fromEntries(kept)
}

type Schema = Readonly<{ [name: string]: unknown }>

/** A part of a call as its contract describes it. */
export function partOf(dice: Dice, part: ApiCall['body']): unknown {
  if (!part) return undefined
  return valueFor(dice, z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' }) as Schema, 0)
}

function valueFor(dice: Dice, schema: Schema, depth: number): unknown {
  if (dice.chance(0.06) || depth > 8) return oddValue(dice)
  const { type, anyOf, oneOf, properties, items, additionalProperties } = schema
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return dice.one(schema.enum)
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return valueFor(dice, dice.one(choices) as Schema, depth + 1)
  if (type === 'object') return objectFor(dice, { properties, additionalProperties }, depth)
  if (type === 'array')
    return Array.from({ length: dice.below(3) }, () => valueFor(dice, (items ?? {}) as Schema, depth + 1))
  if (type === 'string')
    return dice.one(['gpt-4o', 'a name', 'default', '1', 'fuzz@example.org', 'http://127.0.0.1:1', '{}'])
  if (type === 'integer' || type === 'number') return dice.one([0, 3, 5, 10, 100, -1, 1_000_000])
  if (type === 'boolean') return dice.chance(0.5)
  return oddValue(dice)
}

function objectFor(dice: Dice, { properties, additionalProperties }: Schema, depth: number): unknown {
  const fields = Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>)
  const entries = fields
    .filter(() => !dice.chance(0.2))
    .map(([name, field]) => [name, valueFor(dice, field, depth + 1)] as const)
  if (typeof additionalProperties === 'object' && additionalProperties !== null)
    entries.push([dice.one(['gpt-4o', 'default', 'x']), valueFor(dice, additionalProperties as Schema, depth + 1)])
  return Object.fromEntries(entries)
}
