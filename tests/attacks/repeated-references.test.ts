import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callSeal } from '../../gateway/relay/formats/anthropic/call-seal.ts'
import { sealedCall } from '../../gateway/relay/formats/responses/seal.ts'
import { channelTypes } from '../../shared/channel-types.ts'
import { chatAnswer } from '../support/chat.ts'
import { watchTurns } from '../support/turns.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/**
 * Many items of a request may refer to one: results to their call, calls to a seal, results to a search. Where a
 * vendor's format repeats what they refer to, time and output would grow with the product of both
 * (docs/reference/security.md#input).
 */
const MODELS = {
  'claude-sonnet-4-5': channelTypes.anthropic.id,
  'gemini-2.5-flash': channelTypes.gemini.id,
  'command-r': channelTypes.cohere.id,
  hunyuan: channelTypes.tencent.id,
  'deepseek-chat': channelTypes.deepseek.id,
}
const KIB = 1024
/** More than the conversion of any of these bodies takes without repetitions. */
const MAX_TURN_MS = 200

let world: World
let mallory: Person
beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  for (const [models, type] of Object.entries(MODELS))
    await world.channel({ type, models, key: type === channelTypes.tencent.id ? '1|id|key' : 'key' })
  mallory = await world.user({ quota: 1_000_000_000 })
  await mallory.key()
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers({ body: chatAnswer('ok') })
})

/** Sends a body, and expects neither a long turn of the event loop nor a much longer request to the vendor. */
async function expectNoGrowth(path: string, body: object) {
  const text = JSON.stringify(body)
  const longest = watchTurns()
  await mallory.calls(path, body)
  expect(longest()).toBeLessThan(MAX_TURN_MS)
  const sent = Math.max(0, ...world.upstream.requests.map(({ bytes }) => bytes.length))
  expect(sent).toBeLessThan(4 * text.length)
}

const call = (id: string, name: string, args: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
})
const long = (kib: number) => 'x'.repeat(kib * KIB)
const list = (count: number, one: object) => Array.from({ length: count }, () => one)

describe.each(Object.keys(MODELS))('a request to %s in which many results refer to one call', (model) => {
  it.each([
    ['with a long name', [call('c', long(256), '{}'), ...list(800, { role: 'tool', tool_call_id: 'c', content: 'x' })]],
    ['with a long id', [call(long(256), 'f', '{}'), ...list(800, { role: 'tool', name: 'f', content: 'x' })]],
    [
      'with long arguments',
      [call('c', 'f', `{"a":"${long(256)}"}`), ...list(800, { role: 'tool', tool_call_id: 'c', content: 'x' })],
    ],
  ])('%s does not grow', async (_name, turns) => {
    const messages = [{ role: 'user', content: 'hi' }, ...turns]
    await expectNoGrowth('/v1/chat/completions', { model, max_tokens: 9, messages })
  })

  it('and precede it does not grow', async () => {
    const results = list(800, { type: 'tool_result', tool_use_id: 'c', content: 'x' })
    const content = [...results, { type: 'tool_use', id: 'c', name: 'f', input: { a: long(256) } }]
    await expectNoGrowth('/v1/messages', { model, max_tokens: 9, messages: [{ role: 'user', content }] })
  })

  it('is served if parallel calls have one id and one of them is long, as some programs send them', async () => {
    const calls = Array.from({ length: 12 }, (_, at) => call('', 'write_file', `{"a":"${long(at === 11 ? 300 : 1)}"}`))
    const tool_calls = calls.flatMap((each) => each.tool_calls)
    const results = list(12, { role: 'tool', name: 'write_file', content: 'done' })
    const messages = [{ role: 'user', content: 'hi' }, { role: 'assistant', content: null, tool_calls }, ...results]
    await mallory.calls('/v1/chat/completions', { model, max_tokens: 9, messages })
    if (model !== 'command-r') expect(world.upstream.requests).toHaveLength(1)
  })

  it('each with one result is served', async () => {
    const rounds = Array.from({ length: 200 }, (_, at) => [
      call(`call_${at}`, 'f', `{"a":"${long(1)}"}`),
      { role: 'tool', tool_call_id: `call_${at}`, content: 'x' },
    ])
    const messages = [{ role: 'user', content: 'hi' }, ...rounds.flat()]
    await mallory.calls('/v1/chat/completions', { model, max_tokens: 9, messages })
    expect(world.upstream.requests).toHaveLength(1)
  })
})

