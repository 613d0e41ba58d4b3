import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { Outcome, RequestGolden } from '../golden.ts'
import { anthropic, gemini, openai, responses } from '../requests.ts'

/** A tool whose arguments have a schema, in each dialect except Google's. */
const tool = (schema: Json) => ({
  openai: openai({ tools: [{ type: 'function', function: { name: 'run', parameters: schema } }] }),
  responses: responses({ tools: [{ type: 'function', name: 'run', parameters: schema, strict: false }] }),
  anthropic: anthropic({ tools: [{ name: 'run', input_schema: schema }] }),
})
const declared = (schema: Json) => gemini({ tools: [{ functionDeclarations: [{ name: 'run', ...schema }] }] })
const one = (a: Json) => ({ type: 'object', properties: { a } })

const prefixes = {
  openai: 'tools.function.parameters',
  responses: 'tools.parameters',
  anthropic: 'tools.input_schema',
} as const

/** The conversion of a schema for Gemini from every other dialect, and the reported keywords. */
const toGemini = (schema: Json, ...told: string[]): Readonly<Record<string, Outcome<Json>>> =>
  Object.fromEntries(
    Object.entries(prefixes).map(([from, prefix]): [string, Outcome<Json>] => [
      `${from}>gemini`,
      {
        wire: declared(schema),
        ...(told.length > 0 ? { reported: told.map((keyword) => `${prefix}.${keyword}`) } : { isNearest: true }),
      },
    ]),
  )

const old = { gemini: 'gemini-2.0-flash' }
const said = { description: 'What the script reads.' }
const anyItem = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object' }] }
const nullable = { nullable: true }

const choices = {
  type: 'object',
  properties: { level: { type: 'integer', enum: [1, 2] }, on: { const: 'yes' }, unit: { enum: ['c', null] } },
}
const map = { type: 'object', properties: { ages: { type: 'object', additionalProperties: { type: 'integer' } } } }
const either = {
  type: 'object',
  properties: { at: { description: 'When.', oneOf: [{ type: 'string' }, { type: 'integer', description: 'Epoch.' }] } },
}
const apart = [
  { type: 'string', description: 'When.' },
  { type: 'integer', description: 'Epoch.' },
]
const folder = {
  type: 'object',
  properties: { name: { type: 'string' }, inner: { type: 'array', items: { $ref: '#' } } },
  required: ['name'],
}
const inner = (items: Json) => ({
  ...folder,
  properties: { name: { type: 'string' }, inner: { type: 'array', items } },
})

const city = { type: 'object', properties: { city: { type: 'string', nullable: true }, days: { type: 'integer' } } }
const standard = { ...city, properties: { ...city.properties, city: { type: ['string', 'null'] } } }
const own = {
  type: 'OBJECT',
  properties: {
    city: { type: 'STRING', nullable: true },
    days: { type: 'INTEGER', format: 'enum', enum: ['1', '7'] },
    tags: { type: 'ARRAY', items: { type: 'STRING' }, min_items: '1' },
  },
  required: ['city'],
}
const read = {
  type: 'object',
  properties: {
    city: { type: ['string', 'null'] },
    days: { type: 'integer', enum: [1, 7] },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
  required: ['city'],
}
/** The conversion of a Gemini tool to all other dialects. */
const fromGemini = (schema: Json): Readonly<Record<string, Outcome<Json>>> => {
  const forms = tool(schema)
  return {
    'gemini>openai': { wire: forms.openai },
    'gemini>responses': { wire: forms.responses },
    'gemini>anthropic': { wire: forms.anthropic },
  }
}

/** Tool schemas. Google supports two forms, each only in part. */
export const schemas: readonly RequestGolden[] = [
  {
    feature: 'Untyped property',
    forms: { ...tool(one(said)), gemini: null },
    outcomes: toGemini({
      parametersJsonSchema: one({
        anyOf: [
          { type: 'string', ...said },
          ...['number', 'boolean', 'object'].map((type) => ({ type })),
          { type: 'array', items: anyItem },
          { type: 'null' },
        ],
      }),
    }),
  },
  {
    feature: 'Untyped property (older Gemini model)',
    models: old,
    forms: { ...tool(one(said)), gemini: null },
    outcomes: toGemini({
      parameters: one({
        anyOf: [
          { type: 'string', ...said, ...nullable },
          ...['number', 'boolean', 'object'].map((type) => ({ type, ...nullable })),
          { type: 'array', items: anyItem, ...nullable },
        ],
      }),
    }),
  },
  {
    feature: 'Enumerations and constants',
    forms: { ...tool(choices), gemini: null },
    outcomes: toGemini({
      parametersJsonSchema: {
        type: 'object',
        properties: {
          level: { type: 'integer', enum: [1, 2] },
          on: { type: 'string', enum: ['yes'] },
          unit: { anyOf: [{ type: 'string', enum: ['c'] }, { type: 'null' }] },
        },
      },
    }),
  },
  {
    feature: 'Enumerations and constants (older Gemini model)',
    models: old,
    forms: { ...tool(choices), gemini: null },
    outcomes: toGemini(
      {
        parameters: {
          type: 'object',
          properties: {
            level: { type: 'integer' },
            on: { type: 'string', enum: ['yes'] },
            unit: { type: 'string', enum: ['c'], ...nullable },
          },
        },
      },
      'enum',
    ),
  },
  {
    feature: 'Map (`additionalProperties` with a schema)',
    forms: { ...tool(map), gemini: declared({ parametersJsonSchema: map }) },
  },
  {
    feature: 'Map (older Gemini model)',
    models: old,
    forms: { ...tool(map), gemini: null },
    outcomes: toGemini(
      { parameters: { type: 'object', properties: { ages: { type: 'object' } } } },
      'additionalProperties',
    ),
  },
  {
    feature: 'Alternatives (`oneOf`) next to a description',
    forms: { ...tool(either), gemini: null },
    outcomes: toGemini({ parametersJsonSchema: { type: 'object', properties: { at: { anyOf: apart } } } }),
  },
  {
    feature: 'Alternatives next to a description (older Gemini model)',
    models: old,
    forms: { ...tool(either), gemini: null },
    outcomes: toGemini({ parameters: { type: 'object', properties: { at: { anyOf: apart } } } }),
  },
  {
    feature: 'Recursive schema',
    forms: { ...tool(folder), gemini: null },
    outcomes: toGemini({
      parametersJsonSchema: {
        ...inner(inner({ $ref: '#/$defs/root_1' })),
        $defs: { root_1: inner({ $ref: '#/$defs/root_1' }) },
      },
    }),
  },
  {
    feature: 'Recursive schema (older Gemini model)',
    models: old,
    forms: { ...tool(folder), gemini: null },
    outcomes: toGemini({ parameters: inner(inner({ type: 'object' })) }, '$ref'),
  },
  {
    feature: 'Google-specific schema (`parameters`)',
    forms: { openai: null, responses: null, anthropic: null, gemini: declared({ parameters: own }) },
    outcomes: fromGemini(read),
  },
  {
    feature: 'JSON Schema in snake-case fields (`parameters_json_schema`)',
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: gemini({ tools: [{ function_declarations: [{ name: 'run', parameters_json_schema: standard }] }] }),
    },
    outcomes: fromGemini(standard),
  },
]
