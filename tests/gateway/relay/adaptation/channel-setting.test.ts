import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, usageOf } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  const setting = (members: object) => JSON.stringify(members)
  const prompt = { system_prompt: 'Be brief.' }
  const always = { ...prompt, system_prompt_override: true }
  const { channel } = world
  await channel({ models: 'prompted,o3-prompted', setting: setting(prompt) })
  await channel({ models: 'always', setting: setting(always) })
  await channel({ type: 14, models: 'claude-prompted', setting: setting(prompt) })
  await channel({ type: 14, models: 'claude-always', setting: setting(always) })
  await channel({ type: 24, models: 'gemini-prompted', setting: setting(prompt) })
  await channel({ type: 24, models: 'gemini-always', setting: setting(always) })
  await channel({
    models: 'untouched',
    setting: setting({ ...prompt, pass_through_body_enabled: true }),
    model_mapping: '{"untouched":"mapped"}',
    param_override: '{"temperature":1}',
  })
  await channel({ models: 'formatted', setting: setting({ force_format: true }) })
  await channel({ models: 'thinking', setting: setting({ thinking_to_content: true }) })
  await channel({ type: 14, models: 'claude-thinking', setting: setting({ thinking_to_content: true }) })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

const hi = { role: 'user', content: 'hi' }
const chat = (model: string, messages: object[], more = {}) =>
  alice.calls('/v1/chat/completions', { model, messages, ...more })

describe("a channel's system_prompt (docs/reference/selection.md#channel-settings)", () => {
  const own = { role: 'system', content: 'Be kind.' }
  const parts = [{ type: 'text', text: 'Be kind.' }]

  it.each([
    ['prompted', [hi], [{ role: 'system', content: 'Be brief.' }, hi]],
    ['prompted', [own, hi], [own, hi]],
    ['always', [hi], [{ role: 'system', content: 'Be brief.' }, hi]],
    ['always', [own, hi], [{ role: 'system', content: 'Be brief.\nBe kind.' }, hi]],
    [
      'always',
      [{ role: 'developer', content: parts }, hi],
      [{ role: 'developer', content: [{ type: 'text', text: 'Be brief.' }, ...parts] }, hi],
    ],
    ['o3-prompted', [hi], [{ role: 'developer', content: 'Be brief.' }, hi]],
  ])('%s: is sent with %o', async (model, messages, told) => {
    await chat(model, messages)
    expect(world.upstream.last().json.messages).toEqual(told)
  })

  it.each([
    ['claude-prompted', undefined, 'Be brief.'],
    ['claude-prompted', 'Be kind.', 'Be kind.'],
    ['claude-always', 'Be kind.', 'Be brief.\nBe kind.'],
    ['claude-always', parts, [{ type: 'text', text: 'Be brief.' }, ...parts]],
  ])('%s: is sent to Anthropic with %o', async (model, system, told) => {
    await alice.calls('/v1/messages', { model, max_tokens: 10, system, messages: [hi] })
    expect(world.upstream.last()).toMatchObject({ path: '/v1/messages', json: { system: told } })
  })

  it.each([
    ['gemini-prompted', {}, { systemInstruction: { parts: [{ text: 'Be brief.' }] } }],
    [
      'gemini-always',
      { system_instruction: { parts: [{ text: 'Be kind.' }] } },
      { system_instruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] } },
    ],
  ])('%s: is sent to Gemini with %o', async (model, more, told) => {
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    await alice.calls(`/v1beta/models/${model}:generateContent`, { contents, ...more })
    expect(world.upstream.last().json).toEqual({ contents, ...told })
  })

  it.each([
    ['prompted', undefined, 'Be brief.'],
    ['prompted', 'Be kind.', 'Be kind.'],
    ['always', 'Be kind.', 'Be brief.\nBe kind.'],
  ])('%s: is sent to a Responses API with %o', async (model, instructions, told) => {
    await alice.calls('/v1/responses', { model, input: 'hi', instructions })
    expect(world.upstream.last()).toMatchObject({ path: '/v1/responses', json: { instructions: told } })
  })

  it('is sent in another dialect too', async () => {
    await chat('claude-prompted', [hi])
    expect(world.upstream.last()).toMatchObject({ path: '/v1/messages', json: { system: 'Be brief.' } })
  })
})

describe("a channel's pass_through_body_enabled (docs/reference/selection.md#channel-settings)", () => {
  it('sends the exact bytes and a request for the usage: no mapping, no override, no prompt', async () => {
    const body = '{ "model": "untouched",  "stream":true, "messages": [{"role":"user","content":"hi"}] }'
    const { content } = await alice.calls('/v1/chat/completions', body)
    expect(world.upstream.last().text).toBe(body.replace(/ }$/, ',"stream_options":{"include_usage":true} }'))
    expect(content).toBe('Hello there')
    expect((await lastReceipt(world, alice.id)).completion_tokens).toBe(5)
  })

  it('has no effect on a body in another dialect', async () => {
    await alice.calls('/v1/messages', { model: 'untouched', max_tokens: 10, messages: [hi] })
    const { path, json } = world.upstream.last()
    expect([path, json.model, json.temperature, json.messages[0].content]).toEqual([
      '/v1/chat/completions',
      'mapped',
      1,
      'Be brief.',
    ])
  })
})

