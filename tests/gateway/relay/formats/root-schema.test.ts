import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../gateway/relay/formats/codec.ts'
import { rootFolded as foldedBy } from '../../../../gateway/relay/formats/root-schema.ts'
import { schemaWriting } from '../../../../gateway/relay/formats/schema-budget.ts'

const text = { type: 'string' }
const number = { type: 'number' }
const rootFolded = (schema: Json, drop: (name: string) => void = () => undefined) =>
  foldedBy(schema, schemaWriting('toolSchema', [schema], drop))

describe('a schema’s root without alternatives (docs/reference/conversion.md#tool-parameters)', () => {
  it('is the same object where it has no alternatives', () => {
    const schema = { type: 'object', properties: { a: { anyOf: [text, number] } } }
    expect(rootFolded(schema)).toBe(schema)
  })

  it('describes in text which members are needed, and requires those that all need', () => {
    expect(
      rootFolded({
        type: 'object',
        description: 'Finds a place.',
        properties: { yaml: text, files: text, note: text },
        required: ['note'],
        oneOf: [{ required: ['yaml', 'note'] }, { required: ['files', 'note'] }],
      }),
    ).toEqual({
      type: 'object',
      description: 'Finds a place.\nExactly one of these is needed: yaml, note | files, note',
      properties: { yaml: text, files: text, note: text },
      required: ['note'],
    })
  })

  it('has the members of all alternatives, each as any of its kinds', () => {
    const kinds = [{ const: 'a' }, { const: 'b' }, { const: 'a' }, { const: 'c' }]
    expect(
      rootFolded({ anyOf: kinds.map((kind) => ({ type: 'object', properties: { kind }, required: ['kind'] })) }),
    ).toEqual({
      type: 'object',
      description: 'At least one of these is needed: kind | kind | kind | kind',
      properties: { kind: { anyOf: [{ const: 'a' }, { const: 'b' }, { const: 'c' }] } },
      required: ['kind'],
    })
  })

  it('takes in all parts, those in parts and those that are referred to', () => {
    expect(
      rootFolded({
        allOf: [
          { $ref: '#/$defs/a~1b' },
          { allOf: [{ properties: { deep: text }, required: ['deep'] }] },
          { $ref: '#/$defs/missing' },
        ],
        not: { required: ['x'] },
        $defs: { 'a/b': { properties: { named: number }, required: ['named'] } },
      }),
    ).toEqual({
      type: 'object',
      description: 'Not allowed: {"required":["x"]}',
      properties: { named: number, deep: text },
      required: ['named', 'deep'],
      $defs: { 'a/b': { properties: { named: number }, required: ['named'] } },
    })
  })

  it('ends where references go round', () => {
    const round = { $ref: '#/$defs/round' }
    const schema = { anyOf: [round], $defs: { round: { anyOf: [round], properties: { a: text } } } }
    expect(rootFolded(schema)).toMatchObject({ type: 'object', properties: { a: text } })
  })

  it('ends where references multiply', () => {
    const twenty = (name: string) => Array.from({ length: 20 }, () => ({ $ref: `#/$defs/${name}` }))
    const names = Array.from({ length: 16 }, (_, index) => `d${index}`)
    const $defs = Object.fromEntries(
      names.map((name, index) => [name, { properties: { [name]: text }, anyOf: twenty(`d${index + 1}`) }]),
    )
    const folded = rootFolded({ anyOf: twenty('d0'), $defs })
    expect(Object.keys(folded.properties ?? {})).toContain('d0')
    expect(JSON.stringify(folded).length).toBeLessThan(1_000_000)
  })

  it('reports an enum, and alternatives that are nested too deeply', () => {
    const nested = (depth: number): Json =>
      depth === 0 ? { properties: { inner: text } } : { oneOf: [nested(depth - 1), { properties: { other: text } }] }
    const losses = (schema: Json) => {
      const names = new Set<string>()
      rootFolded(schema, (name) => names.add(name))
      return [...names]
    }
    expect(losses({ enum: [{ a: 1 }], properties: { a: number } })).toEqual(['toolSchema.enum'])
    expect([losses(nested(16)), losses(nested(17))]).toEqual([[], ['toolSchema.oneOf']])
  })

  it('reports the parts left out of the description because references would multiply it', () => {
    const told = new Set<string>()
    const rest = {
      type: 'object',
      $defs: { a: { description: 'x'.repeat(10_000), not: { const: 'y'.repeat(90_000) } } },
    }
    const anyOf = Array.from({ length: 100 }, () => ({ $ref: '#/$defs/a' }))
    const folded = rootFolded({ ...rest, anyOf }, (name) => told.add(name))
    expect(folded).toEqual({ ...rest, properties: {} })
    expect([...told].sort()).toEqual(['toolSchema.anyOf', 'toolSchema.not'])
  })
})
