import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { messageAnswer, messageStream } from '../support/anthropic.ts'
import { chatAnswer, chatStream } from '../support/chat.ts'
import { leaveAt } from '../support/leaving-caller.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const { anthropic, openai, openrouter, siliconflow, volcengine } = channelTypes
const QUOTA = 2000
const messages = [{ role: 'user', content: 'think hard' }]
const contents = [{ role: 'user', parts: [{ text: 'think hard' }] }]
let world: World
let mallory: Person

const AT_ANTHROPIC = [
  ...[
    'claude-sonnet-4-5',
    'claude-opus-4-6',
    'claude-opus-4-7',
    'claude-sonnet-4-5-thinking',
    'claude-3-7-sonnet-latest',
  ],
  ...['kimi-k3', 'alias', 'thinking-alias', 'claude-opus-4-7-high'],
]
const AT_SILICONFLOW = ['deepseek-ai/DeepSeek-R1', 'zai-org/GLM-4.6', 'Qwen/Qwen3-32B']
const AT_VOLCENGINE = ['deepseek-r1-250528', 'doubao-seed-1-6', 'ep-20260101-abcde']
const AT_OPENROUTER = ['deepseek/deepseek-r1', 'anthropic/claude-sonnet-4.5']
const HIDING = ['openai/gpt-oss-120b', 'gemini-flash-latest']

beforeAll(async () => {
  const names = [...AT_ANTHROPIC, ...AT_SILICONFLOW, ...AT_VOLCENGINE, ...AT_OPENROUTER, ...HIDING]
  const one = Object.fromEntries(names.map((name) => [name, 1]))
  world = await aWorld({ options: { ModelRatio: one, CompletionRatio: one, RetryTimes: 0 } })
  const model_mapping = JSON.stringify({ alias: 'claude-sonnet-4-5', 'thinking-alias': 'claude-sonnet-4-5-thinking' })
  await world.channel({ type: anthropic.id, models: AT_ANTHROPIC.join(), model_mapping, priority: 9 })
  // Its model has a larger maximum than the one above.
  await world.channel({ models: 'alias', model_mapping: JSON.stringify({ alias: 'gpt-5' }) })
  await world.channel({ type: siliconflow.id, models: AT_SILICONFLOW.join() })
  await world.channel({ type: volcengine.id, models: AT_VOLCENGINE.join() })
  await world.channel({ type: openrouter.id, models: AT_OPENROUTER.join() })
  await world.channel({ type: openai.id, models: HIDING.join() })
})
beforeEach(() => world.upstream.reset())

type Way = readonly [name: string, path: string, body: object]
const chat = (more: object): readonly [string, object] => [
  '/v1/chat/completions',
  { max_tokens: 16, messages, ...more },
]
const generate = (thinkingConfig: object): readonly [string, object] => [
  '/v1beta/models/MODEL:generateContent',
  { contents, generationConfig: { maxOutputTokens: 16, thinkingConfig } },
]
const BUDGET = 47_000
const ways: readonly Way[] = [
  ['nothing', ...chat({})],
  ['thinking.budget_tokens', ...chat({ thinking: { type: 'enabled', budget_tokens: BUDGET } })],
  ['thinking without a budget', ...chat({ thinking: { type: 'enabled' } })],
  ['reasoning.max_tokens', ...chat({ reasoning: { max_tokens: BUDGET } })],
  ['reasoning.enabled', ...chat({ reasoning: { enabled: true } })],
  [
    'a low effort and a budget',
    ...chat({ reasoning_effort: 'low', thinking: { type: 'enabled', budget_tokens: BUDGET } }),
  ],
  ['the largest effort', ...chat({ reasoning_effort: 'max' })],
  ['an effort of Responses', '/v1/responses', { max_output_tokens: 16, input: 'hi', reasoning: { effort: 'high' } }],
  ['a summary of Responses', '/v1/responses', { max_output_tokens: 16, input: 'hi', reasoning: { summary: 'auto' } }],
  ['thinkingBudget', ...generate({ thinkingBudget: BUDGET })],
  ['thinking_budget', ...generate({ thinking_budget: BUDGET })],
  ['thinkingLevel', ...generate({ thinkingLevel: 'HIGH' })],
  ['includeThoughts', ...generate({ includeThoughts: true })],
  ['Anthropic’s own, without thinking', '/v1/messages', { max_tokens: 16, messages }],
]