describe("a channel's force_format (docs/reference/conversion.md#reshaped-responses)", () => {
  const odd = (said: object) => ({ choices: [{ index: 0, ...said, vendor: 1 }], vendor: 2 })

  it('rewrites an answer: missing fields are added, and additions of the vendor are removed', async () => {
    world.upstream.answers({ body: { ...odd({ message: { content: 'Hello' } }), usage: usageOf({}) } })
    const { json } = await chat('formatted', [hi])
    expect(json).toMatchObject({
      object: 'chat.completion',
      model: 'formatted',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    })
    expect(json.id).toBeTypeOf('string')
    expect(JSON.stringify(json)).not.toContain('vendor')
    expect(await lastReceipt(world, alice.id)).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 })
  })

  it('rewrites the events of a stream, with usage only where the client requested it', async () => {
    const script = [
      odd({ delta: { content: 'Hel' } }),
      odd({ delta: { content: 'lo' } }),
      { ...odd({ delta: {}, finish_reason: 'stop' }), usage: usageOf({}) },
      '[DONE]',
    ]
    world.upstream.streams(script)
    const silent = await chat('formatted', [hi], { stream: true })
    expect([silent.content, silent.events.at(-1), silent.text.includes('vendor')]).toEqual(['Hello', '[DONE]', false])
    expect(silent.events.some((event) => event.usage)).toBe(false)
    expect(silent.events[0]).toMatchObject({ object: 'chat.completion.chunk', model: 'formatted' })
    const told = await chat('formatted', [hi], { stream: true, stream_options: { include_usage: true } })
    expect(told.events.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: 15 } })
    expect(await lastReceipt(world, alice.id, 2)).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 })
  })

  it('still reports an error in a stream', async () => {
    world.upstream.streams([odd({ delta: { content: 'Hel' } }), { error: { message: 'it broke' } }])
    const { events } = await chat('formatted', [hi], { stream: true })
    expect(events.at(-1).error.message).toContain('it broke')
  })
})

describe("a channel's thinking_to_content (docs/reference/conversion.md#reshaped-responses)", () => {
  const chunk = (delta: object) => ({ id: 'c', model: 'm', choices: [{ index: 0, delta }] })

  it('puts thoughts into the text of a stream', async () => {
    world.upstream.streams([
      chunk({ reasoning_content: 'Let me ' }),
      chunk({ reasoning_content: 'see.' }),
      chunk({ content: 'Hel' }),
      chunk({ content: 'lo' }),
      { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      '[DONE]',
    ])
    const { content, text } = await chat('thinking', [hi], { stream: true })
    expect(content).toBe('<think>\nLet me see.\n</think>\nHello')
    expect(text).not.toContain('reasoning_content')
  })

  it('closes thoughts that a call of a tool follows', async () => {
    const call = { index: 0, id: 'c1', type: 'function', function: { name: 'clock', arguments: '{}' } }
    world.upstream.streams([
      chunk({ reasoning_content: 'Let me see.' }),
      chunk({ tool_calls: [call] }),
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      '[DONE]',
    ])
    const { content, events } = await chat('thinking', [hi], { stream: true })
    expect(content).toBe('<think>\nLet me see.\n</think>\n')
    expect(events.some((event) => event.choices?.[0]?.delta.tool_calls)).toBe(true)
  })

  it('puts thoughts into the text of a whole answer', async () => {
    const { choices, ...rest } = chatAnswer('Hello')
    const message = { role: 'assistant', content: 'Hello', reasoning_content: 'Let me see.' }
    world.upstream.answers({ body: { ...rest, choices: [{ ...choices[0], message }] } })
    const { json } = await chat('thinking', [hi])
    expect(json.choices[0].message).toEqual({
      role: 'assistant',
      content: '<think>\nLet me see.\n</think>\nHello',
      refusal: null,
    })
  })

  it('does so for vendors of other dialects', async () => {
    const content = [
      { type: 'thinking', thinking: 'Let me see.', signature: 's' },
      { type: 'text', text: 'Hello' },
    ]
    const usage = { input_tokens: 3, output_tokens: 4 }
    world.upstream.answers({
      body: { id: 'm', type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage },
    })
    const { content: said } = await chat('claude-thinking', [hi])
    expect(said).toBe('<think>\nLet me see.\n</think>\nHello')
  })
})
