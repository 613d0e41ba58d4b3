import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../../../shared/channel-types.ts'
import { messageAnswer, messageStream } from '../../../support/anthropic.ts'
import { saidAnswer, saidStream } from '../../../support/chat-said.ts'
import { geminiAnswer, geminiStream } from '../../../support/gemini.ts'
import { responseAnswer, responseStream } from '../../../support/responses.ts'
import type { Said } from '../../../support/said.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

const families = { chat: 43, anthropic: 14, gemini: 24 } as const
type Family = keyof typeof families
const familyNames = Object.keys(families) as Family[] // the keys of a constant
const NATIVE = 'gpt-5.1'
/** A deployment at Azure. */
const AZURE = 'gpt-5.2'
/** A model whose upstream supports Responses, but only with functions. */
const PLAIN = 'qwen3'
/** The same, at a channel that passes bodies unchanged unless they must be converted. */
const PASSING = 'qwen3-passing'
const modelOf = (family: Family) => `by-${family}`

let world: World
let alice: Person

beforeAll(async () => {
  const models = [...familyNames.map(modelOf), NATIVE, AZURE, PLAIN, PASSING]
  const ratios = Object.fromEntries(models.map((model) => [model, 1]))
  world = await aWorld({ options: { ModelRatio: ratios, CompletionRatio: ratios, RetryTimes: 0 } })
  for (const family of familyNames) await world.channel({ type: families[family], models: modelOf(family) })
  await world.channel({ models: NATIVE })
  await world.channel({ models: AZURE, type: channelTypes.azure.id })
  await world.channel({ models: PLAIN, setting: JSON.stringify({ tools_as_functions: true }) })
  const passes = { tools_as_functions: true, pass_through_body_enabled: true, system_prompt: 'Be brief.' }
  await world.channel({
    models: PASSING,
    setting: JSON.stringify(passes),
    model_mapping: JSON.stringify({ [PASSING]: 'qwen3-mapped' }),
  })
  alice = await world.user({ quota: 10_000_000 })
})
beforeEach(() => world.upstream.reset())

/** A vendor that sends this response in the dialect of the path, streamed if requested. */
const says =
  (said: Said) =>
  ({ path, json }: Recorded): Script => {
    if (path.includes('generateContent') || path.includes('streamGenerateContent'))
      return path.includes('stream') ? { events: geminiStream(said) } : { body: geminiAnswer(said) }
    if (path.includes('/messages')) return json.stream ? { events: messageStream(said) } : { body: messageAnswer(said) }
    return json.stream ? { events: saidStream(said) } : { body: saidAnswer(said) }
  }

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [
  { type: 'local_shell' },
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
  },
  {
    type: 'namespace',
    name: 'mcp__outdoors',
    description: 'Going out.',
    tools: [{ type: 'function', name: 'weather', description: 'Weather.', parameters: city, strict: false }],
  },
  { type: 'web_search', external_web_access: false },
]
const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
/** The members that every request of Codex has. */
const turn = (family: Family, input: readonly unknown[], more: object = {}) => ({
  model: modelOf(family),
  instructions: 'You are Codex.',
  input,
  tools,
  tool_choice: 'auto',
  parallel_tool_calls: true,
  store: false,
  include: ['reasoning.encrypted_content'],
  ...more,
})

const called: Said = {
  calls: [
    { id: 'call_1', name: 'mcp__outdoors__weather', arguments: { city: 'Paris' } },
    { id: 'call_2', name: 'local_shell', arguments: { command: ['ls'] } },
    { id: 'call_3', name: 'apply_patch', arguments: { input: '*** Begin Patch' } },
  ],
}

/** The items of a response, streamed or not, without their ids, since Gemini's calls get new ones. */
const itemsOf = ({ json, events }: Readonly<{ json: unknown; events: readonly unknown[] }>) => {
  const response = (json ?? (events.at(-1) as { response: unknown }).response) as { output: { id: string }[] }
  return response.output.map(({ id: _, ...item }) => item)
}

