import { describe, expect, it } from 'vitest'
import { traitsOf } from '../../../../../gateway/relay/capabilities/claude-models.ts'
import { anthropic } from '../../../../../gateway/relay/formats/anthropic/codec.ts'
import { fittedBudget, sharedBudget } from '../../../../../gateway/relay/formats/anthropic/thinking.ts'
import type { Conversation, Reasoning } from '../../../../../gateway/relay/formats/conversation.ts'
import { asked, said, targetOf } from './conversation.ts'

function written(model: string, reasoning: Reasoning, changes: Partial<Conversation> = {}) {
  const { target, dropped } = targetOf(model)
  const { thinking, output_config, max_tokens, ...rest } = anthropic.encodeRequest(
    asked({ reasoning, ...changes }),
    target,
  )
  return { thinking, output_config, max_tokens, rest, dropped: [...dropped] }
}

describe('the thinking parameters of a request', () => {
  it.each([
    ['low', 1280],
    ['medium', 2048],
    ['high', 4096],
    ['minimal', 1024],
  ] as const)(
    'gives an older model a budget for the effort %s (docs/reference/conversion.md#thinking)',
    (effort, budget) => {
      const { thinking, output_config, max_tokens } = written('claude-sonnet-4-5', { effort })
      expect(thinking).toEqual({ type: 'enabled', budget_tokens: budget })
      expect(output_config).toBeUndefined()
      expect(max_tokens).toBe(8192)
    },
  )

  it('raises max_tokens above the budget, which is at least 1024', () => {
    expect(written('claude-sonnet-4-5', { effort: 'high' }, { maxOutput: 1000 }).max_tokens).toBe(5096)
    expect(written('claude-sonnet-4-5', { budget: 100 }, { maxOutput: 1024 })).toMatchObject({
      thinking: { budget_tokens: 1024 },
      max_tokens: 2048,
    })
    expect(fittedBudget(2048, 2049)).toEqual({ budget: 2048, maxTokens: 2049 })
  })

  it('leaves the budget of an Anthropic client unchanged, beyond max_tokens too', () => {
    const native = { extras: { from: 'anthropic', fields: {} }, maxOutput: 4000 } as const
    const { thinking, max_tokens } = written('claude-sonnet-4-5', { mode: 'on', budget: 9000 }, native)
    expect([thinking, max_tokens]).toEqual([{ type: 'enabled', budget_tokens: 9000 }, 4000])
  })

  it('lets newer models adapt', () => {
    const adaptive = written('claude-opus-4-6', { effort: 'high' })
    expect(adaptive.thinking).toEqual({ type: 'adaptive' })
    expect(adaptive.output_config).toEqual({ effort: 'high' })
    const newest = written('claude-opus-4-7', { effort: 'xhigh' })
    expect(newest.thinking).toEqual({ type: 'adaptive', display: 'summarized' })
    expect(newest.output_config).toEqual({ effort: 'xhigh' })
  })

  it('converts efforts and budgets into the model’s parameters', () => {
    expect(written('claude-opus-4-6', { effort: 'xhigh' }).output_config).toEqual({ effort: 'high' })
    expect(written('claude-opus-4-7', { effort: 'minimal' }).output_config).toEqual({ effort: 'low' })
    expect(written('claude-opus-4-6', { budget: 3000 }).thinking).toEqual({ type: 'enabled', budget_tokens: 3000 })
    expect(written('claude-opus-4-7', { mode: 'on', budget: 3000 }).output_config).toEqual({ effort: 'low' })
    expect(written('claude-opus-4-7', { budget: 15_999 }).output_config).toEqual({ effort: 'medium' })
    expect(written('claude-opus-4-7', { budget: 16_384 }).output_config).toEqual({ effort: 'high' })
    expect(written('claude-sonnet-4-5', { mode: 'adaptive' }).thinking).toMatchObject({ type: 'enabled' })
    expect(written('claude-opus-4-7', { budget: -1 }).thinking).toMatchObject({ type: 'adaptive' })
  })

  it('switches thinking off where it is on by default, and sends nothing elsewhere', () => {
    for (const off of [{ mode: 'off' }, { effort: 'none' }, { budget: 0 }] as const) {
      expect(written('claude-opus-4-6', off).thinking).toEqual({ type: 'disabled' })
      expect(written('claude-3-5-haiku-latest', off)).toMatchObject({ thinking: undefined, dropped: [] })
    }
  })

  it('shows or hides thoughts as requested', () => {
    expect(written('claude-opus-4-7', { effort: 'low', show: false }).thinking).toEqual({
      type: 'adaptive',
      display: 'omitted',
    })
    expect(written('claude-sonnet-4-5', { summary: 'auto' }).thinking).toEqual({ type: 'enabled', budget_tokens: 2048 })
  })

  it('reports thinking that a model does not know', () => {
    const { thinking, dropped } = written('claude-3-5-sonnet-20241022', { effort: 'high' })
    expect([thinking, dropped]).toEqual([undefined, ['reasoning']])
  })

  it('forces the temperature 1 and takes the rest of the sampling away', () => {
    const { rest, dropped } = written('claude-sonnet-4-5', { effort: 'low' }, { temperature: 0.2, topP: 0.9, topK: 3 })
    expect(rest).toMatchObject({ temperature: 1 })
    expect(rest).not.toHaveProperty('top_p')
    expect(rest).not.toHaveProperty('top_k')
    expect(dropped).toEqual(['temperature', 'topP', 'topK'])
  })

  it('does not think where a tool is forced', () => {
    const tools = [{ type: 'function', name: 'f' }] as const
    const { thinking, dropped } = written(
      'claude-sonnet-4-5',
      { effort: 'low' },
      {
        tools,
        toolChoice: { mode: 'required' },
      },
    )
    expect([thinking, dropped]).toEqual([undefined, ['reasoning']])
  })

  it('does not begin to think with a budget amid calls whose thoughts are lost', () => {
    const turns = (signature?: { by: 'anthropic'; value: string }) => [
      said('user', 'Q'),
      said('assistant', [
        { type: 'reasoning', text: 'hm', ...(signature ? { signature } : {}) },
        { type: 'tool-call', id: 'a', name: 'f', arguments: '{}' },
      ]),
      said('user', [{ type: 'tool-result', callId: 'a', content: [{ type: 'text', text: '1' }] }]),
    ]
    const lost = written('claude-sonnet-4-5', { effort: 'low' }, { turns: turns() })
    expect([lost.thinking, lost.dropped]).toEqual([undefined, ['reasoning']])
    const kept = written('claude-sonnet-4-5', { effort: 'low' }, { turns: turns({ by: 'anthropic', value: 's' }) })
    expect(kept.thinking).toMatchObject({ type: 'enabled' })
    expect(written('claude-opus-4-7', { effort: 'low' }, { turns: turns() }).thinking).toMatchObject({
      type: 'adaptive',
    })
  })
})

