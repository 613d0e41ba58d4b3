import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_GROWTH } from '../../gateway/relay/formats/schema-budget.ts'
import { channelTypes } from '../../shared/channel-types.ts'
import { answered } from '../gateway/relay/parity/vendors.ts'
import { watchTurns } from '../support/turns.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const [CLAUDE, GPT, GEMINI] = ['claude-sonnet-4-5', 'gpt-4o', 'gemini-2.5-pro']
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { [CLAUDE]: 1, [GPT]: 1, [GEMINI]: 1 }, RetryTimes: 0 } })
  await world.channel({ type: channelTypes.anthropic.id, models: CLAUDE })
  await world.channel({ type: channelTypes.openai.id, models: GPT })
  await world.channel({ type: channelTypes.gemini.id, models: GEMINI })
  alice = await world.user({ quota: 1_000_000_000_000 })
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers((request) => answered(request, { texts: ['Hello'] }, {}))
})

const references = (count: number, name = 'a') => Array.from({ length: count }, () => ({ $ref: `#/$defs/${name}` }))
const named = (count: number, name: string) =>
  Object.fromEntries(references(count, name).map((one, at) => [`p${at}`, one]))

/** By how many bytes the vendor's request exceeds the caller's, and the losses reported to the caller. */
async function growth(path: string, body: object) {
  const text = JSON.stringify(body)
  const { status, headers } = await alice.calls(path, text)
  expect(status).toBe(200)
  return { growth: world.upstream.last().bytes.length - text.length, told: headers.get('x-switchyard-dropped') ?? '' }
}

const messages = [{ role: 'user', content: 'hi' }]
const ofOpenai = (model: string, parameters: object) =>
  growth('/v1/chat/completions', {
    model,
    messages,
    tools: [{ type: 'function', function: { name: 'f', parameters } }],
  })
const ofAnthropic = (model: string, input_schema: object) =>
  growth('/v1/messages', { model, max_tokens: 99, messages, tools: [{ name: 'f', input_schema }] })

describe('a schema that refers thousands of times to one of its parts (docs/reference/limits.md#bodies)', () => {
  const schema = {
    type: 'object',
    anyOf: references(4900),
    $defs: { a: { not: { description: 'x'.repeat(1_000_000) } } },
  }

  it.each([
    ['Anthropic', () => ofOpenai(CLAUDE, schema), 'tools.function.parameters.$ref'],
    ['OpenAI', () => ofAnthropic(GPT, schema), 'tools.input_schema.$ref'],
    ['Gemini', () => ofOpenai(GEMINI, schema), 'tools.function.parameters.$ref'],
  ])('reaches %s as long as it was, and its caller is informed', async (_, call, name) => {
    const { growth, told } = await call()
    expect(growth).toBeLessThan(MAX_GROWTH)
    expect(told.split(', ')).toContain(name)
  })
})

describe('a schema whose references lead to references', () => {
  const level = (index: number) => ({ type: 'object', properties: named(20, `d${index}`) })
  const $defs = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`d${index}`, level(index + 1)]))
  const schema = { ...level(0), $defs: { ...$defs, d6: { type: 'string', description: 'x'.repeat(4000) } } }

  it.each([
    ['a tool', () => ofOpenai(GEMINI, schema)],
    [
      'an answer',
      () =>
        growth('/v1/chat/completions', {
          model: GEMINI,
          messages,
          response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
        }),
    ],
  ])('reaches Gemini at most so much longer, as that of %s', async (_, call) => {
    const { growth, told } = await call()
    expect(growth).toBeLessThan(MAX_GROWTH)
    expect(told).toContain('$ref')
  })
})

describe('a group of tools with a long name', () => {
  const group = { type: 'namespace', name: 'n'.repeat(1_000_000), tools: [{ type: 'function', name: 'f' }] }
  const found = { type: 'tool_search_output', call_id: 'c', tools: [group] }

  it.each([
    ['declared', { input: messages, tools: [group] }],
    ['found', { input: [...messages, found] }],
  ])('is refused where it is %s, before its name is made part of that of each tool', async (_, body) => {
    const { status, json } = await alice.calls('/v1/responses', { model: CLAUDE, ...body })
    expect([status, json.error.param]).toEqual([400, 'tools.name'])
    expect(world.upstream.requests).toHaveLength(0)
  })
})