describe('a request with many items that have one seal', () => {
  const seal = { by: 'gemini', value: long(256) } as const
  it('of Responses does not grow', async () => {
    const sealed = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: sealedCall(seal, 'c') }
    const calls = list(800, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' })
    const input = [{ role: 'user', content: 'hi' }, sealed, ...calls]
    const model = 'gemini-2.5-flash'
    await expectNoGrowth('/v1/responses', { model, max_output_tokens: 16, input })
  })

  it('of Messages does not grow', async () => {
    const sealed = { type: 'redacted_thinking', data: callSeal(seal, 'c') }
    const content = [sealed, ...list(800, { type: 'tool_use', id: 'c', name: 'f', input: {} })]
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content },
    ]
    await expectNoGrowth('/v1/messages', { model: 'gemini-2.5-flash', max_tokens: 16, messages })
  })
})

it.each(['claude-sonnet-4-5', 'deepseek-chat', 'gemini-2.5-flash'])(
  'many results of one search are read once for %s',
  async (model) => {
    const id = 'srvtoolu_switchyard_1'
    const use = { type: 'server_tool_use', id, name: 'web_search', input: { queries: Array(38_000).fill('a') } }
    const content = [use, ...list(6400, { type: 'web_search_tool_result', tool_use_id: id, content: [] })]
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content },
      { role: 'user', content: 'go' },
    ]
    await expectNoGrowth('/v1/messages', { model, max_tokens: 16, messages })
  },
)

