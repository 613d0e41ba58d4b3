import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageAnswer } from '../../support/anthropic.ts'
import { geminiAnswer } from '../../support/gemini.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

const NUMBERS = '{"id":2512292042121000001,"most":[18446744073709551615,1e400]}'
const CUT_OFF = '{"path":"a.txt","content":"The beginning of'
const quoted = JSON.stringify

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  const override = quoted({ user: 'us', 'messages.0.content': 'Hi there' })
  await world.channel({ models: 'plain', param_override: override })
  await world.channel({ models: 'told', setting: quoted({ system_prompt: 'Be brief.', system_prompt_override: true }) })
  await world.channel({ type: 14, models: 'claude-sonnet-4-5' })
  await world.channel({ type: 24, models: 'gemini-3-flash-preview' })
  await world.channel({ type: 33, key: 'secret|us-east-1', models: 'claude-opus-4-6' })
  const setting = quoted({ vertex_key_type: 'api_key' })
  await world.channel({ type: 41, key: 'secret', other: 'global', setting, models: 'gemini-2.5-flash' })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const chat = (model: string, json: string, result: string) => ({
  model,
  messages: [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: json } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: result },
  ],
})
const toolOf = (schema: string) => `"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]`
const LIMITS = '{"type":"object","properties":{"n":{"type":"integer","maximum":18446744073709551615}}}'

describe('large numbers (docs/reference/conversion.md#embedded-json)', () => {
  it.each(['plain', 'told'])('stay in a body of its own dialect that the channel edits: %s', async (model) => {
    const body = `{${toolOf(LIMITS)},"seed":9007199254740993,${quoted(chat(model, NUMBERS, NUMBERS)).slice(1)}`
    expect((await alice.calls('/v1/chat/completions', body)).status).toBe(200)
    const { text } = world.upstream.last()
    expect(text).not.toBe(body)
    for (const piece of [toolOf(LIMITS), '"seed":9007199254740993', quoted(NUMBERS)]) expect(text).toContain(piece)
  })

  it('stay in the messages that are converted for Bedrock', async () => {
    world.upstream.answers({ body: messageAnswer({ texts: ['Hello'] }) })
    const use = `{"type":"tool_use","id":"t","name":"f","input":${NUMBERS},"caller":{"type":"direct"}}`
    const result = '{"type":"tool_result","tool_use_id":"t","content":"x"}'
    const messages = `[{"role":"user","content":"Hi"},{"role":"assistant","content":[${use}]},{"role":"user","content":[${result}]}]`
    const body = `{"model":"claude-opus-4-6","max_tokens":64,"messages":${messages}}`
    expect((await alice.calls('/v1/messages', body)).status).toBe(200)
    expect(world.upstream.last().text).toContain(`"input":${NUMBERS}`)
    expect(world.upstream.last().text).not.toContain('caller')
  })

  it('stay in the contents that are converted for Vertex', async () => {
    world.upstream.answers({ body: geminiAnswer({ texts: ['Hello'] }) })
    const call = `{"functionCall":{"id":"c","name":"f","args":${NUMBERS}}}`
    const result = `{"functionResponse":{"id":"c","name":"f","response":${NUMBERS}}}`
    const body = `{"contents":[{"parts":[{"text":"Hi"}]},{"role":"model","parts":[${call}]},{"role":"user","parts":[${result}]}]}`
    expect((await alice.calls('/v1beta/models/gemini-2.5-flash:generateContent', body)).status).toBe(200)
    expect(world.upstream.last().text).toContain(`"args":${NUMBERS}`)
    expect(world.upstream.last().text).toContain(`"response":${NUMBERS}`)
  })

  it('come back in the answer to a client of another dialect', async () => {
    const message = quoted(messageAnswer({ calls: [{ id: 'a', name: 'f', arguments: {} }] }))
    world.upstream.answers({ body: message.replace('"input":{}', `"input":${NUMBERS}`) })
    const { json } = await alice.asks('claude-sonnet-4-5', 'Hi')
    expect(json.choices[0].message.tool_calls[0].function.arguments).toBe(NUMBERS)
  })

  it('are refused where a number is expected, and never cause a server error', async () => {
    for (const field of ['max_tokens', 'temperature', 'n', 'model', 'messages', 'tools', 'tool_choice', 'stop']) {
      const body = { max_tokens: 9, ...chat('claude-sonnet-4-5', '{}', 'x'), [field]: 'HERE' }
      const answer = await alice.calls('/v1/chat/completions', quoted(body).replace('"HERE"', '18446744073709551615'))
      expect(answer.status, field).toBeGreaterThanOrEqual(400)
      expect(answer.status, field).toBeLessThan(500)
    }
  })
})

describe('arguments that are not JSON (docs/reference/conversion.md#arguments)', () => {
  it('are sent on in the next turn, which the client sends with the answer it received', async () => {
    world.upstream.answers({ body: messageAnswer({ texts: ['Hello'] }) })
    expect((await alice.calls('/v1/chat/completions', chat('claude-sonnet-4-5', CUT_OFF, 'x'))).status).toBe(200)
    expect(world.upstream.last().json.messages[1].content[0].input).toEqual({ INVALID_JSON: CUT_OFF })
    world.upstream.answers({ body: geminiAnswer({ texts: ['Hello'] }) })
    expect((await alice.calls('/v1/chat/completions', chat('gemini-3-flash-preview', '[1]', 'x'))).status).toBe(200)
    expect(world.upstream.last().json.contents[1].parts[0].functionCall.args).toEqual({ INVALID_JSON: '[1]' })
  })

  it('come back as the text that they were', async () => {
    const input = { INVALID_JSON: CUT_OFF }
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
    ]
    expect((await alice.calls('/v1/messages', { model: 'told', max_tokens: 9, messages })).status).toBe(200)
    expect(world.upstream.last().text).toContain(`"arguments":${quoted(CUT_OFF)}`)
  })

  it('stay an object where the member of that name is not such a text', async () => {
    for (const input of [{ INVALID_JSON: '{"a":1}' }, { INVALID_JSON: 1 }, { INVALID_JSON: 'x', more: 1 }, {}]) {
      const content = [{ type: 'tool_use', id: 't', name: 'f', input }]
      const messages = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content },
      ]
      await alice.calls('/v1/messages', { model: 'told', max_tokens: 9, messages })
      expect(world.upstream.last().text).toContain(`"arguments":${quoted(quoted(input))}`)
    }
  })
})

describe('a result that contains $ref (docs/reference/conversion.md#openai-to-gemini)', () => {
  it('is text for Gemini, which looks for a file of that name in JSON', async () => {
    world.upstream.answers({ body: geminiAnswer({ texts: ['Hello'] }) })
    const schema = '{"properties":{"cookies":{"$ref":"#/$defs/Cookie"}}}'
    await alice.calls('/v1/chat/completions', chat('gemini-3-flash-preview', '{}', schema))
    const [{ functionResponse }] = world.upstream.last().json.contents[2].parts
    expect(functionResponse.response).toEqual({ content: schema })
  })
})