describe('what a vendor may generate is reserved (docs/reference/model-output-limits.md#thought)', () => {
  it.each(AT_ANTHROPIC.flatMap((model) => ways.map((way) => [model, ...way] as const)))(
    '%s at Anthropic, with %s',
    async (model, _, path, body) => {
      mallory = await world.user({ quota: QUOTA })
      world.upstream.answers({ body: messageAnswer({ texts: ['42'] }) })
      const { status } = await mallory.calls(path.replace('MODEL', model), { model, ...body })
      expect([200, 403]).toContain(status)
      expect(world.upstream.requests).toHaveLength(status === 200 ? 1 : 0)
      if (status === 200) expect(world.upstream.last().json.max_tokens).toBeLessThanOrEqual(QUOTA)
    },
  )

  it('is sent if the account can pay for it', async () => {
    const rich = await world.user({ quota: 100_000 })
    world.upstream.answers({ body: messageAnswer({ texts: ['42'] }) })
    const thinking = { type: 'enabled', budget_tokens: BUDGET }
    const { status } = await rich.calls(...chat({ model: 'claude-sonnet-4-5', thinking }))
    expect([status, world.upstream.last().json]).toMatchObject([200, { max_tokens: BUDGET + 16, thinking }])
  })

  it.each([...AT_SILICONFLOW, ...AT_VOLCENGINE])(
    '%s, whose limit excludes reasoning, is called once',
    async (model) => {
      mallory = await world.user({ quota: QUOTA })
      const { promise: allSent, resolve: release } = Promise.withResolvers<void>()
      world.upstream.answers(async () => {
        await allSent
        return { body: chatAnswer('42', { prompt: 9, completion: 30_000 }) }
      })
      const body = { model, max_tokens: 1, messages, ...(model.startsWith('Qwen') ? { enable_thinking: true } : {}) }
      let refused = 0
      const calls = Array.from({ length: 20 }, async () => {
        const { status } = await mallory.calls('/v1/chat/completions', body)
        if (status === 403) refused += 1
      })
      await expect.poll(() => refused).toBe(19)
      release()
      await Promise.all(calls)
      expect(world.upstream.requests).toHaveLength(1)
    },
  )

  it.each([...AT_SILICONFLOW, ...AT_OPENROUTER])(
    '%s gets its limit under a name that the vendor knows',
    async (model) => {
      const rich = await world.user({ quota: 10_000_000 })
      const { max_tokens: _, ...unlimited } = chat({})[1] as Record<string, unknown>
      await rich.calls('/v1/chat/completions', { model, ...unlimited, max_completion_tokens: 77 })
      const { max_tokens, max_completion_tokens } = world.upstream.last().json
      expect(AT_SILICONFLOW.includes(model) ? max_tokens : (max_completion_tokens ?? max_tokens)).toBe(77)
    },
  )
})

/** The output that is charged to a caller that leaves with the first text, after a minute of silence. */
async function chargedOnLeaving(path: string, body: object): Promise<number> {
  const person = await world.user({ quota: 1_000_000_000 })
  await leaveAt(world, person, path, { stream: true, ...body }, (received) => received.includes('THEANSWER'))
  return (await lastReceipt(world, person.id)).completion_tokens
}

describe('reasoning that a request hides is charged to a caller that leaves (docs/reference/billing.md#disconnected-callers)', () => {
  const words = ['THEANSWER', ' more', ' more']
  const plain: readonly (string | object)[] = chatStream(words, { prompt: 20, completion: 30_000 })
  const claude = messageStream({ thoughts: 'A summary.', texts: words }, { prompt: 20, completion: 30_000 })
  const thinking = { type: 'enabled', budget_tokens: BUDGET }
  it.each([
    ['a budget for Claude', 'claude-sonnet-4-5', { max_tokens: 1000, thinking }, claude],
    ['an effort for Claude', 'claude-opus-4-7', { max_tokens: 1000, reasoning_effort: 'high' }, claude],
    ['an effort in Claude’s name', 'claude-opus-4-7-high', { max_tokens: 1000 }, claude],
    ['reasoning.exclude', 'deepseek/deepseek-r1', { reasoning: { effort: 'high', exclude: true } }, plain],
    ['a budget, excluded', 'anthropic/claude-sonnet-4.5', { reasoning: { max_tokens: BUDGET, exclude: true } }, plain],
    ['include_reasoning', 'openai/gpt-oss-120b', { include_reasoning: false }, plain],
    ['reasoning_format', 'openai/gpt-oss-120b', { reasoning_format: 'hidden' }, plain],
    ['a model that never shows it', 'gemini-flash-latest', {}, plain],
  ] as const)('%s', async (_, model, more, events) => {
    world.upstream.answers(async () => {
      world.clock.advance(60_000)
      return { events, gapMs: 300 }
    })
    expect(await chargedOnLeaving('/v1/chat/completions', { model, messages, ...more })).toBeGreaterThan(1000)
  })

  it('a level in Gemini’s dialect, for Claude', async () => {
    world.upstream.answers(async () => {
      world.clock.advance(60_000)
      return { events: claude, gapMs: 300 }
    })
    const generationConfig = { thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: false } }
    const path = '/v1beta/models/claude-opus-4-7:streamGenerateContent?alt=sse'
    expect(await chargedOnLeaving(path, { contents, generationConfig })).toBeGreaterThan(1000)
    expect(world.upstream.last().json.thinking).toMatchObject({ type: 'adaptive', display: 'omitted' })
  })
})