describe.each(familyNames)('Codex with a vendor of %s (docs/reference/conversion.md#client-tools)', (family) => {
  it.each([false, true])('is given calls as it declared them, streamed: %s', async (stream) => {
    world.upstream.answers(says(called))
    const before = await alice.quota()
    const answer = await alice.calls('/v1/responses', turn(family, [user('Go')], { stream }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-switchyard-dropped')).toBeNull()
    expect(itemsOf(answer)).toEqual(
      expect.arrayContaining([
        {
          type: 'function_call',
          status: 'completed',
          call_id: expect.any(String),
          namespace: 'mcp__outdoors',
          name: 'weather',
          arguments: '{"city":"Paris"}',
        },
        {
          type: 'local_shell_call',
          status: 'completed',
          call_id: expect.any(String),
          action: { type: 'exec', command: ['ls'], env: {} },
        },
        {
          type: 'custom_tool_call',
          status: 'completed',
          call_id: expect.any(String),
          name: 'apply_patch',
          input: '*** Begin Patch',
        },
      ]),
    )
    expect(before - (await alice.quota())).toBe(15)
  })

  it('sends back the items it received with their results, and every vendor accepts them', async () => {
    world.upstream.answers(says(called))
    const first = await alice.calls('/v1/responses', turn(family, [user('Go')]))
    world.upstream.answers(says({ texts: ['Done.'] }))
    const output: readonly { type: string; call_id: string }[] = first.json.output
    const idOf = (type: string) => output.find((item) => item.type === type)?.call_id
    const results = [
      { type: 'function_call_output', call_id: idOf('function_call'), output: 'Sunny.' },
      { type: 'function_call_output', call_id: idOf('local_shell_call'), output: 'notes' },
      { type: 'custom_tool_call_output', call_id: idOf('custom_tool_call'), output: 'Patched.' },
    ]
    const second = await alice.calls('/v1/responses', turn(family, [user('Go'), ...output, ...results]))
    expect(second.headers.get('x-switchyard-dropped')).toBeNull()
    const { text } = world.upstream.last()
    for (const said of ['mcp__outdoors__weather', 'local_shell', 'Begin Patch', 'Sunny.', 'notes', 'Patched.'])
      expect(text).toContain(said)
    expect(text).not.toContain('"..."')
    expect(text).not.toContain('namespace')
  })

  it('has its conversation summarized, and continues from the summary', async () => {
    world.upstream.answers(says({ texts: ['We chose ', 'red.'] }))
    const before = await alice.quota()
    const body = { model: modelOf(family), instructions: 'You are Codex.', input: [user('Pick'), ...history], tools }
    const { status, json } = await alice.calls('/v1/responses/compact', body)
    expect(status).toBe(200)
    expect(json).toMatchObject({ object: 'response.compaction', usage: { input_tokens: 10, output_tokens: 5 } })
    expect(json.output).toMatchObject([user('Pick'), { type: 'compaction', encrypted_content: expect.any(String) }])
    expect(before - (await alice.quota())).toBe(15)
    expect(world.upstream.last().text).toContain('write a summary of this conversation')
    world.upstream.answers(says({ texts: ['Blue.'] }))
    const next = await alice.calls('/v1/responses', turn(family, [...json.output, user('And now?')]))
    expect(next.headers.get('x-switchyard-dropped')).toBeNull()
    expect(world.upstream.last().text).toContain('We chose red.')
  })

  it('gets a summary instead of an answer where it sends an item that requests one', async () => {
    world.upstream.answers(says({ texts: ['We chose ', 'red.'] }))
    const input = [user('Pick'), ...history, { type: 'compaction_trigger' }]
    const { status, events } = await alice.calls('/v1/responses', turn(family, input, { stream: true }))
    expect(status).toBe(200)
    const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
    expect(done).toMatchObject([{ type: 'compaction' }])
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output: done } })
  })
})

