import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatRows } from '../../../../gateway/relay/capabilities/chat-models.ts'
import { messageAnswer } from '../../../support/anthropic.ts'
import { chatAnswer } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

const channels: Readonly<Record<string, readonly [type: number, models: readonly string[]]>> = {
  openai: [1, ['gpt-5', 'gpt-5.1', 'gpt-5.4', 'gpt-5.5', 'gpt-5.6-luna', 'gpt-6-sol', 'gpt-6.1-sol', 'gpt-6.1-terra']],
  newest: [1, ['gpt-7', 'gpt-5.2-chat-latest', 'gpt-4o']],
  moonshot: [25, ['kimi-k2.6', 'kimi-k2.7-code', 'kimi-k3.1-pro']],
  zhipu: [26, ['glm-4.7', 'glm-5.2', 'glm-5.3']],
  deepseek: [43, ['deepseek-v4-pro']],
  xai: [48, ['grok-4.20-reasoning', 'grok-4.3', 'grok-4.7']],
  ali: [17, ['qwen3.8-max', 'qwen3.6-plus']],
  minimax: [35, ['MiniMax-M2.7', 'MiniMax-M3', 'MiniMax-M3.1-Flash']],
  mistral: [42, ['mistral-small-latest', 'mistral-large-latest']],
  volcengine: [45, ['doubao-seed-2-1-pro-260628']],
  anthropic: [14, ['claude-sonnet-5', 'claude-haiku-5-5', 'claude-fable-5', 'claude-sonnet-5-5']],
  gemini: [24, ['gemini-3.6-flash', 'gemini-3.8-flash', 'gemini-flash-latest', 'gemini-3.1-pro-preview']],
}

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  for (const [type, models] of Object.values(channels)) await world.channel({ type, models: models.join(',') })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers(({ path }) => ({
    body: path.includes('messages') ? messageAnswer({ texts: ['Hi.'] }) : chatAnswer('Hi.'),
  }))
})

/** Sends a request of an Anthropic client; returns the upstream request and the reported losses. */
async function askedBy(model: string, more: object) {
  const body = { model, max_tokens: 9000, messages: [{ role: 'user', content: 'hi' }], ...more }
  const { headers } = await alice.calls('/v1/messages', body)
  const { json, path } = world.upstream.last()
  return { json, path, dropped: headers.get('x-switchyard-dropped') ?? '' }
}

const max = { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }
const off = { thinking: { type: 'disabled' } }
const tools = { tools: [{ name: 'w', input_schema: { type: 'object' } }] }

