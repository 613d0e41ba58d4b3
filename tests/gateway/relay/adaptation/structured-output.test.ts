import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Said } from '../../../support/said.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, receiptsOf } from '../metering/receipts.ts'
import { answered } from '../parity/vendors.ts'

const CLAUDE = 'claude-3-7-sonnet-20250219'
const TOOL = 'structured_answer'
const city = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const weather = { name: 'weather', description: 'Tells the weather.', parameters: city }
const PARIS = { city: 'Paris' }

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  const { channel } = world
  await channel({ type: 14, models: `${CLAUDE},claude-sonnet-4-5,claude-opus-5-5,kimi-k3` })
  await channel({ type: 43, models: 'deepseek-chat,deepseek-v4-pro,deepseek-reasoner' })
  await channel({ type: 25, models: 'kimi-k2-0905-preview' })
  await channel({ type: 26, models: 'glm-4.6' })
  await channel({ type: 17, models: 'qwen-plus,qwen-turbo,qwq-plus' })
  await channel({ type: 24, models: 'gemini-2.5-flash' })
  await channel({ type: 1, models: 'gpt-4o,gpt-4-turbo' })
  const setting = (mode: string) => JSON.stringify({ structured_output: mode })
  await channel({ type: 1, models: 'by-tool', setting: setting('tool') })
  await channel({ type: 1, models: 'by-prompt', setting: setting('prompt') })
  await channel({ type: 43, models: 'deepseek-native', setting: setting('native') })
  await channel({
    type: 43,
    models: 'deepseek-untouched',
    setting: JSON.stringify({ structured_output: 'tool', pass_through_body_enabled: true }),
  })
  alice = await world.user({ quota: 1_000_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const replies = (said: Said) => world.upstream.answers((request) => answered(request, said, {}))
const byTool = (input: object, texts?: readonly string[]): Said => ({
  ...(texts ? { texts } : {}),
  calls: [{ id: 'call_1', name: TOOL, arguments: input }],
})
const format = (schema: object, more: object = {}) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'city', schema, ...more } },
})
const hi = { role: 'user', content: 'Which city?' }
const chat = (model: string, more: object) => alice.calls('/v1/chat/completions', { model, messages: [hi], ...more })
const messages = (model: string, more: object) =>
  alice.calls('/v1/messages', { model, max_tokens: 4096, messages: [hi], ...more })
const sent = () => world.upstream.last().json
const dropped = ({ headers }: { headers: Headers }) => headers.get('x-switchyard-dropped')

/**
 * For each of the four dialects: how it requests a schema, and where its response has the text and the finish reason.
 */
const ways = {
  openai: {
    ask: (model: string, stream: boolean) => chat(model, { ...format(city), stream }),
    // biome-ignore lint/suspicious/noExplicitAny: each dialect's own answer
    end: (json: any) => [json.choices[0].message.content, json.choices[0].finish_reason],
    // biome-ignore lint/suspicious/noExplicitAny: as above
    pieces: (events: any[]) => events.flatMap((event) => event.choices?.[0]?.delta?.content || []),
    stop: 'stop',
  },
  responses: {
    ask: (model: string, stream: boolean) =>
      alice.calls('/v1/responses', {
        model,
        input: 'Which city?',
        stream,
        text: { format: { type: 'json_schema', name: 'city', schema: city } },
      }),
    // biome-ignore lint/suspicious/noExplicitAny: as above
    end: (json: any) => [json.output[0].content[0].text, json.status],
    // biome-ignore lint/suspicious/noExplicitAny: as above
    pieces: (events: any[]) =>
      events.flatMap(({ type, delta }) => (type === 'response.output_text.delta' ? [delta] : [])),
    stop: 'completed',
  },
  anthropic: {
    ask: (model: string, stream: boolean) =>
      messages(model, { output_config: { format: { type: 'json_schema', schema: city } }, stream }),
    // biome-ignore lint/suspicious/noExplicitAny: as above
    end: (json: any) => [json.content[0].text, json.stop_reason],
    // biome-ignore lint/suspicious/noExplicitAny: as above
    pieces: (events: any[]) => events.flatMap(({ delta }) => delta?.text ?? []),
    stop: 'end_turn',
  },
  gemini: {
    ask: (model: string, stream: boolean) =>
      alice.calls(`/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`, {
        contents: [{ role: 'user', parts: [{ text: 'Which city?' }] }],
        generationConfig: { responseMimeType: 'application/json', responseJsonSchema: city },
      }),
    // biome-ignore lint/suspicious/noExplicitAny: as above
    end: (json: any) => [json.candidates[0].content.parts[0].text, json.candidates[0].finishReason],
    // biome-ignore lint/suspicious/noExplicitAny: as above
    pieces: (events: any[]) => events.flatMap((event) => event.candidates[0]?.content?.parts?.[0]?.text || []),
    stop: 'STOP',
  },
} as const
const dialects = Object.keys(ways) as (keyof typeof ways)[] // the keys of a constant
const vendors = [CLAUDE, 'deepseek-chat'] as const

