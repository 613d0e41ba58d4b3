import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_GROWTH } from '../../gateway/relay/formats/schema-budget.ts'
import { channelTypes } from '../../shared/channel-types.ts'
import { answered } from '../gateway/relay/parity/vendors.ts'
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