describe('the thinking parameters of a model (docs/reference/conversion.md#parameters-by-model)', () => {
  it.each([
    ['gpt-5', { reasoning_effort: 'high' }],
    ['gpt-5.4', { reasoning_effort: 'xhigh' }],
    ['gpt-6.1-sol', { reasoning_effort: 'xhigh' }],
    ['gpt-7', { reasoning_effort: 'xhigh' }],
    ['gpt-5.2-chat-latest', { reasoning_effort: 'medium' }],
    ['kimi-k3.1-pro', { reasoning_effort: 'max' }],
    ['kimi-k2.6', { thinking: { type: 'enabled' } }],
    ['glm-5.3', { reasoning_effort: 'max' }],
    ['glm-5.2', { reasoning_effort: 'max', thinking: { type: 'enabled' } }],
    ['glm-4.7', { thinking: { type: 'enabled' } }],
    ['deepseek-v4-pro', { reasoning_effort: 'max', thinking: { type: 'enabled' } }],
    ['grok-4.3', { reasoning_effort: 'high' }],
    ['grok-4.7', { reasoning_effort: 'xhigh' }],
    ['MiniMax-M3.1-Flash', { reasoning_effort: 'max' }],
    ['MiniMax-M3', { thinking: { type: 'enabled' } }],
    ['mistral-small-latest', { reasoning_effort: 'high' }],
    ['doubao-seed-2-1-pro-260628', { reasoning_effort: 'high', thinking: { type: 'enabled' } }],
  ])('%s: as much as it can', async (model, said) => {
    const { json, dropped } = await askedBy(model, max)
    expect({ reasoning_effort: json.reasoning_effort, thinking: json.thinking }).toEqual(said)
    expect(dropped).not.toContain('thinking')
  })

  it.each(['grok-4.20-reasoning', 'MiniMax-M2.7', 'mistral-large-latest', 'gpt-4o'])(
    '%s: not at all, which is reported',
    async (model) => {
      const { json, dropped } = await askedBy(model, max)
      expect(json).not.toHaveProperty('reasoning_effort')
      expect(json).not.toHaveProperty('thinking')
      expect(dropped).toContain('thinking')
    },
  )

  it.each([
    ['gpt-5.6-luna', { reasoning_effort: 'none' }],
    ['kimi-k2.6', { thinking: { type: 'disabled' } }],
    ['glm-5.2', { thinking: { type: 'disabled' } }],
    ['deepseek-v4-pro', { thinking: { type: 'disabled' } }],
    ['grok-4.3', { reasoning_effort: 'none' }],
    ['MiniMax-M3', { thinking: { type: 'disabled' } }],
    ['mistral-small-latest', { reasoning_effort: 'none' }],
    ['mistral-large-latest', {}],
  ])('%s: not to think', async (model, said) => {
    const { json, dropped } = await askedBy(model, off)
    expect({ reasoning_effort: json.reasoning_effort, thinking: json.thinking }).toEqual(said)
    expect(dropped).not.toContain('thinking')
  })

  it.each([
    ['gpt-6.1-sol', 'low'],
    ['gpt-5', 'minimal'],
    ['kimi-k3.1-pro', 'low'],
    ['kimi-k2.7-code', undefined],
    ['glm-5.3', 'low'],
    ['grok-4.7', 'low'],
    ['MiniMax-M3.1-Flash', 'low'],
  ])('%s: as little as it can, where it always thinks, which is reported', async (model, effort) => {
    const { json, dropped } = await askedBy(model, off)
    expect({ effort: json.reasoning_effort, thinking: json.thinking }).toEqual({ effort, thinking: undefined })
    expect(dropped).toContain('thinking')
  })

  it('Qwen is switched by a separate field', async () => {
    const stream = { stream: true }
    expect((await askedBy('qwen3.8-max', { ...max, ...stream })).json).toMatchObject({
      enable_thinking: true,
      reasoning_effort: 'xhigh',
    })
    expect((await askedBy('qwen3.6-plus', { ...off, ...stream })).json.enable_thinking).toBe(false)
    const whole = await askedBy('qwen3.8-max', max)
    expect(whole.json).toMatchObject({ enable_thinking: false })
    expect(whole.json).not.toHaveProperty('reasoning_effort')
    expect(whole.dropped).toContain('thinking')
  })
})

describe('parameters that a model refuses are left out, and reported', () => {
  const sampling = { temperature: 0.4, stop_sequences: ['END'] }

  it.each([
    ['gpt-5', ['stop_sequences', 'temperature']],
    ['gpt-5.5', ['stop_sequences', 'temperature']],
    ['gpt-5.1', []],
    ['gpt-4o', []],
    ['kimi-k3.1-pro', ['temperature']],
    ['grok-4.7', ['stop_sequences']],
    ['glm-5.3', []],
  ])('%s: %j', async (model, left) => {
    const { json, dropped } = await askedBy(model, sampling)
    const told = dropped.split(',').map((name) => name.trim())
    expect(told.filter((name) => name in sampling).sort()).toEqual(left)
    expect('temperature' in json).toBe(!left.includes('temperature'))
    expect('stop' in json).toBe(!left.includes('stop_sequences'))
  })

  it('and taken where the model is not to think', async () => {
    const { json } = await askedBy('gpt-5.5', { ...sampling, ...off })
    expect(json).toMatchObject({ temperature: 0.4, stop: 'END', reasoning_effort: 'none' })
  })
})