describe('two thousand tools whose schemas refer to themselves (docs/reference/security.md#input)', () => {
  const ref = { $ref: '#/a' }
  const recursive = { anyOf: [ref, ref], a: { anyOf: [ref, ref] } }
  const plain = { type: 'object', properties: { x: ref, y: ref }, a: { type: 'string' } }
  const tools = (parameters: object) =>
    Array.from({ length: 2000 }, (_, at) => ({ type: 'function', function: { name: `f${at}`, parameters } }))
  const ofMessages = (input_schema: object) =>
    Array.from({ length: 2000 }, (_, at) => ({ name: `f${at}`, input_schema }))
  const longestTurn = async (path: string, body: object) => {
    const longest = watchTurns()
    expect((await alice.calls(path, JSON.stringify(body))).status).toBe(200)
    return longest()
  }
  const ways = [
    ['Anthropic', '/v1/chat/completions', (schema: object) => ({ model: CLAUDE, messages, tools: tools(schema) })],
    [
      'OpenAI',
      '/v1/messages',
      (schema: object) => ({ model: GPT, max_tokens: 99, messages, tools: ofMessages(schema) }),
    ],
  ] as const

  it.each(ways)('delay other requests no more than other tools on the way to %s', async (_, path, bodyOf) => {
    await longestTurn(path, bodyOf(plain))
    const usual = await longestTurn(path, bodyOf(plain))
    // Repeated: a collection of garbage may fall into one measurement. Unbounded, it is 200 to 400 times.
    await expect.poll(async () => (await longestTurn(path, bodyOf(recursive))) / usual).toBeLessThan(20)
  })

  it('are refused if items of a request bring more of them', async () => {
    const more = Array.from({ length: 2001 }, (_, at) => ({ type: 'function', name: `f${at}`, parameters: plain }))
    const input = [
      { type: 'additional_tools', role: 'developer', tools: more },
      { role: 'user', content: 'hi' },
    ]
    const { status } = await alice.calls('/v1/responses', { model: CLAUDE, input })
    expect([status, world.upstream.requests.length]).toEqual([400, 0])
  })
})

describe('a list that would be copied once for each of the schemas around it', () => {
  const names = Array.from({ length: 40_000 }, (_, at) => at.toString(36))
  const around = (count: number, wrap: (inner: object) => object, inner: object): object =>
    count === 0 ? inner : around(count - 1, wrap, wrap(inner))
  const optional = (inner: object) => ({ anyOf: [inner], properties: { o: {} } })
  const shared = {
    type: 'object',
    anyOf: [around(22, optional, { $ref: '#/$defs/a' })],
    properties: { o: { type: 'object', required: names } },
    $defs: { a: around(22, optional, { type: 'object' }) },
  }
  const inAllOf = { type: 'object', ...around(15, (inner) => ({ allOf: [inner] }), { required: names }) }
  const inAnyOf = { type: 'object', ...around(15, (inner) => ({ anyOf: [inner] }), { required: names }) }
  const declared = (parameters: object) => [{ type: 'function', function: { name: 'f', parameters } }]
  const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema: shared } }

  it.each([
    ['Gemini', '/v1/chat/completions', { model: GEMINI, tools: declared(shared) }],
    ['Gemini, as output', '/v1/chat/completions', { model: GEMINI, response_format }],
    ['Anthropic', '/v1/chat/completions', { model: CLAUDE, tools: declared(inAllOf) }],
    ['OpenAI', '/v1/messages', { model: GPT, max_tokens: 99, tools: [{ name: 'f', input_schema: inAnyOf }] }],
  ])('is refused on the way to %s', async (_, path, body) => {
    const { status, json } = await alice.calls(path, { messages, ...body })
    expect([status, json.error.message]).toEqual([413, expect.stringContaining('fields and list items')])
    expect(world.upstream.requests).toHaveLength(0)
  })
})
