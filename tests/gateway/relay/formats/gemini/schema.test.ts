import { describe, expect, it } from 'vitest'
import { cleanAnswerSchema, cleanParameters, cleanSchema } from '../../../../../gateway/relay/formats/gemini/schema.ts'

describe('a JSON schema for Gemini', () => {
  it('loses what the vendor does not know, at any depth', () => {
    const inner = { type: 'integer', exclusiveMinimum: 0, default: 1, minimum: 0, format: 'int32' }
    expect(
      cleanSchema({
        $schema: 'x',
        type: 'object',
        properties: { list: { type: 'array', items: inner }, at: { type: 'string', format: 'date-time' } },
        required: ['list', 'gone'],
        additionalProperties: false,
      }),
    ).toEqual({
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'integer', minimum: 0, format: 'int32' } },
        at: { type: 'string', format: 'date-time' },
      },
      required: ['list'],
    })
  })

  it('follows references, merges allOf, reads null as nullable and constants as enums', () => {
    const $defs = { size: { enum: ['s', 'l'] }, base: { properties: { id: { type: 'string' } }, required: ['id'] } }
    const properties = {
      size: { $ref: '#/$defs/size', description: 'How big' },
      name: { type: ['string', 'null'] },
      kind: { const: 'a' },
      either: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
      maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    }
    expect(cleanSchema({ $defs, allOf: [{ type: 'object', properties }, $defs.base] })).toEqual({
      type: 'object',
      properties: {
        size: { type: 'string', enum: ['s', 'l'], description: 'How big' },
        name: { type: 'string', nullable: true },
        kind: { type: 'string', enum: ['a'] },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }], nullable: true },
        maybe: { type: 'string', nullable: true },
        id: { type: 'string' },
      },
      required: ['id'],
    })
  })

  it('ends references that lead back into themselves, and schemas that would grow without end', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#' } } }
    expect(cleanSchema(tree)).toEqual({
      type: 'object',
      properties: { child: { type: 'object', properties: { child: { type: 'object' } } } },
    })
    const twice = (name: string) => ({ properties: { a: { $ref: name }, b: { $ref: name } } })
    const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`d${n}`, twice(`#/$defs/d${n + 1}`)]))
    const size = JSON.stringify(cleanSchema({ $defs, $ref: '#/$defs/d0' })).length
    expect(size).toBeLessThan(2_000_000)
  })

  it('adds up what is inherited by reference', () => {
    const of = (name: string) => ({ properties: { [name]: { type: 'string' } }, required: [name] })
    const $defs = { base: of('a'), middle: { allOf: [{ $ref: '#/$defs/base' }, of('b')] } }
    const child = { allOf: [{ $ref: '#' }] }
    expect(cleanSchema({ $defs, allOf: [{ $ref: '#/$defs/middle' }], properties: { child } })).toMatchObject({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, child: { properties: { a: {}, b: {}, child: {} } } },
      required: ['a', 'b'],
    })
    const twice = (n: number) => ({
      allOf: [{ $ref: `#/$defs/d${n}` }, { $ref: `#/$defs/d${n}` }],
      properties: of('x').properties,
    })
    const grown = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`d${n}`, twice(n + 1)]))
    expect(cleanSchema({ $defs: grown, $ref: '#/$defs/d0' })).toEqual({
      type: 'object',
      properties: of('x').properties,
    })
  })

  it('leaves out parameters without any, and the title of an answer', () => {
    expect(cleanParameters({ type: 'object', properties: {} })).toBeUndefined()
    expect(cleanAnswerSchema({ title: 'T', type: 'object' })).toEqual({ type: 'object' })
  })
})