describe('tools', () => {
  it.each([
    ['gpt-5.6-luna', max, 'responses'],
    ['gpt-5.6-luna', off, 'chat'],
    ['gpt-6-sol', off, 'chat'],
    ['gpt-6.1-terra', off, 'responses'],
    ['gpt-6.1-sol', off, 'responses'],
    ['gpt-7', {}, 'responses'],
  ])('of %s with %j are requested in %s', async (model, more, format) => {
    const { path, json } = await askedBy(model, { ...more, ...tools })
    expect(path).toContain(format)
    if (more === max) expect(json.reasoning).toMatchObject({ effort: 'max' })
  })

  it('can be demanded of Kimi K3, but not which', async () => {
    const named = { tool_choice: { type: 'tool', name: 'w' } }
    const one = await askedBy('kimi-k3.1-pro', { ...tools, ...named })
    expect(one.json.tool_choice).toBe('required')
    expect(one.dropped).not.toContain('tool_choice')
    const two = await askedBy('kimi-k3.1-pro', { tools: [...tools.tools, { ...tools.tools[0], name: 'v' }], ...named })
    expect(two.json.tool_choice).toBe('required')
    expect(two.dropped).toContain('tool_choice')
    const idle = await askedBy('kimi-k2.6', { ...tools, ...named, ...off })
    expect(idle.json.tool_choice).toEqual({ type: 'function', function: { name: 'w' } })
  })

  it.each([
    ['claude-sonnet-5', { type: 'any' }, { type: 'disabled' }],
    ['claude-haiku-5-5', { type: 'any' }, { type: 'disabled' }],
    ['claude-fable-5', { type: 'any' }, undefined],
    ['claude-sonnet-5-5', { type: 'auto' }, undefined],
  ])('that %s has to call', async (model, choice, thinking) => {
    const parameters = { type: 'object' }
    await alice.calls('/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ type: 'function', function: { name: 'w', parameters } }],
      tool_choice: 'required',
    })
    const { json } = world.upstream.last()
    expect(json.tool_choice).toEqual(choice)
    expect(json.thinking).toEqual(thinking)
  })
})

describe('the levels of Gemini', () => {
  it.each([
    ['gemini-3.6-flash', 'minimal'],
    ['gemini-3.8-flash', 'low'],
    ['gemini-flash-latest', 'low'],
    ['gemini-3.1-pro-preview', 'low'],
  ])('%s: the least is %s', async (model, level) => {
    const { json } = await askedBy(model, off)
    expect(json.generationConfig).toMatchObject({ thinkingConfig: { thinkingLevel: level } })
  })
})

describe('each family of the table', () => {
  it('names the page it follows and the month in which that was read', () => {
    for (const { names, page, read } of chatRows) {
      expect(page, String(names)).toMatch(/^\w[\w.]+, ./)
      expect(read).toMatch(/^20\d\d-[01]\d$/)
    }
  })

  it('is reachable: none comes after a more general one', () => {
    const reached = new Set(everyName.map((name) => chatRows.findIndex(({ names }) => names.test(name))))
    const hidden = chatRows.filter((_, at) => !reached.has(at)).map(({ names }) => String(names))
    expect(hidden).toEqual([])
  })
})

/** One name from each family. */
const everyName = [
  ...['gpt-4-0613', 'gpt-4-turbo', 'gpt-4o-2024-05-13', 'gpt-audio', 'gpt-4.1', 'gpt-5-chat-latest'],
  ...['gpt-5.2-chat-latest', 'gpt-5-search-api', 'gpt-5-pro', 'gpt-5.4-pro', 'gpt-5.1-codex-max', 'gpt-5-codex'],
  ...['gpt-5.3-codex', 'gpt-5-mini', 'gpt-5.1', 'gpt-5.2', 'gpt-5.4-nano', 'gpt-5.5', 'gpt-5.6-sol', 'gpt-6.1-terra'],
  ...['gpt-6.2-astra', 'o1-mini', 'o3-pro', 'codex-mini-latest', 'o4-mini', 'o1', 'gpt-oss-120b', 'grok-3-mini'],
  ...['grok-4.20-multi-agent', 'grok-4-fast-non-reasoning', 'grok-4.3', 'grok-4.5', 'grok-4.6', 'grok-4', 'grok-3'],
  ...['kimi-k2.7-code', 'kimi-k2.5', 'kimi-k3', 'glm-5.3', 'glm-5.2', 'glm-4.6', 'deepseek-reasoner'],
  ...['deepseek-v4.1-flash', 'deepseek-chat', 'qwq-32b', 'qwen3.8-max', 'qwen3.5-plus', 'qwen-plus', 'minimax-m2'],
  ...['minimax-m3', 'minimax-m3.1-flash', 'mistral-medium-3.5', 'magistral-medium-latest', 'doubao-seed-1-6-thinking'],
  ...['doubao-seed-2-0-pro', 'mimo-v2.5', 'gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-3-flash', 'gemini-3.8-flash'],
]
