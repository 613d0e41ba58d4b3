import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import { schemaIn } from '../../../../../gateway/relay/formats/gemini/schema-in.ts'
import { answerSchemaOut, parametersOut } from '../../../../../gateway/relay/formats/gemini/schema-out.ts'
import { schemaWriting } from '../../../../../gateway/relay/formats/schema-budget.ts'
import { aTarget } from './wire.ts'

/** A tool's parameters as encoded for a model, and the reported losses. */
function written(schema: Json | undefined, model: string) {
  const { target, dropped } = aTarget(model)
  const out: Json = parametersOut(schema, model, schemaWriting('toolSchema', [schema], target.drop))
  return { parametersJsonSchema: out.parametersJsonSchema, ...out, told: [...new Set(dropped)].sort() }
}

/** The JSON schema that models from 2.5 on receive. */
const json = (schema: Json) => written(schema, 'gemini-3-pro-preview')
/** The Schema object of the vendor that older models receive. */
const older = (schema: Json) => written(schema, 'gemini-2.0-flash')
const member = (schema: Json) => ({ type: 'object', properties: { a: schema } })
const said = (parametersJsonSchema: Json, ...told: string[]) => ({ parametersJsonSchema, told })

const any = (more: Json = {}) => ({
  anyOf: [
    { type: 'string', ...more },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object' },
    {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object' }] },
    },
    { type: 'null' },
  ],
})

const severalTypes = {
  anyOf: [
    { type: 'string', pattern: 'x', title: 'T' },
    { type: 'number', maximum: 3 },
  ],
}
const textsAndNumbers = {
  anyOf: [
    { type: 'string', enum: ['a'] },
    { type: 'number', enum: [1] },
  ],
}