describe('many long texts that differ only at their end, which V8 hashes by their length', () => {
  const texts = Array.from({ length: 600 }, (_, at) => `${'x'.repeat(16_400)}${at}`)
  const hello = { role: 'user', content: 'hi' }

  it.each(Object.keys(MODELS))('do not delay %s as names of tools or ids of calls', async (model) => {
    const tools = texts.map((name) => ({ type: 'function', function: { name } }))
    await expectNoGrowth('/v1/chat/completions', { model, max_tokens: 9, messages: [hello], tools })
    const calls = texts.map((id) => call(id, 'f', '{}'))
    await expectNoGrowth('/v1/chat/completions', { model, max_tokens: 9, messages: [hello, ...calls] })
  })

  it('are refused as names of members, wherever they are', async () => {
    // A character beyond Latin-1 makes each comparison longer.
    const messages = [{ role: 'user', content: '好' }]
    const members = Object.fromEntries(texts.map((name) => [name, 1]))
    const poor = await world.user({ quota: 0 })
    for (const body of [
      { ...members, messages },
      { metadata: members, messages },
    ]) {
      const text = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, ...body })
      const longest = watchTurns()
      expect((await poor.calls('/v1/chat/completions', text)).status).toBe(400)
      expect(longest()).toBeLessThan(MAX_TURN_MS)
    }
    const some = JSON.stringify(Object.fromEntries(texts.slice(0, 60).map((name) => [name, 1])))
    const turns = [...messages, call('c', 'f', some)]
    const asked = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: turns }
    expect((await mallory.calls('/v1/chat/completions', asked)).status).toBe(400)
    const items = [{ role: 'user', content: [{ type: 'input_text', text: '好' }], ...JSON.parse(some) }]
    expect((await poor.calls('/v1/conversations', { items })).status).toBe(400)
    const login = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: some,
    }
    expect((await (await fetch(`${world.url}/api/user/login`, login)).json()).message).toContain('16000')
  })

  it('are not folded as names of members, which some letters make three times as long', async () => {
    const names = Array.from({ length: 2_200 }, (_, at) => `${'\u0390'.repeat(5_470)}${String(at).padStart(12, '0')}`)
    const members = Object.fromEntries(names.map((name) => [name, 1]))
    await expectNoGrowth('/v1/chat/completions', { model: 'deepseek-chat', messages: [hello], ...members })
  })

  it.each(Object.keys(MODELS))('do not delay %s in schemas', async (model) => {
    const property = { type: 'string', enum: texts }
    for (const parameters of [
      { type: 'object', properties: { a: property }, required: texts },
      nested(14, { properties: { a: property }, required: texts }),
      { type: 'object', anyOf: [{ properties: { a: property } }, { properties: { a: { type: 'string' } } }] },
    ])
      await expectNoGrowth('/v1/chat/completions', { model, max_tokens: 9, messages: [hello], ...toolWith(parameters) })
  })

  it.each(Object.keys(MODELS))('do not delay %s as types of properties or of files', async (model) => {
    const properties = Object.fromEntries(texts.map((type, at) => [`p${at}`, { type }]))
    const parameters = { type: 'object', properties }
    await expectNoGrowth('/v1/chat/completions', { model, max_tokens: 9, messages: [hello], ...toolWith(parameters) })
    const files = texts.map((type) => ({ type: 'image', source: { type: 'base64', media_type: type, data: 'AAAA' } }))
    await expectNoGrowth('/v1/messages', { model, max_tokens: 9, messages: [{ role: 'user', content: files }] })
    const urls = texts.map((type) => ({ type: 'image_url', image_url: { url: `data:image/${type};base64,AAAA` } }))
    await expectNoGrowth('/v1/chat/completions', { model, max_tokens: 9, messages: [{ role: 'user', content: urls }] })
  })

  it.each(Object.keys(MODELS))('do not delay %s as types of content', async (model) => {
    const content = [{ type: 'text', text: 'hi' }, ...texts.map((type) => ({ type }))]
    await expectNoGrowth('/v1/messages', { model, max_tokens: 9, messages: [{ role: 'user', content }] })
  })

  it('do not delay Messages as ids of searches', async () => {
    const content = texts.map((text) => ({
      type: 'server_tool_use',
      id: `srvtoolu_switchyard_${text}`,
      name: 'web_search',
    }))
    const messages = [hello, { role: 'assistant', content }, hello]
    await expectNoGrowth('/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 9, messages })
    const use = { type: 'server_tool_use', id: 'srvtoolu_switchyard_1', name: 'web_search', input: {} }
    const results = texts.map((tool_use_id) => ({ type: 'web_search_tool_result', tool_use_id, content: [] }))
    const answered = [hello, { role: 'assistant', content: [use, ...results] }, hello]
    await expectNoGrowth('/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 9, messages: answered })
  })

  it('do not delay Responses as models of a tool, which another account sends without a balance', async () => {
    const tools = texts.map((model) => ({ type: 'image_generation', model }))
    await expectNoGrowth('/v1/responses', { model: 'deepseek-chat', max_output_tokens: 16, input: 'hi', tools })
  })

  it.each(['deepseek-chat', 'gemini-2.5-flash', 'claude-sonnet-4-5'])('do not delay %s in seals', async (model) => {
    const items = texts.map((text) => ({ encrypted_content: `switchyard:gemini:call=${text}:v` }))
    const input = [hello, ...items.map((item) => ({ type: 'reasoning', summary: [], ...item }))]
    await expectNoGrowth('/v1/responses', { model, max_output_tokens: 16, input })
    const content = texts.map((text) => ({ type: 'redacted_thinking', data: `switchyard:gemini:call_${text}:v` }))
    const messages = [hello, { role: 'assistant', content }, hello]
    await expectNoGrowth('/v1/messages', { model, max_tokens: 16, messages })
  })
})