const history = [
  {
    type: 'function_call',
    call_id: 'call_1',
    namespace: 'mcp__outdoors',
    name: 'weather',
    arguments: '{"city":"Paris"}',
  },
  { type: 'function_call_output', call_id: 'call_1', output: 'Sunny.' },
]
const compaction = {
  id: 'resp_9',
  object: 'response.compaction',
  created_at: 1,
  output: [user('Pick'), { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA' }],
  usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
}

describe('a summary from a vendor that makes them (docs/reference/conversion.md#summaries)', () => {
  it('is requested and returned unchanged, and charged', async () => {
    world.upstream.answers({ body: compaction })
    const before = await alice.quota()
    const { text } = await alice.calls('/v1/responses/compact', { model: NATIVE, input: [user('Pick'), ...history] })
    expect(text).toBe(JSON.stringify(compaction))
    const { path, json } = world.upstream.last()
    expect(path).toBe('/v1/responses/compact')
    expect(json).toEqual({ model: NATIVE, input: [user('Pick'), ...history] })
    expect(before - (await alice.quota())).toBe(120)
  })

  it('is Azure’s own for a model on Azure, at its path with its version and its key', async () => {
    world.upstream.answers({ body: compaction })
    const before = await alice.quota()
    const body = { model: AZURE, input: [user('Pick'), ...history] }
    const { text } = await alice.calls('/v1/responses/compact', body)
    expect(text).toBe(JSON.stringify(compaction))
    const { path, json, headers } = world.upstream.last()
    expect(path).toBe('/openai/v1/responses/compact?api-version=preview')
    expect(json).toEqual(body)
    expect(headers['api-key']).toBeTruthy()
    expect(headers).not.toHaveProperty('authorization')
    expect(before - (await alice.quota())).toBe(120)
  })

  it('is made by an answer of Azure’s where its resource has no such path', async () => {
    const answer = responseAnswer({ texts: ['We chose red.'] })
    world.upstream.answers(({ path }) =>
      path.includes('/compact')
        ? { status: 404, body: { error: { code: '404', message: 'Resource not found' } } }
        : { body: answer },
    )
    const { status, json } = await alice.calls('/v1/responses/compact', {
      model: AZURE,
      input: [user('Pick'), ...history],
    })
    expect(status).toBe(200)
    expect(json).toMatchObject({ object: 'response.compaction', output: [user('Pick'), { type: 'compaction' }] })
    expect(world.upstream.last().path).toBe('/openai/v1/responses?api-version=preview')
  })

  it('is made by an answer where the address has no such path', async () => {
    const answer = {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'We chose red.' }] }],
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    }
    world.upstream.answers(({ path }) =>
      path.endsWith('/compact') ? { status: 404, body: { error: { message: 'Not found' } } } : { body: answer },
    )
    const { status, json } = await alice.calls('/v1/responses/compact', {
      model: NATIVE,
      input: [user('Pick'), ...history],
      tools: tools.slice(2, 3),
    })
    expect(status).toBe(200)
    expect(json).toMatchObject({ object: 'response.compaction', output: [user('Pick'), { type: 'compaction' }] })
    const { path, json: asked } = world.upstream.last()
    expect(path).toBe('/v1/responses')
    expect(asked.tools).toMatchObject([{ type: 'function', name: 'mcp__outdoors__weather' }])
  })

  it('is sent to it as text where the gateway made it', async () => {
    world.upstream.answers(says({ texts: ['We chose red.'] }))
    const { json } = await alice.calls('/v1/responses/compact', { model: modelOf('chat'), input: 'Pick' })
    world.upstream.answers({ body: { ...compaction, object: 'response', output: [] } })
    await alice.calls('/v1/responses', { model: NATIVE, input: [...json.output, user('And now?')] })
    expect(world.upstream.last().json.input).toMatchObject([
      user('Pick'),
      { type: 'message', role: 'user', content: expect.stringContaining('We chose red.') },
      user('And now?'),
    ])
  })
})