describe('a JSON schema for a Gemini from 2.5 on (docs/reference/conversion.md#schemas-for-gemini)', () => {
  it('preserves everything in it, whether the vendor reads it or not', () => {
    const schema = {
      type: 'object',
      description: 'What to find',
      properties: {
        words: { type: 'array', items: { type: 'string', pattern: '^a', minLength: 1 }, uniqueItems: true },
        many: { type: 'integer', exclusiveMinimum: 0, multipleOf: 2, default: 4, format: 'int32' },
        names: { type: 'object', additionalProperties: { type: 'number' }, propertyNames: { pattern: '^n' } },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      },
      required: ['words'],
      additionalProperties: false,
      not: { required: ['gone'] },
    }
    expect(json({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'x', ...schema })).toEqual(said(schema))
  })

  it.each([
    ['a property of any type', { description: 'What the script reads' }, any({ description: 'What the script reads' })],
    [
      'a type that its keywords speak of',
      { properties: { b: { minLength: 1 } } },
      { type: 'object', properties: { b: { type: 'string', minLength: 1 } } },
    ],
    ['several types', { type: ['string', 'number'], maximum: 3, pattern: 'x', title: 'T' }, severalTypes],
    [
      'a constant',
      { const: 'on', description: 'Always on' },
      { type: 'string', description: 'Always on', enum: ['on'] },
    ],
    ['numbers to choose from', { enum: [1, 2.5] }, { type: 'number', enum: [1, 2.5] }],
    ['whole numbers to choose from', { type: 'integer', enum: [1, 2] }, { type: 'integer', enum: [1, 2] }],
    ['texts and numbers to choose from', { enum: ['a', 1] }, textsAndNumbers],
    ['texts or null', { enum: ['a', null] }, { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] }],
    ['null beside a type', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'an optional',
      { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'D' },
      { type: ['string', 'null'], description: 'D' },
    ],
    ['a map of anything', { type: 'object', additionalProperties: {} }, { type: 'object', additionalProperties: true }],
    ['items of any type', { type: 'array', items: {} }, { type: 'array', items: any() }],
    ['true and false', { enum: [true, false] }, { type: 'boolean' }],
  ] as const)('types every part: %s', (_, schema, expected) => {
    expect(json(member(schema))).toEqual(said(member(expected)))
  })

  it('moves the keywords next to alternatives into them, where Vertex accepts none there', () => {
    const one = { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] }
    const schema = {
      description: 'Either',
      type: 'object',
      properties: { c: { type: 'number' } },
      oneOf: [one, { required: ['c'], description: 'With c' }, { not: {} }, { type: 'string' }],
    }
    const properties = { c: { type: 'number' } }
    expect(json(member(schema))).toEqual(
      said(
        member({
          anyOf: [
            { description: 'Either', ...one, properties: { b: { type: 'string' }, ...properties } },
            { description: 'With c', type: 'object', properties, required: ['c'] },
          ],
        }),
      ),
    )
  })

  it('follows references, merges allOf with the stricter of two limits, and reports parts it cannot merge', () => {
    const $defs = { size: { enum: ['s', 'l'] }, base: { properties: { id: { type: 'string' } }, required: ['id'] } }
    const properties = {
      size: { $ref: '#/$defs/size', description: 'How big' },
      at: {
        allOf: [
          { type: 'number', minimum: 1 },
          { minimum: 2, maximum: 9 },
        ],
      },
      like: { allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
    }
    expect(json({ $defs, allOf: [{ type: 'object', properties }, $defs.base] })).toEqual(
      said(
        {
          type: 'object',
          properties: {
            size: { type: 'string', enum: ['s', 'l'], description: 'How big' },
            at: { type: 'number', minimum: 2, maximum: 9 },
            like: { type: 'string', pattern: 'a' },
            id: { type: 'string' },
          },
          required: ['id'],
        },
        'toolSchema.pattern',
      ),
    )
  })

  it('preserves a circular reference from an optional property, and reports one that cannot stay', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, value: {} }, required: ['value'] }
    const kept = json({ $defs: { node }, type: 'object', properties: { list: { $ref: '#/$defs/node' } } })
    const properties = { next: { $ref: '#/$defs/node_1' }, value: any() }
    expect(kept).toEqual(
      said({
        type: 'object',
        properties: { list: { ...node, properties } },
        $defs: { node_1: { ...node, properties } },
      }),
    )
    const tree = { type: 'object', properties: { sons: { type: 'array', items: { $ref: '#' } } }, required: ['sons'] }
    const sons = (items: Json) => ({ ...tree, properties: { sons: { type: 'array', items } } })
    expect(json(tree)).toEqual(said(sons(sons({ type: 'object' })), 'toolSchema.$ref'))
  })

  it('takes a property of any name', () => {
    const schema: Json = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"a":{"__proto__":{}}}}',
    )
    const { parametersJsonSchema } = json(schema)
    expect(JSON.stringify(parametersJsonSchema)).toContain('"__proto__":{"type":"string"}')
    expect(parametersJsonSchema).toMatchObject({ properties: { a: any() } })
  })

  it('reports values that cannot be listed, and references to nothing', () => {
    expect(json(member({ const: true }))).toEqual(said(member({ type: 'boolean' }), 'toolSchema.enum'))
    expect(json(member({ enum: [[1], 'a'] }))).toMatchObject({ told: ['toolSchema.enum'] })
    expect(json(member({ $ref: 'https://elsewhere.test/x' }))).toEqual(
      said(member({ type: 'object' }), 'toolSchema.$ref'),
    )
  })

  it('folds alternatives of a tool’s arguments into one object, and leaves those of an answer', () => {
    const one = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a', 'b'] }
    const other = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
    expect(json({ anyOf: [one, other] })).toEqual(
      said(
        {
          type: 'object',
          properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] }, b: { type: 'string' } },
          required: ['a'],
        },
        'toolSchema.anyOf',
      ),
    )
    const { target, dropped } = aTarget('gemini-2.5-flash')
    expect(answerSchemaOut({ anyOf: [one, other], title: 'T' }, target)).toEqual({
      responseJsonSchema: { anyOf: [{ ...one, title: 'T' }, other] },
    })
    expect(dropped).toEqual([])
  })

  it.each([
    ['gemini-2.5-flash', true],
    ['models/gemini-2.5-pro', true],
    ['gemini-3-pro-preview', true],
    ['gemini-flash-latest', true],
    ['gemini-2.0-flash', false],
    ['gemini-1.5-pro', false],
    ['gemma-3-27b-it', false],
  ])('is accepted by %s: %s', (model, takes) => {
    expect(written(member({ type: 'string' }), model).parametersJsonSchema !== undefined).toBe(takes)
  })

  it('is left out where there is nothing to fill in, and not where any name may be', () => {
    const empty = { type: 'object', properties: {}, additionalProperties: false }
    expect([json(empty), older(empty), json({})]).toEqual([{ told: [] }, { told: [] }, { told: [] }])
    expect(json({ type: 'object', additionalProperties: { type: 'string' } })).toMatchObject({
      parametersJsonSchema: { additionalProperties: { type: 'string' } },
    })
  })
})