describe('JSON of a schema from a model without it (docs/reference/conversion.md#structured-output)', () => {
  const cells = dialects.flatMap((dialect) => vendors.map((model) => [dialect, model] as const))

  it.each(cells)('is produced by a forced tool and returned as text: %s before %s', async (dialect, model) => {
    const { ask, end, pieces, stop } = ways[dialect]
    replies(byTool(PARIS))
    const whole = await ask(model, false)
    expect(end(whole.json)).toEqual(['{"city":"Paris"}', stop])
    expect(dropped(whole)).toBeNull()
    const { tools, tool_choice, ...said } = sent()
    expect(said).not.toHaveProperty('response_format')
    expect(said).not.toHaveProperty('output_config')
    if (model === CLAUDE) {
      expect(tools).toMatchObject([{ name: TOOL, input_schema: city }])
      expect(tool_choice).toEqual({ type: 'tool', name: TOOL, disable_parallel_tool_use: true })
    } else {
      expect(tools).toMatchObject([{ type: 'function', function: { name: TOOL, parameters: city } }])
      expect(tool_choice).toEqual({ type: 'function', function: { name: TOOL } })
    }
    const streamed = pieces((await ask(model, true)).events)
    expect(streamed.join('')).toBe('{"city":"Paris"}')
    expect(streamed).toHaveLength(2)
  })

  it('costs as much as the same answer as text, with and without usage of the vendor', async () => {
    const charged = async (said: Said, figures: object | null, stream: boolean) => {
      world.upstream.reset()
      world.upstream.answers((request) => answered(request, said, figures))
      const count = (await receiptsOf(world, alice.id)).length
      await chat(CLAUDE, { ...format(city), stream })
      const { completion_tokens, quota } = await lastReceipt(world, alice.id, count + 1)
      return { completion_tokens, quota }
    }
    for (const stream of [false, true])
      for (const figures of [{ prompt: 1000, completion: 20 }, null]) {
        const text = await charged({ texts: [JSON.stringify(PARIS)] }, figures, stream)
        expect(await charged(byTool(PARIS), figures, stream)).toEqual(text)
        expect(text.quota).toBeGreaterThan(0)
      }
  })

  it('is wrapped where it is not an object, with its references adjusted', async () => {
    replies(byTool({ answer: [1, 2] }))
    const list = { type: 'array', items: { anyOf: [{ type: 'integer' }, { $ref: '#' }] } }
    const { content } = await chat(CLAUDE, format(list))
    expect(content).toBe('[1,2]')
    const moved = { type: 'array', items: { anyOf: [{ type: 'integer' }, { $ref: '#/properties/answer' }] } }
    expect(sent().tools[0].input_schema).toMatchObject({ properties: { answer: moved }, required: ['answer'] })
  })

  it('of any shape is requested from Claude likewise', async () => {
    replies(byTool({ answer: { a: 1 } }))
    const { content, headers } = await chat('claude-sonnet-4-5', { response_format: { type: 'json_object' } })
    expect(content).toBe('{"a":1}')
    expect(dropped({ headers })).toBeNull()
  })

  it('of open or recursive objects, which newer models refuse or close, is requested by a tool', async () => {
    replies(byTool({ any: 1 }))
    const open = { type: 'object', properties: { map: { type: 'object', additionalProperties: { type: 'number' } } } }
    expect((await chat('claude-sonnet-4-5', format(open))).content).toBe('{"any":1}')
    expect(sent()).toMatchObject({ tool_choice: { type: 'tool' } })
    const tree = { type: 'object', properties: { left: { $ref: '#/$defs/node' } }, $defs: {} }
    const node = { type: 'object', properties: { next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/node' }] } } }
    await chat('claude-sonnet-4-5', format({ ...tree, $defs: { node } }))
    expect(sent()).toMatchObject({ tool_choice: { type: 'tool' } })
    replies({ texts: ['{}'] })
    await chat('claude-sonnet-4-5', format({ ...tree, $defs: { node: { type: 'string' } } }))
    expect(sent().output_config.format.type).toBe('json_schema')
    await chat('claude-sonnet-4-5', format(city))
    expect(sent()).toMatchObject({ output_config: { format: { schema: city } } })
  })

  it('cut at the limit ends as such', async () => {
    const { calls = [] } = byTool(PARIS)
    world.upstream.answers((request) => {
      const script = answered(request, { calls }, {})
      return { body: { ...(script.body as object), stop_reason: 'max_tokens' } }
    })
    expect((await chat(CLAUDE, format(city))).json.choices[0].finish_reason).toBe('length')
  })

  it('takes another name for its tool where the caller has that one', async () => {
    replies({ texts: ['{}'] })
    const tools = [{ type: 'function', function: { ...weather, name: TOOL } }]
    await chat(CLAUDE, { ...format(city), tools })
    expect(sent().tools.map(({ name }: { name: string }) => name)).toEqual([TOOL, `${TOOL}_`])
  })

  it('takes a short name where the caller has thousands like it', async () => {
    const names = [TOOL, `${TOOL}_`, ...Array.from({ length: 1900 }, (_, index) => `${TOOL}_${index + 2}`)]
    await chat(CLAUDE, { ...format(city), tools: names.map((name) => ({ type: 'function', function: { name } })) })
    expect(sent().tools.at(-1).name).toBe(`${TOOL}_1902`)
  })

  it('is a message in the next turn, which requests it likewise', async () => {
    replies(byTool(PARIS))
    const history = [hi, { role: 'assistant', content: '{"city":"Paris"}' }, { role: 'user', content: 'And now?' }]
    expect((await chat(CLAUDE, { ...format(city), messages: history })).content).toBe('{"city":"Paris"}')
    const { messages: asked, tool_choice } = sent()
    expect(asked[1]).toEqual(history[1])
    expect(JSON.stringify(asked)).toContain('And now?')
    expect(tool_choice).toMatchObject({ type: 'tool', name: TOOL })
  })
})

describe('JSON of a schema together with tools', () => {
  const tools = [{ type: 'function', function: weather }]

  it('leaves the choice among all of them, and calls of the caller’s own stay calls', async () => {
    replies({ calls: [{ id: 'call_1', name: 'weather', arguments: PARIS }] })
    for (const stream of [false, true]) {
      const { json, events } = await chat(CLAUDE, { ...format(city), tools, stream })
      expect(sent()).toMatchObject({ tools: [{ name: 'weather' }, { name: TOOL }], tool_choice: { type: 'any' } })
      const reason = stream
        ? events.find((event) => event.choices?.[0]?.finish_reason)?.choices[0].finish_reason
        : json.choices[0].finish_reason
      expect(reason).toBe('tool_calls')
    }
    replies(byTool(PARIS, ['Now I know. ']))
    const { json } = await chat(CLAUDE, { ...format(city), tools })
    expect(json.choices[0]).toMatchObject({
      message: { content: '{"city":"Paris"}', reasoning_content: 'Now I know. ' },
      finish_reason: 'stop',
    })
    expect(json.choices[0].message.tool_calls).toBeUndefined()
  })

  it('does not matter where one of them must be called', async () => {
    replies({ calls: [{ id: 'call_1', name: 'weather', arguments: PARIS }] })
    const { headers } = await chat(CLAUDE, { ...format(city), tools, tool_choice: 'required' })
    expect(sent()).toMatchObject({ tools: [{ name: 'weather' }], tool_choice: { type: 'any' } })
    expect(sent().tools).toHaveLength(1)
    expect(dropped({ headers })).toBeNull()
  })

  it('is requested by the forced tool where none of them may be called', async () => {
    replies(byTool(PARIS))
    await chat(CLAUDE, { ...format(city), tools, tool_choice: 'none' })
    expect(sent()).toMatchObject({ tools: [{ name: 'weather' }, { name: TOOL }], tool_choice: { name: TOOL } })
  })

  it('is requested by a tool from a Gemini that accepts only one of both', async () => {
    replies(byTool(PARIS))
    const { content } = await chat('gemini-2.5-flash', { ...format(city), tools })
    expect(content).toBe('{"city":"Paris"}')
    expect(sent()).toMatchObject({ toolConfig: { functionCallingConfig: { mode: 'ANY' } } })
    expect(sent().generationConfig).toBeUndefined()
  })
})

describe('JSON of a schema where a tool cannot be forced', () => {
  it('is requested from a thinking Claude by an offered tool, which is reported', async () => {
    replies({ thoughts: 'Hm.', ...byTool(PARIS, ['Here.']) })
    const answer = await chat(CLAUDE, { ...format(city), reasoning_effort: 'high' })
    expect(answer.json.choices[0]).toMatchObject({ message: { content: '{"city":"Paris"}' }, finish_reason: 'stop' })
    expect(dropped(answer)).toBe('response_format')
    const { thinking, tool_choice, system } = sent()
    expect([thinking.type, tool_choice]).toEqual(['enabled', undefined])
    expect(JSON.stringify(system)).toContain(TOOL)
  })

  it('is read from text if the model answers that way nevertheless', async () => {
    replies({ texts: ['Here it is:\n```json\n', '{"city":"Paris"}\n```'] })
    for (const stream of [false, true])
      expect(
        (await chat('claude-opus-5-5', { ...format({ ...city, additionalProperties: true }), stream })).content,
      ).toBe('{"city":"Paris"}')
    expect(sent().tool_choice).toBeUndefined()
  })

  it('does not wait long for a call that may follow its words', async () => {
    const words = Array.from({ length: 60 }, (_, index) => `${index}: ${'x'.repeat(100)}\n`)
    world.upstream.answers((request) => {
      const { events = [] } = answered(request, { texts: words }, null)
      return { events: [...events.slice(0, 55), 'never'], cutAfter: 55 }
    })
    const count = (await receiptsOf(world, alice.id)).length
    const open = { ...city, additionalProperties: true }
    const { content } = await chat('claude-opus-5-5', { ...format(open), stream: true })
    expect(content).toMatch(/^0: x/)
    expect((await lastReceipt(world, alice.id, count + 1)).completion_tokens).toBeGreaterThan(200)
  })

  it.each(['deepseek-v4-pro', 'deepseek-reasoner', 'kimi-k2-0905-preview'])(
    'is requested from %s as JSON of any shape, with the schema in the prompt',
    async (model) => {
      replies({ texts: ['{"city":', '"Paris"}'] })
      const answer = await chat(model, { ...format(city), messages: [{ role: 'system', content: 'Be brief.' }, hi] })
      expect(answer.content).toBe('{"city":"Paris"}')
      expect(dropped(answer)).toBe('response_format')
      expect(sent().response_format).toEqual({ type: 'json_object' })
      const [system, ...others] = sent().messages
      expect(system.content).toMatch(/^Be brief\.\n\n.*JSON.*\n.*"city"/)
      expect(others).toEqual([hi])
    },
  )

  it('is requested from others by the method that each supports', async () => {
    await chat('glm-4.6', format(city))
    expect(sent().response_format).toEqual({ type: 'json_object' })
    replies(byTool(PARIS))
    const answer = await chat('kimi-k3', format(city))
    expect([answer.content, dropped(answer)]).toEqual(['{"city":"Paris"}', 'response_format'])
    expect(sent()).toMatchObject({ tools: [{ name: TOOL }] })
    expect(sent().tool_choice).toBeUndefined()
  })

  it('is unwrapped there too', async () => {
    replies({ texts: ['{"answer": [', '1, 2]}'] })
    expect((await chat('deepseek-v4-pro', format({ type: 'array' }))).content).toBe('[1, 2]')
  })

  it('is forced on one with thinking disabled', async () => {
    replies(byTool(PARIS))
    expect((await chat('deepseek-v4-pro', { ...format(city), thinking: { type: 'disabled' } })).content).toBe(
      '{"city":"Paris"}',
    )
    expect(sent()).toMatchObject({ thinking: { type: 'disabled' }, tool_choice: { function: { name: TOOL } } })
  })

  it('is requested from DashScope’s as far as each model supports it', async () => {
    replies({ texts: ['{}'] })
    await chat('qwen-plus', format(city))
    expect(sent().response_format.type).toBe('json_schema')
    await chat('qwen-turbo', format(city))
    expect(sent()).toMatchObject({ tool_choice: { function: { name: TOOL } } })
    await chat('qwq-plus', { ...format(city), stream: true })
    expect(sent().tools[0].function.name).toBe(TOOL)
    expect([sent().tool_choice, sent().response_format]).toEqual([undefined, undefined])
  })
})

describe('the caller’s own dialect', () => {
  it('preserves everything that need not change', async () => {
    replies(byTool(PARIS))
    const history = [hi, { role: 'assistant', content: 'Well.', prefix: true, reasoning_content: 'Hm.' }, hi]
    await chat('deepseek-chat', { ...format(city), messages: history, vendor_option: 1, parallel_tool_calls: false })
    expect(sent()).toMatchObject({ messages: history, vendor_option: 1, parallel_tool_calls: false })
    expect(sent().messages).toEqual(history)
  })

  it('passes untouched where the model supports the request', async () => {
    replies({ texts: ['{}'] })
    const { text } = await chat('gpt-4o', format(city, { strict: true }))
    expect(sent().response_format.json_schema.strict).toBe(true)
    expect(text).toContain('as-the-vendor-calls-it')
  })

  it('of Anthropic’s is requested by either name of the format', async () => {
    const schema = { type: 'json_schema', schema: city }
    for (const more of [{ output_config: { format: schema, effort: 'low' } }, { output_format: schema }]) {
      replies(byTool(PARIS))
      const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }]
      const { json } = await messages(CLAUDE, { ...more, system, top_k: 3 })
      expect(json).toMatchObject({ content: [{ type: 'text', text: '{"city":"Paris"}' }], stop_reason: 'end_turn' })
      expect(sent()).toMatchObject({ system, top_k: 3, tool_choice: { type: 'tool', name: TOOL } })
      expect([sent().output_format, sent().output_config?.format]).toEqual([undefined, undefined])
    }
    replies({ texts: ['{}'] })
    await chat('gpt-4o', format(city))
    await messages('gpt-4o', { output_format: schema })
    expect(sent().response_format).toMatchObject({ type: 'json_schema' })
  })

  it('of Anthropic’s with thinking has its instruction after the system’s', async () => {
    replies({ thoughts: 'Hm.', ...byTool(PARIS) })
    const thinking = { type: 'enabled', budget_tokens: 1024 }
    const answer = await messages(CLAUDE, {
      output_format: { type: 'json_schema', schema: city },
      system: 'Be brief.',
      thinking,
    })
    expect(answer.json.content).toMatchObject([{ type: 'thinking' }, { type: 'text', text: '{"city":"Paris"}' }])
    expect(dropped(answer)).toBe('output_config.format')
    expect(sent().system).toMatch(/^Be brief\.\n\n/)
    expect(sent()).toMatchObject({ thinking, tools: [{ name: TOOL }] })
    expect(sent().tool_choice).toBeUndefined()
  })

  it('of the older functions is not changed', async () => {
    replies({ texts: ['{}'] })
    await chat('deepseek-chat', { ...format(city), functions: [weather] })
    expect(sent().response_format.type).toBe('json_schema')
  })
})

