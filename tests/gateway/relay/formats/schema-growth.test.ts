import { describe, expect, it } from 'vitest'
import { MAX_GROWTH } from '../../../../gateway/relay/formats/schema-budget.ts'
import { withTools } from './with-tools.ts'

const long = (length: number) => ({ type: 'string', description: 'd'.repeat(length) })
const named = (count: number, one: (index: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, one(index)]))
const forGemini = (...schemas: readonly object[]) =>
  withTools(
    schemas.map((schema) => ({ type: 'object', ...schema })),
    'gemini',
    'gemini-2.5-pro',
  )

describe('the growth of the schemas of a request (docs/reference/limits.md#bodies)', () => {
  it('is limited for all its tools together: a tool beyond that accepts any object, which is reported', () => {
    const schema = { properties: named(3, () => ({ $ref: '#/$defs/a' })), $defs: { a: long(100_000) } }
    const { wire, told } = forGemini(schema, schema, schema)
    const beyond = JSON.stringify(wire).length - 3 * JSON.stringify(schema).length
    expect(beyond).toBeLessThan(MAX_GROWTH)
    expect(beyond).toBeGreaterThan(MAX_GROWTH / 2)
    expect([...told]).toEqual(['toolSchema.$ref'])
  })

  it('is not touched by definitions that are referred to once', () => {
    const schema = {
      properties: named(40, (index) => ({ $ref: `#/$defs/p${index}` })),
      $defs: named(40, () => long(20_000)),
    }
    const { wire, told } = forGemini(schema)
    expect(told.size).toBe(0)
    expect(JSON.stringify(wire).length).toBeGreaterThan(40 * 20_000)
  })

  it('is limited where references lead to references, which would multiply it to a hundred megabytes', () => {
    const level = (index: number) => ({
      type: 'object',
      properties: named(20, () => ({ $ref: `#/$defs/p${index + 1}` })),
    })
    const $defs = named(6, (index) => (index < 5 ? level(index) : long(2000)))
    const { wire, told } = forGemini({ ...level(-1), $defs })
    expect(JSON.stringify(wire).length).toBeLessThan(MAX_GROWTH + 20_000)
    expect([...told]).toEqual(['toolSchema.$ref'])
  })
})