describe('the vendor’s Schema for older models', () => {
  it('contains what the vendor supports, at any depth; the rest is reported', () => {
    const inner = { type: 'integer', exclusiveMinimum: 0, default: 1, format: 'int32', enum: [1, 2] }
    const at = { type: 'string', format: 'date-time' }
    expect(
      older({
        $schema: 'x',
        type: 'object',
        properties: { list: { type: 'array', items: inner }, at, mail: { ...at, format: 'email' } },
        required: ['list', 'gone'],
        additionalProperties: false,
      }),
    ).toEqual({
      parameters: {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'integer', minimum: 1, format: 'int32' } },
          at,
          mail: { type: 'string' },
        },
        required: ['list'],
      },
      told: ['toolSchema.enum', 'toolSchema.format'],
    })
  })

  it('spells any type out, and has null as nullable', () => {
    const properties = {
      name: { type: ['string', 'null'] },
      either: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }], description: 'D' },
      maybe: { anyOf: [{ enum: ['a'] }, { type: 'null' }] },
      any: { description: 'Anything' },
      list: { type: 'array' },
    }
    const items = { anyOf: ['string', 'number', 'boolean', 'object'].map((type) => ({ type })) }
    expect(older({ type: 'object', properties })).toEqual({
      parameters: {
        type: 'object',
        properties: {
          name: { type: 'string', nullable: true },
          either: {
            anyOf: [
              { type: 'string', nullable: true, description: 'D' },
              { type: 'number', nullable: true },
            ],
          },
          maybe: { type: 'string', enum: ['a'], nullable: true },
          any: {
            anyOf: [
              { type: 'string', description: 'Anything', nullable: true },
              { type: 'number', nullable: true },
              { type: 'boolean', nullable: true },
              { type: 'object', nullable: true },
              { type: 'array', items, nullable: true },
            ],
          },
          list: { type: 'array', items },
        },
      },
      told: [],
    })
  })

  it('reports maps, tuples and circular references', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#' } } }
    expect(older(tree)).toEqual({
      parameters: {
        type: 'object',
        properties: { child: { type: 'object', properties: { child: { type: 'object' } } } },
      },
      told: ['toolSchema.$ref'],
    })
    const map = { type: 'object', additionalProperties: { type: 'number' } }
    const tuple = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }
    expect(older({ type: 'object', properties: { map, tuple } })).toEqual({
      parameters: {
        type: 'object',
        properties: {
          map: { type: 'object' },
          tuple: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
        },
      },
      told: ['toolSchema.additionalProperties', 'toolSchema.prefixItems'],
    })
  })

  it('has no title for an answer', () => {
    const { target } = aTarget('gemini-2.0-flash')
    expect(answerSchemaOut({ title: 'T', type: 'object' }, target)).toEqual({ responseSchema: { type: 'object' } })
  })
})

