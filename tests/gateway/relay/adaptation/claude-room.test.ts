import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claudeMaxOutput } from '../../../../shared/claude-max-output.ts'
import { options } from '../../../../shared/options/index.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'
import { type DialectName, dialects } from '../parity/dialects.ts'
import { FIGURES, SAID } from '../parity/endings.ts'
import { answered } from '../parity/vendors.ts'

const maxima = {
  'claude-fable-5': 128_000,
  'claude-opus-5-20260724': 128_000,
  'claude-sonnet-4-6': 128_000,
  'anthropic.claude-opus-4-6-v1': 128_000,
  'claude-opus-4-5@20251101': 64_000,
  'anthropic/claude-sonnet-4.5': 64_000,
  'claude-haiku-4-5-20251001': 64_000,
  'claude-opus-4-1-20250805': 32_000,
  'claude-3-7-sonnet-20250219': 64_000,
  'claude-3-5-haiku-20241022': 8192,
  'claude-3-haiku-20240307': 4096,
  'claude-next': 8192,
  'a-model-of-my-own': 8192,
} as const
const others: readonly DialectName[] = ['openai', 'responses', 'gemini']

let world: World
let alice: Person

beforeAll(async () => {
  const ratios = Object.fromEntries(
    [...Object.keys(maxima), 'mine', 'claude-sonnet-4-5-thinking'].map((name) => [name, 1]),
  )
  world = await aWorld({ options: { ModelRatio: ratios, RetryTimes: 0 } })
  await world.channel({ models: `${Object.keys(maxima).join(',')},claude-sonnet-4-5-thinking`, type: 14 })
  await world.channel({ models: 'mine', type: 14, model_mapping: '{"mine":"claude-opus-4-6"}' })
  alice = await world.user({ quota: 1_000_000_000 })
})

beforeEach(async () => {
  world.upstream.reset()
  await world.option('claude.default_max_tokens', options['claude.default_max_tokens'].default)
})

async function sent(dialect: DialectName, model: string, more: object = {}, person = alice) {
  world.upstream.reset()
  world.upstream.answers((request) => answered(request, SAID, FIGURES))
  const { path, body } = dialects[dialect]
  const { max_tokens: _, ...asked } = { ...body(model, false), ...more } as Record<string, unknown>
  const { status, text } = await person.calls(path(model, false), asked)
  expect(status, text).toBe(200)
  return world.upstream.last().json
}

describe('default max_tokens when the client sets none (docs/reference/conversion.md#openai-to-anthropic)', () => {
  it.each(Object.entries(maxima))('of %s: %i', async (model, tokens) => {
    expect((await sent('openai', model)).max_tokens).toBe(tokens)
  })

  it.each(others)('is the same for a client of %s', async (dialect) => {
    expect((await sent(dialect, 'claude-sonnet-4-6')).max_tokens).toBe(128_000)
  })

  it('is that of the upstream model', async () => {
    expect((await sent('openai', 'mine')).max_tokens).toBe(128_000)
  })

  it('has the thought within it', async () => {
    expect(await sent('openai', 'claude-haiku-4-5-20251001', { reasoning_effort: 'high' })).toMatchObject({
      max_tokens: 64_000,
      thinking: { type: 'enabled', budget_tokens: 4096 },
    })
    expect(await sent('openai', 'claude-sonnet-4-5-thinking')).toMatchObject({
      max_tokens: 64_000,
      thinking: { type: 'enabled', budget_tokens: 51_200 },
    })
  })

  it('leaves a quarter to the answer where a budget would take all of it', async () => {
    const thinkingConfig = { thinkingBudget: 65_536 }
    expect(await sent('gemini', 'claude-haiku-4-5-20251001', { generationConfig: { thinkingConfig } })).toMatchObject({
      max_tokens: 64_000,
      thinking: { type: 'enabled', budget_tokens: 48_000 },
    })
  })

  it('is the operator’s value: for the name, for the longest pattern, for all', async () => {
    await world.option('claude.default_max_tokens', {
      'claude-next': 111,
      'claude-*': 222,
      'claude-opus-4-6*': 333,
      default: 444,
    })
    const said = []
    for (const model of [
      'claude-next',
      'claude-haiku-4-5-20251001',
      'anthropic.claude-opus-4-6-v1',
      'a-model-of-my-own',
    ])
      said.push((await sent('openai', model)).max_tokens)
    expect(said).toEqual([111, 222, 333, 444])
  })

  it('is the operator’s value in a setting from before there were patterns', async () => {
    await world.option('claude.default_max_tokens', { default: 8192 })
    expect((await sent('openai', 'claude-sonnet-4-6')).max_tokens).toBe(8192)
  })

  it('is replaced by the caller’s value', async () => {
    expect((await sent('openai', 'claude-sonnet-4-6', { max_completion_tokens: 300 })).max_tokens).toBe(300)
  })

  it('is limited by the remaining quota, which is in the receipt', async () => {
    const poor = await world.user({ quota: 20_000 })
    const { max_tokens: limit } = await sent('openai', 'claude-sonnet-4-6', {}, poor)
    expect(limit).toBeLessThan(20_000)
    expect(await lastReceipt(world, poor.id)).toMatchObject({ other: { output_limit: limit } })
    expect(await poor.quota()).toBeGreaterThanOrEqual(0)
  })

  it('is shipped with the values of the common table', () => {
    expect(options['claude.default_max_tokens'].default).toEqual({ ...claudeMaxOutput, default: 8192 })
  })
})