describe("a channel's structured_output (docs/reference/selection.md#channel-settings)", () => {
  it('sets that it is requested as the caller does', async () => {
    replies({ texts: ['{}'] })
    await chat('deepseek-native', format(city))
    expect(sent().response_format.type).toBe('json_schema')
    await messages('deepseek-native', { output_format: { type: 'json_schema', schema: city } })
    expect(sent().response_format.type).toBe('json_schema')
  })

  it('sets that it is requested by a tool', async () => {
    replies(byTool(PARIS))
    expect((await chat('by-tool', format(city))).content).toBe('{"city":"Paris"}')
    expect((await ways.anthropic.ask('by-tool', false)).json.content[0].text).toBe('{"city":"Paris"}')
  })

  it('sets that it is requested in the prompt', async () => {
    replies({ texts: ['```json\n{"city":"Paris"}\n```'] })
    const answer = await chat('by-prompt', format(city))
    expect([answer.content, dropped(answer)]).toEqual(['{"city":"Paris"}', 'response_format'])
    expect(sent().messages).toMatchObject([{ role: 'system' }, hi])
    expect([sent().response_format, sent().tools]).toEqual([undefined, undefined])
  })

  it('has no effect where bodies pass unchanged', async () => {
    replies({ texts: ['{}'] })
    await chat('deepseek-untouched', format(city))
    expect(sent().response_format.type).toBe('json_schema')
  })
})
