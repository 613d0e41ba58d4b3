import { beforeAll, describe, expect, it } from 'vitest'
import type { CatalogueComparison, CatalogueRow } from '../../../../shared/api/catalogue.ts'
import { dataOf } from '../../../support/client.ts'
import { aGate } from '../../../support/gates.ts'
import { aWorld, type World } from '../../../support/world.ts'

let world: World
const compare = async (file: unknown): Promise<CatalogueComparison> =>
  dataOf(await world.admin.post('/api/pricing/catalogue/compare', { source: 'file', file }))
const refusal = async (body: unknown): Promise<string> =>
  (await world.admin.post('/api/pricing/catalogue/compare', body)).message
const rowIn = ({ rows }: CatalogueComparison, model: string): CatalogueRow | undefined =>
  rows.find((row) => row.model === model)
const reasonsIn = ({ unreadable }: CatalogueComparison) =>
  Object.fromEntries(unreadable.map(({ model, reason }) => [model, reason]))

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1.25, here: 1 }, ModelPrice: {}, CacheRatio: {} } })
  await world.channel({ models: 'gpt-4o,claude-sonnet-4,several' })
})

describe('catalogues are read into one form (docs/reference/billing.md#price-catalogues)', () => {
  it('from /api/pricing of a gateway: prices per request, ratios, and models without a price', async () => {
    const compared = await compare({
      success: true,
      data: [
        { model_name: 'gpt-4o', quota_type: 0, model_ratio: 2.5, completion_ratio: 4, cache_ratio: 0.5 },
        { model_name: 'picture', quota_type: 1, model_price: 0.04, model_ratio: 0, completion_ratio: 0 },
        { model_name: 'nobodys', quota_type: 0, model_ratio: 37.5, completion_ratio: 1 },
        { model_name: 'steps', quota_type: 0, model_ratio: 1, billing_mode: 'tiered_expr', billing_expr: 'p * 2' },
        { model_name: '__proto__', quota_type: 0, model_ratio: 1, completion_ratio: 1 },
        { model_name: 'below', quota_type: 0, model_ratio: -1, completion_ratio: 1 },
        { model_name: 'gpt-4-gizmo-mine', quota_type: 0, model_ratio: 1, completion_ratio: 1 },
      ],
      group_ratio: { default: 1 },
    })
    expect(compared).toMatchObject({ format: 'pricing', total: 2, same: [], only_here: ['here'] })
    expect(rowIn(compared, 'gpt-4o')).toMatchObject({
      state: 'changed',
      before: { rates: { model: 1.25, completion: 4, cache: 1 }, dollars: { input: 2.5, output: 10, cache_read: 2.5 } },
      after: { rates: { model: 2.5, completion: 4, cache: 0.5 }, dollars: { input: 5, output: 20, cache_read: 2.5 } },
      percent: 100,
    })
    expect(rowIn(compared, 'picture')).toMatchObject({ state: 'new', before: null, after: { rates: { fixed: 0.04 } } })
    expect(reasonsIn(compared)).toEqual({
      nobodys: 'unset',
      steps: 'expression',
      ['__proto__']: 'name',
      below: 'number',
      'gpt-4-gizmo-mine': 'folded',
    })
  })

  it('from /api/ratio_config of a gateway, with and without its envelope', async () => {
    const data = {
      model_ratio: { 'gpt-4o': 1.25, both: 3 },
      completion_ratio: { 'gpt-4o': 4.0000001 },
      cache_ratio: { 'gpt-4o': 0.5 },
      model_price: { both: 0.1 },
    }
    for (const file of [{ success: true, data }, data]) {
      const compared = await compare(file)
      expect(compared.format).toBe('ratio_config')
      expect(rowIn(compared, 'gpt-4o')).toMatchObject({ after: { rates: { model: 1.25, completion: 4, cache: 0.5 } } })
      expect(rowIn(compared, 'both')?.after).toEqual({ rates: { fixed: 0.1 }, dollars: {} })
    }
  })

  it('from the model prices of LiteLLM: dollars a token become exact ratios', async () => {
    const provider = { litellm_provider: 'openai', mode: 'chat' }
    const compared = await compare({
      sample_spec: { input_cost_per_token: 0, litellm_provider: 'one of …' },
      'gpt-4o': {
        ...provider,
        input_cost_per_token: 2.5e-6,
        output_cost_per_token: 1e-5,
        cache_read_input_token_cost: 1.25e-6,
        cache_creation_input_token_cost: 3.125e-6,
      },
      sound: {
        ...provider,
        input_cost_per_token: '0.0000025',
        output_cost_per_token: 1e-5,
        input_cost_per_audio_token: 4e-5,
        output_cost_per_audio_token: 8e-5,
        input_cost_per_token_above_200k_tokens: 5e-6,
      },
      vectors: { ...provider, input_cost_per_token: 2e-8, output_cost_per_token: 0 },
      picture: { ...provider, output_cost_per_image: 0.04 },
      film: { ...provider, output_cost_per_second: 0.3 },
      nothing: provider,
      wrong: { ...provider, input_cost_per_token: 'cheap' },
      odd: { ...provider, output_cost_per_token: 1e-6 },
      'anthropic/claude-sonnet-4': { ...provider, input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5 },
      'one/several': { ...provider, input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 },
      'two/several': { ...provider, input_cost_per_token: 2e-6, output_cost_per_token: 2e-6 },
    })
    expect(compared.format).toBe('litellm')
    const rates = (model: string) => rowIn(compared, model)?.after.rates
    expect(rates('gpt-4o')).toEqual({ model: 1.25, completion: 4, cache: 0.5, create_cache: 1.25 })
    expect(rates('sound')).toEqual({ model: 1.25, completion: 4, audio: 16, audio_completion: 2 })
    expect(rowIn(compared, 'sound')?.is_partial).toBe(true)
    expect(rates('vectors')).toEqual({ model: 0.01, completion: 1 })
    expect(rates('picture')).toEqual({ fixed: 0.04 })
    expect(rowIn(compared, 'claude-sonnet-4')).toMatchObject({
      source_name: 'anthropic/claude-sonnet-4',
      is_offered: true,
      is_suggested: true,
      after: { rates: { model: 1.5, completion: 5 } },
    })
    expect(reasonsIn(compared)).toEqual({
      film: 'unit',
      nothing: 'no_price',
      wrong: 'number',
      odd: 'output_only',
      several: 'several',
    })
  })

  it.each([
    ['that are in force', {}, false],
    ['with other factors', { output_cost_per_token_above_200k_tokens: 2e-5 }, true],
    ['from other lengths on', { input_cost_per_token_above_272k_tokens: 6e-6 }, true],
    ['in which the cache costs another multiple', { cache_read_input_token_cost_above_200k_tokens: 1e-6 }, true],
    ['of what has no price otherwise', { output_cost_per_image_token_above_200k_tokens: 1 }, true],
  ])('with the steps of LiteLLM, as partial unless they are in force: %s', async (_, more, isPartial) => {
    await world.option('PriceSteps', { 'gpt-4o': [{ above: 200_000, input: 2, output: 1.5 }] })
    const row = {
      litellm_provider: 'x',
      input_cost_per_token: 2e-6,
      output_cost_per_token: 1e-5,
      cache_read_input_token_cost: 2e-7,
      input_cost_per_token_above_200k_tokens: 4e-6,
      output_cost_per_token_above_200k_tokens: 1.5e-5,
      cache_read_input_token_cost_above_200k_tokens: 4e-7,
    }
    const compared = await compare({ 'gpt-4o': { ...row, ...more }, other: row })
    expect(rowIn(compared, 'gpt-4o')?.is_partial).toBe(isPartial)
    expect(rowIn(compared, 'other')?.is_partial).toBe(true)
    await world.option('PriceSteps', {})
  })

  it('with the steps of a gateway like this one, as partial unless they are in force', async () => {
    const price_steps = [{ above: 1000, input: 2, output: 1.5 }]
    const data = [{ model_name: 'gpt-4o', quota_type: 0, model_ratio: 2, completion_ratio: 4, price_steps }]
    const isPartial = async () => rowIn(await compare({ data }), 'gpt-4o')?.is_partial
    expect(await isPartial()).toBe(true)
    await world.option('PriceSteps', { 'gpt-4o': price_steps })
    expect(await isPartial()).toBe(false)
    await world.option('PriceSteps', {})
  })

  it.each([
    [
      'more steps than a model may have',
      'price_steps',
      Array.from({ length: 9 }, (_, n) => ({ above: n + 1, input: 2, output: 2 })),
    ],
    [
      'steps by the ten thousand',
      'price_steps',
      Array.from({ length: 50_000 }, (_, n) => ({ above: n + 1, input: 2, output: 2 })),
    ],
  ])('without %s, as partial', async (_, member, steps) => {
    const row = { model_name: 'gpt-4o', quota_type: 0, model_ratio: 2, completion_ratio: 4, [member]: steps }
    expect(rowIn(await compare({ data: [row] }), 'gpt-4o')).toMatchObject({ is_partial: true })
  })

  it('from the model list of OpenRouter: text in dollars a token, "it depends" is not taken', async () => {
    const compared = await compare({
      data: [
        {
          id: 'openai/gpt-4o',
          pricing: { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000125', image: '0.003613' },
        },
        { id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } },
        { id: 'free/model', pricing: { prompt: '0', completion: '0' } },
        { id: 'a/request', pricing: { prompt: '0', completion: '0', request: '0.01' } },
        { id: 'bad/number', pricing: { prompt: 'NaN', completion: '0' } },
        { id: 'bad/huge', pricing: { prompt: '1e300', completion: '0' } },
        { id: 'no/prices', pricing: {} },
      ],
    })
    expect(compared.format).toBe('openrouter')
    expect(rowIn(compared, 'gpt-4o')).toMatchObject({
      source_name: 'openai/gpt-4o',
      after: { rates: { model: 1.25, completion: 4, cache: 0.5 } },
    })
    expect(rowIn(compared, 'free/model')).toMatchObject({ is_suggested: false, after: { rates: { model: 0 } } })
    expect(rowIn(compared, 'a/request')?.after.rates).toEqual({ fixed: 0.01 })
    expect(reasonsIn(compared)).toEqual({
      'openrouter/auto': 'dynamic',
      'bad/number': 'number',
      'bad/huge': 'number',
      'no/prices': 'no_price',
    })
  })

  it('reports a file that is not a catalogue, and changes nothing', async () => {
    for (const file of [{}, [], 'text', 7, { data: [] }, { data: [{ id: 'x' }] }, { success: false, message: 'no' }])
      expect(await refusal({ source: 'file', file })).toMatch(/not a price catalogue/)
    const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`m${at}`, 1]))
    expect(await refusal({ source: 'file', file: { model_ratio: many } })).toMatch(/more than 20000 models/)
    expect(await refusal({ source: 'nowhere' })).toMatch(/source/)
  })
})