describe('a channel whose Responses API supports only functions (docs/reference/selection.md#channel-settings)', () => {
  const said: Said = {
    calls: [
      { id: 'call_1', name: 'mcp__outdoors__weather', arguments: { city: 'Paris' } },
      { id: 'call_2', name: 'apply_patch', arguments: { input: '*** Begin Patch' } },
    ],
  }
  const told = [
    { type: 'function_call', call_id: 'call_1', namespace: 'mcp__outdoors', name: 'weather' },
    { type: 'custom_tool_call', call_id: 'call_2', name: 'apply_patch', input: '*** Begin Patch' },
  ]

  it.each([false, true])('gets functions, and its client the tools it declared, streamed: %s', async (stream) => {
    world.upstream.answers(({ json }) =>
      json.stream ? { events: responseStream(said) } : { body: responseAnswer(said) },
    )
    const answer = await alice.calls('/v1/responses', { ...turn('chat', [user('Go')], { stream }), model: PLAIN })
    expect(itemsOf(answer)).toMatchObject(told)
    const { path, json } = world.upstream.last()
    expect(path).toBe('/v1/responses')
    const kinds = json.tools.map(({ type, name }: { type: string; name: string }) => [type, name])
    expect(kinds).toEqual([
      ['function', 'local_shell'],
      ['function', 'apply_patch'],
      ['function', 'mcp__outdoors__weather'],
    ])
  })

  it('gets the channel’s name of the model and its instructions, although other bodies pass unchanged', async () => {
    world.upstream.answers({ body: responseAnswer({ texts: ['Hi.'] }) })
    await alice.calls('/v1/responses', { ...turn('chat', [user('Go')], { instructions: undefined }), model: PASSING })
    const { json } = world.upstream.last()
    expect([json.model, json.tools[0].type]).toEqual(['qwen3-mapped', 'function'])
    expect(JSON.stringify(json)).toContain('Be brief.')
    const plain = { model: PASSING, input: 'Hi' }
    await alice.calls('/v1/responses', plain)
    expect(world.upstream.last().json).toEqual(plain)
  })

  it('gets items without a counterpart in other dialects', async () => {
    world.upstream.answers({ body: responseAnswer({ texts: ['Hi.'] }) })
    const call = { type: 'mcp_call', id: 'mcp_1', server_label: 'maps', name: 'find', arguments: '{}', output: 'x' }
    const body = { ...turn('chat', [user('Go'), call, user('And now?')]), model: PLAIN }
    const { headers } = await alice.calls('/v1/responses', body)
    expect(world.upstream.last().json.input).toMatchObject([{ role: 'user' }, call, { role: 'user' }])
    expect(headers.get('x-switchyard-dropped')).toBeNull()
  })

  it('gets everything else unchanged, and its stored answer can be continued', async () => {
    world.upstream.answers({ body: responseAnswer({ texts: ['Hi.'] }) })
    const plain = { model: PLAIN, input: 'Hi', future: 1 }
    const { text } = await alice.calls('/v1/responses', plain)
    expect(text).toBe(JSON.stringify(responseAnswer({ texts: ['Hi.'] })))
    expect(world.upstream.last().json).toEqual(plain)
    world.upstream.answers({ body: responseAnswer(said) })
    const { json } = await alice.calls('/v1/responses', { model: PLAIN, input: 'Go', tools })
    world.upstream.answers({ body: responseAnswer({ texts: ['Done.'] }) })
    const results = [
      { type: 'function_call_output', call_id: 'call_1', output: 'Sunny.' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Patched.' },
    ]
    const next = { model: PLAIN, previous_response_id: json.id, input: results, tools }
    expect((await alice.calls('/v1/responses', next)).status).toBe(200)
    expect(world.upstream.last().json.input).toMatchObject([
      { role: 'user' },
      { type: 'function_call', name: 'mcp__outdoors__weather' },
      { type: 'function_call', name: 'apply_patch' },
      { type: 'function_call_output', output: 'Sunny.' },
      { type: 'function_call_output', output: 'Patched.' },
    ])
  })
})

describe('Claude Code with a vendor of another dialect (docs/reference/conversion.md#tool-names)', () => {
  const long = `mcp__${'a_server_with_a_long_name_'.repeat(2)}_weather_of.today`
  const message = (messages: readonly unknown[], stream = false) => ({
    model: modelOf('chat'),
    max_tokens: 100,
    messages,
    stream,
    tools: [
      { name: long, input_schema: city },
      { type: 'bash_20250124', name: 'bash' },
    ],
  })

  it.each([false, true])('knows its long names again, and its shell, streamed: %s', async (stream) => {
    world.upstream.answers(says({ texts: ['Hi.'] }))
    await alice.calls('/v1/messages', message([{ role: 'user', content: 'Go' }]))
    const [{ name }, { name: shell }] = world.upstream
      .last()
      .json.tools.map((tool: { function: object }) => tool.function)
    expect(name).toMatch(/^[\w-]{64}$/)
    expect(shell).toBe('bash')
    const calls = [
      { id: 'call_1', name, arguments: { city: 'Paris' } },
      { id: 'call_2', name: 'bash', arguments: { command: 'ls' } },
    ]
    world.upstream.answers(says({ calls }))
    const answer = await alice.calls('/v1/messages', message([{ role: 'user', content: 'Go' }], stream))
    expect(answer.headers.get('x-switchyard-dropped')).toBeNull()
    const uses = stream
      ? answer.events.filter(({ type }) => type === 'content_block_start').map((event) => event.content_block)
      : answer.json.content
    expect(uses).toMatchObject([
      { type: 'tool_use', name: long },
      { type: 'tool_use', name: 'bash' },
    ])
    await alice.calls(
      '/v1/messages',
      message([
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: long, input: { city: 'Paris' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Sunny.' }] },
      ]),
    )
    const { messages, tools: declared } = world.upstream.last().json
    expect(messages[1].tool_calls[0].function.name).toBe(name)
    expect(declared[0].function.name).toBe(name)
  })
})
