import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageAnswer, messageStream } from '../../../support/anthropic.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { chunks, EVENT_STREAM } from './aws/bedrock.ts'

/** The beta flags that Claude Code sends with a request, as quoted in its users' reports. */
const BETAS =
  'claude-code-20250219,oauth-2025-04-20,interleaved-thinking-2025-05-14,thinking-token-count-2026-05-13,' +
  'context-management-2025-06-27,prompt-caching-scope-2026-01-05,advanced-tool-use-2025-11-20,effort-2025-11-24,' +
  'extended-cache-ttl-2025-04-11'
const ANSWER = { texts: ['Hello'] }
const mark = { type: 'ephemeral' }
const hour = { type: 'ephemeral', ttl: '1h' }
const schema = { type: 'object', properties: {} }

/** A request as Claude Code sends it to Anthropic. */
const asked = (model: string, more: object = {}) => ({
  model,
  max_tokens: 64,
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.177.01c; cc_entrypoint=cli; cch=36ee5;' },
    { type: 'text', text: 'You are Claude Code.', cache_control: { ...hour, scope: 'global' } },
  ],
  tools: [
    { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
    { name: 'Bash', input_schema: schema, eager_input_streaming: true },
    { name: 'Rare', input_schema: schema, defer_loading: true, eager_input_streaming: true, input_examples: [{}] },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {}, caller: { type: 'direct' } }],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: 'Rare' }] },
        { type: 'text', text: 'Go on', cache_control: { ...mark, scope: 'global' } },
      ],
    },
  ],
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'high' },
  ...more,
})

const models = {
  sonnet: 'claude-sonnet-4-5-20250929',
  opus45: 'claude-opus-4-5-20251101',
  opus46: 'claude-opus-4-6',
  opus48: 'claude-opus-4-8',
  old: 'claude-3-5-haiku-20241022',
  profile: 'arn:aws:bedrock:us-east-1:1:application-inference-profile/p',
} as const
type ModelName = keyof typeof models

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  const hosted = (platform: string) => {
    const names = Object.entries(models).map(([name, model]) => [`${platform}-${name}`, model])
    return { models: names.map(([name]) => name).join(','), model_mapping: JSON.stringify(Object.fromEntries(names)) }
  }
  await world.channel({ type: 33, key: 'secret|us-east-1', ...hosted('bedrock') })
  const setting = JSON.stringify({ vertex_key_type: 'api_key' })
  await world.channel({ type: 41, key: 'secret', other: 'global', setting, ...hosted('vertex') })
  await world.option('claude.model_headers_settings', { 'bedrock-old': { 'anthropic-beta': ['new-of-the-account'] } })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers({ body: messageAnswer(ANSWER) })
})

async function sent(platform: 'bedrock' | 'vertex', model: ModelName, more: object = {}, betas = BETAS) {
  const name = `${platform}-${model}`
  const answer = await alice.calls('/v1/messages', asked(name, more), { headers: { 'anthropic-beta': betas } })
  expect(answer.status, answer.text).toBe(200)
  const { json, headers } = world.upstream.last()
  const named: unknown = json.anthropic_beta ?? headers['anthropic-beta']
  const dropped = answer.headers.get('x-switchyard-dropped')?.split(', ') ?? []
  return { json, betas: String(named ?? ''), dropped }
}