describe('the budget of the suffix -thinking', () => {
  it('is a share of max_tokens, at least 1024 and below max_tokens, which is at least 1280', () => {
    expect(sharedBudget(10_000, 0.8)).toEqual({ maxTokens: 10_000, budget: 8000 })
    expect(sharedBudget(100, 0.1)).toEqual({ maxTokens: 1280, budget: 1024 })
    expect(sharedBudget(4000, 1)).toEqual({ maxTokens: 4000, budget: 3999 })
  })
})

describe('the capabilities of a model by its name', () => {
  it.each([
    ['claude-2.1', { thinks: 'never' }],
    ['claude-3-5-sonnet-20241022', { thinks: 'never', bothSamplings: true }],
    ['anthropic.claude-3-7-sonnet-20250219-v1:0', { thinks: 'on-request', adaptive: false }],
    ['claude-sonnet-4-20250514', { adaptive: false, bothSamplings: true, structured: false }],
    ['claude-opus-4-1-20250805', { adaptive: false, bothSamplings: false }],
    ['claude-haiku-4-5@20251001', { adaptive: false, structured: true }],
    ['anthropic/claude-opus-4.6', { adaptive: true, budgets: true, sampling: true }],
    ['claude-sonnet-4-6', { adaptive: true, budgets: true }],
    ['us.anthropic.claude-opus-4-7-v1', { adaptive: true, budgets: false, sampling: false }],
    ['claude-sonnet-5', { adaptive: true, budgets: false }],
    ['claude-haiku-5-5', { adaptive: true }],
    ['claude-mythos-preview', { adaptive: true, budgets: false }],
    ['deepseek-reasoner', { thinks: 'always', adaptive: false, sampling: true }],
  ])('%s', (model, traits) => expect(traitsOf(model)).toMatchObject(traits))
})
