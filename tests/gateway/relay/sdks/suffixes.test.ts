import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { type DialectName, dialects } from '../parity/dialects.ts'
import { FIGURES, SAID } from '../parity/endings.ts'
import { answered } from '../parity/vendors.ts'

let world: World
let alice: Person

const types = { openai: 1, anthropic: 14, gemini: 24 } as const
const models = {
  openai: ['o3-mini-high', 'o3-mini', 'gpt-5-low', 'gpt-5'],
  anthropic: ['claude-sonnet-4-5-thinking', 'claude-opus-4-6-low', 'claude-opus-4-7-max', 'claude-3-5-haiku-thinking'],
  gemini: [
    'gemini-2.5-flash-thinking-99999',
    'gemini-2.5-flash-thinking-2000',
    'gemini-2.5-flash-thinking',
    'gemini-2.5-flash-nothinking',
    'gemini-2.5-pro-nothinking',
    'gemini-3-pro-preview-high',
  ],
} as const

beforeAll(async () => {
  const ratios = Object.fromEntries(Object.values(models).flatMap((names) => names.map((name) => [name, 1])))
  world = await aWorld({
    options: { ModelRatio: { ...ratios, 'gemini-2.5-flash-thinking-*': 1 }, 'gemini.thinking_adapter_enabled': true },
  })
  for (const family of ['openai', 'anthropic', 'gemini'] as const)
    await world.channel({ models: models[family].join(','), type: types[family] })
  alice = await world.user({ quota: 1_000_000_000 })
})

/** The upstream request for a request in a dialect; for Gemini, `path` contains the model. */
async function sent(dialect: DialectName, model: string, more: object = {}) {
  world.upstream.reset()
  world.upstream.answers((request) => answered(request, SAID, FIGURES))
  const { path, body } = dialects[dialect]
  const { status, text } = await alice.calls(path(model, false), { ...body(model, false), ...more })
  expect(status, text).toBe(200)
  const { json, path: asked } = world.upstream.last()
  return { ...json, path: asked }
}

const max = (dialect: DialectName, tokens: number): object => {
  if (dialect === 'responses') return { max_output_tokens: tokens }
  return dialect === 'gemini' ? { generationConfig: { maxOutputTokens: tokens } } : { max_tokens: tokens }
}
const all: readonly DialectName[] = ['openai', 'responses', 'anthropic', 'gemini']

describe.each(all)(
  'suffixes of Claude models, used by a client of %s (docs/reference/conversion.md#model-suffixes)',
  (dialect) => {
    it('-thinking: the share of max_tokens that the options name', async () => {
      const body = await sent(dialect, 'claude-sonnet-4-5-thinking', max(dialect, 10_000))
      expect(body).toMatchObject({
        model: 'claude-sonnet-4-5',
        max_tokens: 10_000,
        thinking: { type: 'enabled', budget_tokens: 8000 },
      })
      expect(body).not.toHaveProperty('top_p')
    })

    it('-thinking: at least 1024 of 1280', async () => {
      expect(await sent(dialect, 'claude-sonnet-4-5-thinking', max(dialect, 200))).toMatchObject({
        max_tokens: 1280,
        thinking: { type: 'enabled', budget_tokens: 1024 },
      })
    })

    it('an effort after Opus 4.6 and later: adaptive thinking, without sampling where it is not supported', async () => {
      expect(await sent(dialect, 'claude-opus-4-6-low')).toMatchObject({
        model: 'claude-opus-4-6',
        thinking: { type: 'adaptive' },
        output_config: { effort: 'low' },
      })
      const body = await sent(dialect, 'claude-opus-4-7-max')
      expect(body).toMatchObject({ model: 'claude-opus-4-7', output_config: { effort: 'max' } })
      expect(body.thinking).toEqual({ type: 'adaptive', display: 'summarized' })
    })
  },
)

describe('suffixes of Claude models against the client’s own parameters', () => {
  it('prefers the thinking a native client sets itself', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1500 }
    const body = await sent('anthropic', 'claude-sonnet-4-5-thinking', { thinking, max_tokens: 4000 })
    expect(body).toMatchObject({ model: 'claude-sonnet-4-5', thinking, max_tokens: 4000 })
  })

  it('forces the temperature to 1', async () => {
    for (const dialect of ['openai', 'anthropic'] as const)
      expect(await sent(dialect, 'claude-sonnet-4-5-thinking', { temperature: 0.2, max_tokens: 4000 })).toMatchObject({
        temperature: 1,
      })
  })

  it('does not enable thinking for a model that does not support it', async () => {
    for (const dialect of all)
      expect(await sent(dialect, 'claude-3-5-haiku-thinking'), dialect).not.toHaveProperty('thinking')
  })
})

describe.each(all)(
  'suffixes of Gemini models, used by a client of %s (docs/reference/conversion.md#model-suffixes)',
  (dialect) => {
    const config = async (model: string, more: object = {}) => {
      const { path, generationConfig } = await sent(dialect, model, more)
      return [path.split('/').at(-1)?.split(':')[0], generationConfig?.thinkingConfig]
    }

    it('-thinking-<n>: that budget, within the bounds of the model', async () => {
      expect(await config('gemini-2.5-flash-thinking-2000')).toEqual([
        'gemini-2.5-flash',
        { includeThoughts: true, thinkingBudget: 2000 },
      ])
      expect(await config('gemini-2.5-flash-thinking-99999')).toEqual([
        'gemini-2.5-flash',
        { includeThoughts: true, thinkingBudget: 24_576 },
      ])
    })

    it('-thinking: a share of the most output', async () => {
      expect(await config('gemini-2.5-flash-thinking', max(dialect, 10_000))).toEqual([
        'gemini-2.5-flash',
        { includeThoughts: true, thinkingBudget: 6000 },
      ])
    })

    it('-nothinking: none, where the model supports that', async () => {
      expect(await config('gemini-2.5-flash-nothinking')).toEqual(['gemini-2.5-flash', { thinkingBudget: 0 }])
      expect(await config('gemini-2.5-pro-nothinking')).toEqual(['gemini-2.5-pro', undefined])
    })

    it('an effort after a third-generation name: its level', async () => {
      const [model, thinking] = await config('gemini-3-pro-preview-high')
      expect([model, String(Object(thinking).thinkingLevel).toLowerCase()]).toEqual(['gemini-3-pro-preview', 'high'])
    })
  },
)

describe.each(all)(
  'suffixes of OpenAI models, used by a client of %s (docs/reference/conversion.md#model-suffixes)',
  (dialect) => {
    const effortIn = ({ reasoning_effort, reasoning }: Record<string, { effort?: string } | string>) =>
      reasoning_effort ?? Object(reasoning).effort

    it.each([
      ['o3-mini-high', 'o3-mini', 'high'],
      ['gpt-5-low', 'gpt-5', 'low'],
    ])('%s: %s with the effort %s, without max_tokens and sampling', async (name, model, effort) => {
      const sampling = dialect === 'gemini' ? {} : { temperature: 0.3 }
      const body = await sent(dialect, name, { ...max(dialect, 5000), ...sampling })
      expect([body.model, effortIn(body)]).toEqual([model, effort])
      expect(body.max_completion_tokens ?? body.max_output_tokens).toBe(5000)
      expect(body).not.toHaveProperty('max_tokens')
      expect(body).not.toHaveProperty('temperature')
      if (dialect !== 'responses') expect(body.messages[0].role).toBe('developer')
    })

    it('leaves a name without an effort unchanged', async () => {
      expect(effortIn(await sent(dialect, 'gpt-5'))).toBeUndefined()
    })
  },
)
