import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageAnswer } from '../../../support/anthropic.ts'
import { chatAnswer } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person

const vendors = { anthropic: 14, deepseek: 43, moonshot: 25, 'zhipu-v4': 26, minimax: 35, openai: 1 } as const
const models = {
  anthropic: 'claude-opus-5-5,claude-fable-5-2,claude-mythos-5-1,claude-sonnet-4-5',
  deepseek: 'deepseek-v4-pro',
  moonshot: 'kimi-k2.6',
  'zhipu-v4': 'glm-4.7',
  minimax: 'minimax-m2',
  openai: 'gpt-5.5',
} as const

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  for (const [name, type] of Object.entries(vendors))
    await world.channel({ type, models: models[name as keyof typeof models] }) // the name of a vendor above
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers(({ path }) => ({
    body: path.includes('messages') ? messageAnswer({ texts: ['Hi.'] }) : chatAnswer('Hi.'),
  }))
})

const parameters = { type: 'object', properties: {} }
const messages = [{ role: 'user', content: 'hi' }]
const chat = (model: string, more: object) => ({
  model,
  messages,
  tools: [{ type: 'function', function: { name: 'w', parameters } }],
  ...more,
})
const claude = (model: string, more: object) => ({
  model,
  max_tokens: 99,
  messages,
  tools: [{ name: 'w', input_schema: parameters }],
  ...more,
})
const [CHAT, MESSAGES] = ['/v1/chat/completions', '/v1/messages']

describe('tools that a model has to call (docs/reference/conversion.md#tool-choice)', () => {
  it.each([
    ['claude-opus-5-5', CHAT, chat('claude-opus-5-5', { tool_choice: 'required' }), { type: 'auto' }],
    [
      'claude-fable-5-2',
      CHAT,
      chat('claude-fable-5-2', { tool_choice: { type: 'function', function: { name: 'w' } } }),
      { type: 'auto' },
    ],
    ['claude-mythos-5-1', CHAT, chat('claude-mythos-5-1', { tool_choice: 'required' }), { type: 'auto' }],
    [
      'deepseek-v4-pro, which thinks',
      MESSAGES,
      claude('deepseek-v4-pro', { tool_choice: { type: 'tool', name: 'w' } }),
      'auto',
    ],
    ['kimi-k2.6', MESSAGES, claude('kimi-k2.6', { tool_choice: { type: 'any' } }), 'auto'],
    ['glm-4.7', MESSAGES, claude('glm-4.7', { tool_choice: { type: 'tool', name: 'w' } }), 'auto'],
    ['minimax-m2', MESSAGES, claude('minimax-m2', { tool_choice: { type: 'tool', name: 'w' } }), 'auto'],
  ])('are left out for %s, which does not support them, and reported to the caller', async (_, path, body, choice) => {
    const answer = await alice.calls(path, body)
    expect(answer.status, answer.text).toBe(200)
    expect(JSON.stringify(world.upstream.last().json.tool_choice ?? 'auto')).toContain(
      JSON.stringify(choice).slice(1, -1),
    )
    expect(answer.headers.get('x-switchyard-dropped')).toContain('tool_choice')
  })

  it.each([
    ['claude-sonnet-4-5', CHAT, chat('claude-sonnet-4-5', { tool_choice: 'required' }), { type: 'any' }],
    ['gpt-5.5', MESSAGES, claude('gpt-5.5', { tool_choice: { type: 'any' } }), 'required'],
    [
      'deepseek-v4-pro that is not to think',
      MESSAGES,
      claude('deepseek-v4-pro', { tool_choice: { type: 'any' }, thinking: { type: 'disabled' } }),
      'required',
    ],
  ])('are sent to %s, which supports them', async (_, path, body, choice) => {
    const answer = await alice.calls(path, body)
    expect(world.upstream.last().json.tool_choice).toEqual(choice)
    expect(answer.headers.get('x-switchyard-dropped') ?? '').not.toContain('tool_choice')
  })
})

describe('thinking that is switched off (docs/reference/conversion.md#thinking)', () => {
  it('is reduced to the minimum for models that always think, and reported', async () => {
    const answer = await alice.calls(CHAT, chat('claude-opus-5-5', { reasoning_effort: 'none' }))
    expect(world.upstream.last().json).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
    })
    expect(answer.headers.get('x-switchyard-dropped')).toContain('reasoning_effort')
    await alice.calls(CHAT, chat('claude-sonnet-4-5', { reasoning_effort: 'none' }))
    expect(world.upstream.last().json.thinking).toBeUndefined()
  })
})