describe('schemas that would grow without end', () => {
  it.each([json, older])('are cut', (write) => {
    const twice = (name: string) => ({ type: 'object', properties: { a: { $ref: name }, b: { $ref: name } } })
    const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`d${n}`, twice(`#/$defs/d${n + 1}`)]))
    const cut = write({ $defs, $ref: '#/$defs/d0' })
    expect(JSON.stringify(cut).length).toBeLessThan(2_000_000)
    expect(cut.told).toContain('toolSchema.$ref')
    const many = (n: number): Json =>
      n === 0 ? { type: 'string' } : { anyOf: Array.from({ length: 9 }, () => many(n - 1)) }
    expect(JSON.stringify(write(member(many(4)))).length).toBeLessThan(2_000)
    let deep: Json = { type: 'string' }
    for (let n = 0; n < 500; n += 1) deep = { type: 'array', items: deep }
    expect(write(member(deep)).told).toContain('toolSchema.$ref')
  })

  it.each([json, older])('are cut where their alternatives are', (write) => {
    const names = Array.from({ length: 5000 }, (_, n) => `p${n}`)
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    const anyOf = names.map((name) => ({ required: [name] }))
    const cut = write(member({ type: 'object', properties, required: names, anyOf }))
    expect(cut.told).toEqual(['toolSchema.anyOf'])
    expect(JSON.stringify(cut).length).toBeLessThan(1_000_000)
    const allOf = names.slice(0, 4000).map((name) => ({ properties: { [name]: { type: 'string' } }, required: [name] }))
    expect(JSON.stringify(write(member({ allOf }))).split('"type":"string"').length).toBe(4001)
    const $defs = { big: { type: 'object', properties, required: names } }
    const again = write({ $defs, ...member({ allOf: names.map(() => ({ $ref: '#/$defs/big' })) }) })
    expect(again.told).toContain('toolSchema.allOf')
  })

  it('combine the parts inherited by reference', () => {
    const of = (name: string) => ({ properties: { [name]: { type: 'string' } }, required: [name] })
    const $defs = { base: of('a'), middle: { allOf: [{ $ref: '#/$defs/base' }, of('b')] } }
    const child = { allOf: [{ $ref: '#' }] }
    expect(json({ $defs, allOf: [{ $ref: '#/$defs/middle' }], properties: { child } })).toMatchObject({
      parametersJsonSchema: {
        type: 'object',
        properties: {
          a: { type: 'string' },
          b: { type: 'string' },
          child: { properties: { a: {}, b: {}, child: {} } },
        },
        required: ['a', 'b'],
      },
      told: ['toolSchema.$ref'],
    })
    const twice = (n: number) => ({
      allOf: [{ $ref: `#/$defs/d${n}` }, { $ref: `#/$defs/d${n}` }],
      properties: of('x').properties,
    })
    const grown = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`d${n}`, twice(n + 1)]))
    expect(json({ $defs: grown, $ref: '#/$defs/d0' })).toMatchObject({
      parametersJsonSchema: { type: 'object', properties: of('x').properties },
    })
  })
})

describe('the vendor’s Schema read', () => {
  it('is a JSON schema, numbers it counts in texts as numbers', () => {
    expect(
      schemaIn({
        type: 'OBJECT',
        properties: {
          room: { type: 'INTEGER', format: 'enum', enum: ['101', '201'] },
          list: { type: 'ARRAY', items: { type: 'STRING', nullable: true }, min_items: '1' },
          open: { type: 'TYPE_UNSPECIFIED' },
          map: { type: 'OBJECT', additionalProperties: { type: 'NUMBER' } },
          leaf: { ref: '#/defs/Leaf' },
        },
        defs: { Leaf: { type: 'STRING' } },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        room: { type: 'integer', enum: [101, 201] },
        list: { type: 'array', items: { type: ['string', 'null'] }, minItems: 1 },
        open: {},
        map: { type: 'object', additionalProperties: { type: 'number' } },
        leaf: { $ref: '#/$defs/Leaf' },
      },
      $defs: { Leaf: { type: 'string' } },
    })
  })
})