describe('Claude Code’s requests to a hosted Claude (docs/reference/channel-types.md#betas)', () => {
  it.each([
    ['bedrock', 'sonnet', 'interleaved-thinking-2025-05-14,context-management-2025-06-27,tool-search-tool-2025-10-19'],
    [
      'bedrock',
      'opus45',
      'interleaved-thinking-2025-05-14,context-management-2025-06-27,tool-search-tool-2025-10-19,' +
        'tool-examples-2025-10-29,effort-2025-11-24',
    ],
    ['bedrock', 'opus48', 'context-management-2025-06-27'],
    ['bedrock', 'profile', 'context-management-2025-06-27'],
    ['bedrock', 'old', 'new-of-the-account'],
    ['vertex', 'sonnet', 'interleaved-thinking-2025-05-14,context-management-2025-06-27,tool-search-tool-2025-10-19'],
    ['vertex', 'opus48', 'context-management-2025-06-27,tool-search-tool-2025-10-19'],
    ['vertex', 'old', ''],
  ] as const)('name on %s for %s the betas it takes', async (platform, model, expected) => {
    expect((await sent(platform, model)).betas).toBe(expected)
  })

  it('lose on a platform the parameters of a beta that it does not support, each reported once', async () => {
    const { json, dropped } = await sent('bedrock', 'opus48')
    const { model: _, ...body } = asked('')
    expect(json).toEqual({
      ...body,
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['context-management-2025-06-27'],
      system: [{ type: 'text', text: 'You are Claude Code.', cache_control: hour }],
      tools: [
        { name: 'Bash', input_schema: schema },
        { name: 'Rare', input_schema: schema },
      ],
      messages: [
        body.messages[0],
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'Rare' }] },
            { type: 'text', text: 'Go on', cache_control: mark },
          ],
        },
      ],
    })
    expect(dropped.toSorted()).toEqual([
      'cache_control.scope',
      'defer_loading',
      'eager_input_streaming',
      'input_examples',
      'tools.tool_search_tool_regex_20251119',
    ])
  })

  it('preserve the parameters of a beta that is supported', async () => {
    const { json, dropped } = await sent('vertex', 'sonnet')
    expect(json.tools[0]).toEqual({ type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' })
    expect(json.tools[2]).toEqual({ name: 'Rare', input_schema: schema, defer_loading: true })
    expect(json.messages[2].content[0].content).toEqual([{ type: 'tool_reference', tool_name: 'Rare' }])
    expect(json.context_management).toEqual(asked('').context_management)
    expect(json.output_config).toBeUndefined()
    expect(dropped.toSorted()).toEqual([
      'cache_control.scope',
      'eager_input_streaming',
      'input_examples',
      'output_config.effort',
    ])
  })

  it('lose the edits of the context one by one', async () => {
    const edits = [{ type: 'clear_tool_uses_20250919' }, { type: 'compact_20260112' }]
    const only = await sent('bedrock', 'opus46', { context_management: { edits } }, 'compact-2026-01-12')
    expect(only.json.context_management).toEqual({ edits: [{ type: 'compact_20260112' }] })
    const none = await sent('bedrock', 'old', { context_management: { edits } }, 'compact-2026-01-12')
    expect(none.json.context_management).toBeUndefined()
    expect(none.dropped).toContain('context_management')
  })

  it('request no cache for an hour where it is not supported', async () => {
    const { json, dropped } = await sent('bedrock', 'old')
    expect(json.system).toEqual([{ type: 'text', text: 'You are Claude Code.', cache_control: mark }])
    expect(dropped).toContain('cache_control.ttl')
  })

  it('have the mark of the whole request on its last block', async () => {
    const { json, dropped } = await sent('vertex', 'opus48', {
      system: 'Be brief.',
      tools: undefined,
      messages: [{ role: 'user', content: 'Hi' }],
      cache_control: hour,
    })
    expect(json.cache_control).toBeUndefined()
    expect(json.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: hour }] }])
    expect(dropped).toEqual([])
  })

  it('have system messages between others sent as user messages to a model that does not support them', async () => {
    const said = (role: string) => [
      { role: 'user', content: 'Hi' },
      { role, content: 'A file has changed.' },
    ]
    expect((await sent('vertex', 'opus46', { messages: said('system') })).json.messages).toEqual(said('user'))
    expect((await sent('bedrock', 'opus48', { messages: said('system') })).json.messages).toEqual(said('system'))
  })

  it('include the schema of their answer where it is not a beta', async () => {
    const output_format = { type: 'json_schema', schema }
    const kept = await sent('bedrock', 'opus48', { output_format })
    expect(kept.json.output_config).toEqual({ effort: 'high', format: output_format })
    expect(kept.json).not.toHaveProperty('output_format')
    expect(kept.dropped).not.toContain('output_format')
    const byTool = await sent('vertex', 'old', { output_format })
    expect(byTool.json).not.toHaveProperty('output_format')
    expect(byTool.json.tools.at(-1)).toMatchObject({ name: 'structured_answer', input_schema: { type: 'object' } })
    expect(byTool.json.tool_choice).toEqual({ type: 'any' })
    expect(byTool.dropped).not.toContain('output_format')
  })

  it('lose Claude Code’s parameters of its mode, and show their thoughts as summaries', async () => {
    const { json, dropped } = await sent('bedrock', 'opus48', {
      safeguards: [{ type: 'dangerous_tool_use', classifier_context: { v: 1 } }],
      thinking: { type: 'adaptive', display: 'updates' },
    })
    expect(json).not.toHaveProperty('safeguards')
    expect(json.thinking).toEqual({ type: 'adaptive', display: 'summarized' })
    expect(dropped).toEqual(expect.arrayContaining(['safeguards', 'thinking.display']))
  })

  it('lose members of Anthropic’s own service', async () => {
    const { json, dropped } = await sent('bedrock', 'opus48', {
      tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-4-8' }],
      mcp_servers: [{ type: 'url', url: 'https://mcp.example', name: 'm' }],
      container: null,
      output_config: { effort: 'high', task_budget: { type: 'tokens', total: 1000 } },
    })
    for (const name of ['tools', 'mcp_servers', 'container']) expect(json).not.toHaveProperty(name)
    expect(json.output_config).toEqual({ effort: 'high' })
    expect(dropped.toSorted()).toEqual([
      'cache_control.scope',
      'mcp_servers',
      'output_config.task_budget',
      'tools.advisor_20260301',
    ])
  })

  it('are streamed just so', async () => {
    world.upstream.reset()
    world.upstream.streams(chunks(messageStream(ANSWER)), { headers: EVENT_STREAM })
    const { json, dropped } = await sent('bedrock', 'opus48', { stream: true })
    expect(json).not.toHaveProperty('stream')
    expect(JSON.stringify(json)).not.toMatch(/scope|defer_loading|eager_input_streaming|billing/)
    expect(new Set(dropped).size).toBe(dropped.length)
  })

  it('are sent without their billing line to other vendors with Anthropic’s dialect, and are otherwise the caller’s bytes', async () => {
    await world.channel({ type: 14, models: 'kimi-k2.6' })
    const body = JSON.stringify(asked('kimi-k2.6'))
    const answer = await alice.calls('/v1/messages', body, { headers: { 'anthropic-beta': BETAS } })
    expect(answer.headers.get('x-switchyard-dropped')).toBeNull()
    const { system, ...rest } = asked('kimi-k2.6')
    expect(world.upstream.last().json).toEqual({ ...rest, system: system.slice(1) })
    const text = `x-anthropic-billing-header: cch=1;\nBe brief.`
    await alice.calls('/v1/messages', { ...rest, system: text })
    expect(world.upstream.last().json.system).toBe('Be brief.')
  })

  it('go to Anthropic itself byte for byte', async () => {
    await world.channel({ type: 14, models: 'claude-opus-4-8' })
    const body = JSON.stringify(asked('claude-opus-4-8'))
    const answer = await alice.calls('/v1/messages', body, { headers: { 'anthropic-beta': BETAS } })
    expect(answer.headers.get('x-switchyard-dropped')).toBeNull()
    expect(world.upstream.last().text).toBe(body)
    expect(world.upstream.last().headers['anthropic-beta']).toBe(BETAS)
  })
})