describe('a catalogue at an address', () => {
  const at = (path: string) => ({ source: 'url', url: world.upstream.url + path })

  it('is fetched without credentials, and reports errors of the response', async () => {
    const { upstream } = world
    upstream.answers({ body: { model_ratio: { 'gpt-4o': 9 } } })
    const compared: CatalogueComparison = dataOf(
      await world.admin.post('/api/pricing/catalogue/compare', at('/api/ratio_config')),
    )
    expect(rowIn(compared, 'gpt-4o')?.after.rates.model).toBe(9)
    const { headers, method, path } = upstream.last()
    expect([method, path]).toEqual(['GET', '/api/ratio_config'])
    expect(Object.keys(headers).filter((name) => /auth|cookie|key|user/.test(name))).toEqual([])
    upstream.answers({ body: '\ufeff{"model_ratio":{"gpt-4o":9}}' })
    expect((await world.admin.post('/api/pricing/catalogue/compare', at('/with-a-mark'))).success).toBe(true)
    for (const [script, message] of [
      [{ status: 403, body: 'no' }, /status 403/],
      [{ status: 302, headers: { location: '/elsewhere' }, body: '' }, /status 302/],
      [{ body: '<html>' }, /not valid JSON/],
      [{ body: '['.repeat(2_000_000) }, /longer or more deeply nested/],
    ] as const) {
      upstream.answers(script)
      expect(await refusal(at('/x'))).toMatch(message)
    }
  })

  it('may be another gateway of this kind: its prices are the same here, for any number of quota units per dollar there', async () => {
    const other = await aWorld()
    const models = 'gpt-4o,gpt-4o-audio-preview,gemini-2.5-flash,claude-sonnet-4-20250514,gpt-image-1,dall-e-3,nobodys'
    await other.channel({ models })
    const here = await aWorld()
    const found = async (): Promise<CatalogueComparison> =>
      dataOf(
        await here.admin.post('/api/pricing/catalogue/compare', { source: 'url', url: `${other.url}/api/pricing` }),
      )
    expect(await found()).toMatchObject({ format: 'pricing', total: 6, rows: [] })
    expect(reasonsIn(await found())).toEqual({ nobodys: 'unset' })
    await other.option('QuotaPerUnit', 1_000_000)
    await other.option('ModelRatio', { 'gpt-4o': 2.5 })
    expect((await found()).same).toContain('gpt-4o')
  })

  it('is fetched together with two others at most', async () => {
    const { upstream } = world
    const gate = aGate()
    gate.close()
    let [asked, max] = [0, 0]
    upstream.answers(async () => {
      asked += 1
      max = Math.max(max, asked)
      if (asked === 3) gate.open()
      await gate.pass()
      asked -= 1
      return { body: { model_ratio: { 'gpt-4o': 9 } } }
    })
    const all = Array.from({ length: 8 }, () => world.admin.post('/api/pricing/catalogue/compare', at('/x')))
    expect((await Promise.all(all)).every(({ success }) => success)).toBe(true)
    expect(max).toBe(3)
  })

  it('is never a metadata service, another scheme, or one with a password in it', async () => {
    for (const url of ['ftp://prices.example/x', 'prices', 'http://me:secret@prices.example/', 'javascript:1'])
      expect(await refusal({ source: 'url', url })).toMatch(/complete http or https address/)
    expect(await refusal({ source: 'url', url: 'http://169.254.169.254/latest' })).toMatch(/address/)
  })
})

describe('a file', () => {
  it('may be longer than other bodies, up to 24 MiB', async () => {
    const pad = 'x'.repeat(3 * 1024 * 1024)
    expect(await compare({ pad, model_ratio: { 'gpt-4o': 3 } })).toMatchObject({ format: 'ratio_config' })
    const far = 'x'.repeat(25 * 1024 * 1024)
    expect(await refusal({ source: 'file', file: { far, model_ratio: {} } })).toMatch(/24 MiB/)
    const deep = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)
    expect(await refusal({ source: 'file', file: { deep, model_ratio: {} } })).toMatch(/24 MiB/)
  })

  it('is only for operators', async () => {
    const alice = await world.user()
    for (const path of ['compare', 'apply', 'schedule', 'undo'])
      expect((await alice.post(`/api/pricing/catalogue/${path}`, {})).success).toBe(false)
    expect((await alice.get('/api/pricing/catalogue')).success).toBe(false)
    expect((await alice.get('/api/pricing/scheduled')).success).toBe(false)
  })
})