describe('a long history of an agent, with long texts, files and reasoning', () => {
  const text = (at: number) => `${'word '.repeat(6_000)}${at}`
  const hello = { role: 'user', content: 'hi' }
  const url = `data:image/png;base64,${'iVBORw0KGgoA'.repeat(8_000)}`

  it.each(Object.keys(MODELS))('is sent to %s', async (model) => {
    const rounds = Array.from({ length: 100 }, (_, at) => [
      call(`call_${at}`, 'read', JSON.stringify({ path: text(at) })),
      { role: 'tool', tool_call_id: `call_${at}`, content: text(at) },
    ])
    const images = model === 'gemini-2.5-flash' ? list(10, { type: 'image_url', image_url: { url } }) : []
    const messages = [hello, ...rounds.flat(), { role: 'user', content: [{ type: 'text', text: 'go' }, ...images] }]
    await mallory.calls('/v1/chat/completions', { model, max_tokens: 9, messages })
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('is sent from Responses', async () => {
    const rounds = Array.from({ length: 100 }, (_, at) => [
      { type: 'reasoning', id: `rs_${at}`, summary: [], encrypted_content: text(at) },
      { type: 'function_call', call_id: `call_${at}`, name: 'read', arguments: JSON.stringify({ path: text(at) }) },
      { type: 'function_call_output', call_id: `call_${at}`, output: text(at) },
    ])
    const input = [hello, ...rounds.flat()]
    for (const model of ['deepseek-chat', 'gemini-2.5-flash', 'claude-sonnet-4-5'])
      await mallory.calls('/v1/responses', { model, max_output_tokens: 16, input })
    expect(world.upstream.requests).toHaveLength(3)
  })

  it('is sent from Messages', async () => {
    const rounds = Array.from({ length: 100 }, (_, at) => [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: text(at), signature: text(at) },
          { type: 'tool_use', id: `toolu_${at}`, name: 'read', input: { path: text(at) } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${at}`, content: text(at) }] },
    ])
    const messages = [hello, ...rounds.flat()]
    for (const model of ['deepseek-chat', 'gemini-2.5-flash', 'claude-sonnet-4-5'])
      await mallory.calls('/v1/messages', { model, max_tokens: 16, messages })
    expect(world.upstream.requests).toHaveLength(3)
  })
})

describe('integers that have one hash in V8', () => {
  const integers = collidingIntegers(20_000)

  it.each(Object.keys(MODELS))('do not delay %s in schemas', async (model) => {
    const property = { type: 'integer', enum: integers }
    for (const parameters of [
      { type: 'object', properties: { a: property }, required: integers },
      { type: 'object', anyOf: [{ properties: { a: property } }, { properties: { a: { type: 'string' } } }] },
    ])
      await expectNoGrowth('/v1/chat/completions', {
        model,
        max_tokens: 9,
        messages: [{ role: 'user', content: 'hi' }],
        ...toolWith(parameters),
      })
  })

  it('do not delay Messages as ids', async () => {
    const use = { type: 'server_tool_use', id: 'srvtoolu_switchyard_1', name: 'web_search', input: {} }
    const results = integers.map((tool_use_id) => ({ type: 'web_search_tool_result', tool_use_id, content: [] }))
    const hello = { role: 'user', content: 'hi' }
    const messages = [hello, { role: 'assistant', content: [use, ...results] }, hello]
    await expectNoGrowth('/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 9, messages })
  })
})

const toolWith = (parameters: object) => ({ tools: [{ type: 'function', function: { name: 'f', parameters } }] })

const nested = (levels: number, schema: object): object =>
  levels === 0 ? { type: 'object', ...schema } : { type: 'object', allOf: [nested(levels - 1, schema)] }

/** Positive integers whose hashes in a `Map` or `Set` end with the same bits: V8's function, inverted. */
function collidingIntegers(count: number): readonly number[] {
  const found: number[] = []
  for (let hash = 0; found.length < count; hash += 2 ** 15) {
    let value = hash ^ (hash >>> 16)
    value = Math.imul(value, inverseOf(2057))
    for (let step = value, at = 0; at < 7; at += 1) value = step ^ (value >>> 4)
    value = Math.imul(value, inverseOf(5))
    value ^= (value >>> 12) ^ (value >>> 24)
    value = Math.imul(value + 1, inverseOf(32_767))
    if (value > 0 && value < 2 ** 30) found.push(value)
  }
  return found
}

/** The inverse of an odd number modulo 2^32. */
function inverseOf(odd: number): number {
  let inverse = odd
  for (let at = 0; at < 5; at += 1) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse))
  return inverse
}
