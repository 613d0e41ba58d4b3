import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../gateway/relay/formats/format.ts'
import { MAX_GROWTH } from '../../../../gateway/relay/formats/schema-budget.ts'
import { workOf } from '../../../support/work-of.ts'
import { withTools } from './with-tools.ts'

/** The limit (docs/reference/limits.md#bodies) plus a request without tools. */
const MAX = MAX_GROWTH + 10_000

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index))
const membersOf = (count: number, beginning: string, value: unknown = 1) =>
  Object.fromEntries(many(count, (index) => [`${beginning}${index}`, value]))
const reference = { $ref: '#/$defs/a' }
const anyOf = (count: number, more: object = {}) => many(count, () => ({ ...reference, ...more }))
const properties = (count: number, schema: Json) => membersOf(count, 'p', schema)
const long = (length: number) => ({ description: 'd'.repeat(length) })

/** Alternatives nested in `levels` levels, with additional members at each level. */
const nested = (levels: number, inner: Json, level: (index: number) => Json): Json =>
  levels === 0 ? inner : { anyOf: [nested(levels - 1, inner, level), level(levels)] }

const hostile: readonly (readonly [string, Json])[] = [
  [
    'members of a shared definition',
    { anyOf: anyOf(2), $defs: { a: { properties: properties(100, { type: 'string', ...long(20_000) }) } } },
  ],
  ['a long `not`', { anyOf: anyOf(4900), $defs: { a: { not: long(90_000) } } }],
  ['a long description', { anyOf: anyOf(4900), $defs: { a: { ...long(90_000), properties: { b: {} } } } }],
  ['a long name', { oneOf: anyOf(2000), $defs: { a: { required: ['n'.repeat(90_000)] } } }],
  [
    'a long reference',
    { anyOf: anyOf(4000), $defs: { a: { allOf: [{ $ref: `#/$defs/b${'/x'.repeat(20_000)}` }] }, b: {} } },
  ],
  [
    'keywords of no vendor',
    { properties: properties(200, { ...reference, title: 'T' }), $defs: { a: membersOf(15_000, 'x-') } },
  ],
  [
    'keywords of no vendor, in alternatives',
    { anyOf: anyOf(4900, { title: 'T' }), $defs: { a: membersOf(15_000, 'x-') } },
  ],
  [
    'a long property',
    { anyOf: anyOf(1000), $defs: { a: { properties: { b: { const: membersOf(15_000, 'name') } } } } },
  ],
  [
    'a property of many kinds',
    { anyOf: anyOf(2000), $defs: { a: { properties: { b: { anyOf: many(15_000, (index) => ({ const: index })) } } } } },
  ],
  [
    'lists of what is no schema',
    { anyOf: anyOf(4900), $defs: { a: { anyOf: many(30_000, () => 1), required: many(30_000, () => 1) } } },
  ],
  ['a long default', { properties: properties(5000, reference), $defs: { a: { default: membersOf(15_000, 'name') } } }],
  [
    'references of references',
    {
      properties: properties(20, { $ref: '#/$defs/b0' }),
      $defs: Object.fromEntries(
        many(9, (index) => [
          `b${index}`,
          index < 8 ? { properties: properties(20, { $ref: `#/$defs/b${index + 1}` }) } : long(2000),
        ]),
      ),
    },
  ],
  [
    'references in `allOf`',
    { properties: { b: { allOf: anyOf(5000) } }, $defs: { a: { default: membersOf(15_000, 'name') } } },
  ],
  [
    'limits of all alternatives',
    {
      properties: {
        b: { pattern: 'p'.repeat(100_000), type: 'string', anyOf: many(2000, (index) => ({ minLength: index })) },
      },
    },
  ],
  [
    'limits of all types',
    { properties: { b: { type: ['string', 'number', 'boolean', 'object', 'array'], note: 'n'.repeat(1_000_000) } } },
  ],
  [
    'parts of any type',
    {
      properties: many(8, () => 0).reduce<Json>(
        (inner) => ({ ...properties(1000, {}), inner: { type: 'object', properties: inner } }),
        {},
      ),
    },
  ],
  ['lists of any items', { properties: properties(15_000, { type: 'array' }) }],
  [
    'alternatives in alternatives',
    {
      properties: {
        b: nested(30, { type: 'string', ...long(2_000_000) }, (index) => ({ type: 'string', minLength: index })),
      },
    },
  ],
  [
    'alternatives in alternatives of the root',
    nested(15, { properties: { b: long(500_000) } }, (index) => ({ required: [`r${index}`] })),
  ],
  [
    'long names in alternatives in alternatives',
    nested(15, { required: ['n'.repeat(300_000)] }, (index) => ({ required: [`r${index}`] })),
  ],
  [
    'members of many that hold together',
    {
      properties: {
        b: {
          allOf: many(3000, (index) => ({
            properties: { c: { properties: { [`d${index}`]: { type: 'string' } } } },
            items: { properties: { [`e${index}`]: { type: 'string' } } },
          })),
        },
      },
    },
  ],
]

const vendors: readonly (readonly [string, Format, string])[] = [
  ['Anthropic', 'anthropic', 'claude-sonnet-4-5'],
  ['OpenAI', 'openai', 'gpt-4o'],
  ['Responses', 'responses', 'gpt-4o'],
  ['Gemini', 'gemini', 'gemini-2.5-pro'],
  ['an older Gemini', 'gemini', 'gemini-2.0-flash'],
]

describe.each(vendors)('schemas for %s (docs/reference/limits.md#bodies)', (_, format, model) => {
  it.each(hostile)('need time and memory proportional to the input: %s', async (_, schema) => {
    const text = JSON.stringify(schema)
    let out = 0
    const reading = await workOf(() => JSON.stringify(JSON.parse(text)))
    const convert = () => {
      out = JSON.stringify(withTools([schema], format, model).wire).length
    }
    // The cheapest of three: other work on the machine makes the same work dearer.
    const work = Math.min(await workOf(convert), await workOf(convert), await workOf(convert))
    const namesOfTypes = 30 * text.split('{').length
    expect(out).toBeLessThan(text.length + namesOfTypes + MAX)
    expect(work).toBeLessThan(20 * Math.max(reading, 15))
  })
})
