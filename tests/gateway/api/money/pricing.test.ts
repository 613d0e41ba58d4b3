import { describe, expect, it } from 'vitest'
import type { EstimateRequest, ListedPrice, PriceFacts } from '../../../../shared/api/pricing.ts'
import { receiptOf } from '../../../../shared/receipt.ts'
import type { Client } from '../../../support/client.ts'
import { aWorld, type Options, type World } from '../../../support/world.ts'

const options: Options = {
  ModelRatio: { 'gpt-4o': 1.25, 'claude-x': 1.5, 'gpt-4o-audio-preview': 1.25, 'gemini-2.0-flash': 0.05, hidden: 1 },
  ModelPrice: { 'dall-e-3': 0.04 },
  CompletionRatio: { 'claude-x': 5 },
  CacheRatio: { 'gpt-4o': 0.5 },
  CreateCacheRatio: { 'claude-x': 1.1 },
  ImageRatio: { 'gpt-4o': 3 },
  PriceSteps: { 'gpt-4o': [{ above: 1000, input: 2, output: 1.5 }], 'dall-e-3': [{ above: 1, input: 2, output: 2 }] },
  AudioRatio: {},
  AudioCompletionRatio: {},
  GroupRatio: { default: 1, vip: 0.5, staff: 0.1, team: 2 },
  GroupGroupRatio: { team: { default: 0.9, staff: 0.3 } },
  UserUsableGroups: { default: 'Standard', vip: 'Fast', gone: 'No ratio', auto: 'By itself' },
  AutoGroups: ['vip', 'staff', 'default'],
}

/** A world with channels for groups open to all users, and for one restricted to its own accounts. */
async function priced(more: Options = {}): Promise<World> {
  const world = await aWorld({ options: { ...options, ...more } })
  await world.channel({ models: 'gpt-4o,dall-e-3,unpriced', group: 'default,vip' })
  await world.channel({ models: 'claude-x,gpt-4o-audio-preview,gemini-2.0-flash', group: 'vip' })
  await world.channel({ models: 'hidden,gpt-4o', group: 'staff' })
  return world
}

type Listed = Readonly<{ data: readonly ListedPrice[] }>
/** The complete body, since the groups are next to `data`. */
const listFor = async (who: Client) => (await who.get('/api/pricing')).body
const names = (list: Listed) => list.data.map(({ model_name }) => model_name)
const of = (list: Listed, model: string) => list.data.find(({ model_name }) => model_name === model)

describe('the list of prices (docs/reference/api.md#pricing)', () => {
  it('shows a visitor the models of the public groups, sorted, with every ratio', async () => {
    const world = await priced()
    const list = await listFor(world.visitor)
    expect(list).toMatchObject({ success: true, message: '' })
    expect(names(list)).toEqual([
      'claude-x',
      'dall-e-3',
      'gemini-2.0-flash',
      'gpt-4o',
      'gpt-4o-audio-preview',
      'unpriced',
    ])
    expect(of(list, 'gpt-4o')).toEqual({
      model_name: 'gpt-4o',
      quota_type: 0,
      model_ratio: 1.25,
      completion_ratio: 4,
      model_price: 0,
      owner_by: '',
      enable_groups: ['default', 'vip'],
      cache_ratio: 0.5,
      cache_creation_ratio: 1.25,
      cache_creation_ratio_1h: 2,
      image_ratio: 3,
      audio_ratio: null,
      audio_completion_ratio: 1,
      audio_input_price: null,
      price_steps: [{ above: 1000, input: 2, output: 1.5 }],
      web_search_price: { low: 10, medium: 10, high: 10 },
      unset: false,
    })
    expect(of(list, 'dall-e-3')).toMatchObject({
      quota_type: 1,
      model_ratio: 0,
      completion_ratio: 0,
      model_price: 0.04,
      price_steps: [],
    })
    expect(of(list, 'claude-x')).toMatchObject({
      completion_ratio: 5,
      cache_creation_ratio: 1.1,
      cache_creation_ratio_1h: 1.76,
      enable_groups: ['vip'],
      web_search_price: { low: 10, medium: 10, high: 10 },
    })
    expect(of(list, 'gpt-4o-audio-preview')).toMatchObject({ audio_ratio: 16, audio_completion_ratio: 2 })
    expect(of(list, 'gemini-2.0-flash')).toMatchObject({ audio_ratio: null, audio_input_price: 0.7 })
    expect(of(list, 'unpriced')).toMatchObject({ quota_type: 0, model_ratio: 37.5, unset: true })
    expect(list).toMatchObject({
      group_ratio: { default: 1, vip: 0.5 },
      usable_group: { default: 'Standard', vip: 'Fast', auto: 'By itself' },
      auto_groups: ['vip', 'default'],
      own_group: 'default',
      accepts_unset: false,
      quota_per_unit: 500_000,
      file_search_price: 2.5,
      code_container_price: 30,
    })
    expect(Object.keys(list.usable_group)).not.toContain('gone')
  })

  it('shows an account its own group in addition, with the ratio overrides it pays', async () => {
    const world = await priced()
    const staff = await world.user({ group: 'staff' })
    const theirs = await listFor(staff)
    expect(names(theirs)).toContain('hidden')
    expect(of(theirs, 'gpt-4o')?.enable_groups).toEqual(['default', 'staff', 'vip'])
    expect(theirs).toMatchObject({
      group_ratio: { default: 1, vip: 0.5, staff: 0.1 },
      own_group: 'staff',
      auto_groups: ['vip', 'staff', 'default'],
    })
    const team = await world.user({ group: 'team' })
    const others = await listFor(team)
    expect(others.group_ratio).toEqual({ default: 0.9, team: 2, vip: 0.5 })
    expect(names(others)).not.toContain('hidden')
    expect(JSON.stringify(others)).not.toContain('staff')
  })

  it('does not show a name that only other groups know', async () => {
    const world = await priced()
    expect(JSON.stringify(await listFor(world.visitor))).not.toMatch(/hidden|staff|team/)
  })

  it('follows every change of channels, prices and groups at once', async () => {
    const world = await priced()
    const seen = async () => of(await listFor(world.visitor), 'gpt-4o')
    expect(await seen()).toMatchObject({ model_ratio: 1.25, enable_groups: ['default', 'vip'] })
    await world.option('ModelRatio', { 'gpt-4o': 2 })
    expect(await seen()).toMatchObject({ model_ratio: 2 })
    await world.option('PriceSteps', { 'gpt-4o': [{ above: 7, input: 3, output: 3 }] })
    expect(await seen()).toMatchObject({ price_steps: [{ above: 7, input: 3, output: 3 }] })
    await world.option('ModelPrice', { 'gpt-4o': 0.3 })
    expect(await seen()).toMatchObject({ quota_type: 1, model_price: 0.3 })
    await world.option('UserUsableGroups', { vip: 'Fast' })
    expect((await listFor(world.visitor)).usable_group).toEqual({ default: '', vip: 'Fast' })
    const id = await world.channel({ models: 'brand-new', group: 'default' })
    expect(names(await listFor(world.visitor))).toContain('brand-new')
    await world.admin.delete(`/api/channel/${id}`)
    expect(names(await listFor(world.visitor))).not.toContain('brand-new')
    await world.option('QuotaPerUnit', 1_000_000)
    expect(await listFor(world.visitor)).toMatchObject({ quota_per_unit: 1_000_000 })
    await world.option('SelfUseModeEnabled', true)
    expect(await listFor(world.visitor)).toMatchObject({ accepts_unset: true })
  })

  it('is compressed once and sent as often as requested, to both kinds of readers', async () => {
    const world = await priced()
    const ask = (encoding: string) => fetch(`${world.url}/api/pricing`, { headers: { 'Accept-Encoding': encoding } })
    const [plain, packed] = [await ask('identity'), await ask('gzip')]
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('vary')).toMatch(/Accept-Encoding/i)
    expect(await packed.text()).toBe(await plain.text())
    expect(packed.headers.get('cache-control')).toBe('no-store')
  })

  it('is empty where nothing is offered', async () => {
    const world = await aWorld({ options })
    expect(await listFor(world.visitor)).toMatchObject({ success: true, data: [] })
  })

  it('describes the own group in the reader’s language where no option does', async () => {
    const world = await priced()
    const staff = await world.user({ group: 'staff' })
    const seen = async (language: string) => {
      const headers = { ...staff.identity(), 'accept-language': language }
      const reply = await fetch(`${world.url}/api/pricing`, { headers })
      return ((await reply.json()) as PriceFacts).usable_group.staff
    }
    expect(await seen('en')).toBe('User group')
    expect(await seen('zh')).toBe('用户分组')
  })
})

describe('an estimate (docs/reference/api.md#pricing)', () => {
  const estimate = (who: Client, body: EstimateRequest) => who.post('/api/pricing/estimate', body)

  it('is the receipt that the log would have, for oneself, in the own group or another', async () => {
    const world = await priced()
    const user = await world.user({ group: 'team', quota: 1000 })
    const ask = { model: 'gpt-4o', prompt_tokens: 1000, completion_tokens: 200, cache_tokens: 400, requests: 3 }
    const reply = await estimate(user, { ...ask, group: 'default' })
    // 0.9 × 1.25 × (600 + 400 × 0.5 + 200 × 4)
    expect(reply.data).toMatchObject({
      model_name: 'gpt-4o',
      group: 'default',
      user_group: 'team',
      quota: 1800,
      total_quota: 5400,
      prompt_tokens: 1000,
      completion_tokens: 200,
      content: 'model ratio 1.25, completion ratio 4.00, group ratio 0.90',
      is_offered: true,
    })
    expect(receiptOf(reply.data)).toMatchObject({ charge: 1800, isExclusive: true, groupRatio: 0.9 })
    expect((await estimate(user, { ...ask, group: 'vip' })).data).toMatchObject({ group: 'vip', quota: 1000 })
    expect((await estimate(user, { ...ask, group: 'auto' })).data).toMatchObject({ group: 'vip', quota: 1000 })
    expect(await user.quota()).toBe(1000)
  })

  it('charges a long prompt as the relay does, and reports that', async () => {
    const world = await priced()
    const of = async (prompt_tokens: number) =>
      (await estimate(world.visitor, { group: 'vip', model: 'gpt-4o', prompt_tokens, completion_tokens: 100 })).data
    expect(await of(1000)).toMatchObject({ quota: 0.5 * 1.25 * (1000 + 400) })
    const long = await of(1002)
    expect(long).toMatchObject({ quota: Math.round(0.5 * 1.25 * (2 * 1002 + 1.5 * 400)) })
    expect(receiptOf(long)).toMatchObject({ step: 1000, charge: long.quota })
  })

  it('includes caches, images, sound, searches and prices per call in addition to the prompt', async () => {
    const world = await priced()
    const of = async (body: EstimateRequest) => (await estimate(world.visitor, { group: 'vip', ...body })).data?.quota
    const claude = { model: 'claude-x', semantics: 'anthropic', prompt_tokens: 100, cache_tokens: 1000 } as const
    expect(await of(claude)).toBe(0.5 * 1.5 * 1100)
    const written = { ...claude, cache_creation_tokens: 100, cache_creation_tokens_1h: 40 }
    expect(await of(written)).toBe(Math.round(0.5 * 1.5 * (1100 + 60 * 1.1 + 40 * 1.76)))
    expect(await of({ model: 'gpt-4o', prompt_tokens: 100, image_tokens: 40 })).toBe(Math.round(0.5 * 1.25 * 180))
    const spoken = { prompt_tokens: 100, audio_tokens: 10, completion_tokens: 50, audio_completion_tokens: 20 }
    expect(await of({ model: 'gpt-4o-audio-preview', ...spoken })).toBe(
      Math.round(0.5 * 1.25 * (90 + 10 * 16 + 30 * 4 + 20 * 32)),
    )
    const searched = { model: 'gpt-4o', prompt_tokens: 1, web_search_calls: 2, search_context: 'high' } as const
    expect(await of(searched)).toBe(5001)
    expect(await of({ model: 'dall-e-3' })).toBe(10_000)
    expect(await of({ model: 'dall-e-3', images: 2, image_size: '1024x1792', image_quality: 'hd' })).toBe(60_000)
  })

  it('is refused as the call would be: a group that may not be used, a model without channel or price', async () => {
    const world = await priced()
    const user = await world.user()
    for (const [who, body, why] of [
      [user, { model: 'gpt-4o', group: 'staff' }, /group staff/],
      [world.visitor, { model: 'gpt-4o', group: 'staff' }, /group staff/],
      [user, { model: 'gpt-4o', group: 'gone' }, /group gone no longer exists/],
      [world.admin, { model: 'gpt-4o', group: 'gone' }, /group gone no longer exists/],
      [user, { model: 'claude-x' }, /claude-x.*default|default.*claude-x/],
      [user, { model: 'hidden' }, /hidden/],
      [user, { model: 'unpriced' }, /unpriced/],
      [user, { model: 'gpt-4o', user_id: 1 }, /permission|rights|not allowed/i],
      [user, { model: 'gpt-4o', user_group: 'vip' }, /permission|rights|not allowed/i],
      [world.visitor, { model: 'gpt-4o', user_group: 'vip' }, /permission|rights|not allowed/i],
      [user, { model: 'gpt-4o', prompt_tokens: -1 }, /prompt_tokens/],
      [user, { model: 'gpt-4o', prompt_tokens: 10_000_001 }, /prompt_tokens/],
      [user, { model: 'gpt-4o', requests: 0 }, /requests/],
      [user, { model: '' }, /model/],
    ] as const) {
      const reply = await estimate(who, body)
      expect(reply.success, JSON.stringify(body)).toBe(false)
      expect(reply.message, JSON.stringify(body)).toMatch(why)
    }
  })

  it('is made for any group and any account when an administrator requests it', async () => {
    const world = await priced()
    const admin = await world.user({ role: 10 })
    const user = await world.user({ group: 'team' })
    const ask = { model: 'gpt-4o', prompt_tokens: 1000 }
    expect((await estimate(admin, { ...ask, group: 'staff' })).data).toMatchObject({
      quota: 125,
      user_group: 'default',
    })
    expect((await estimate(admin, { ...ask, group: 'staff', user_id: user.id })).data).toMatchObject({
      quota: 375,
      user_group: 'team',
    })
    expect((await estimate(admin, { ...ask, group: 'staff', user_group: 'team' })).data).toMatchObject({ quota: 375 })
    expect((await estimate(admin, { ...ask, model: 'hidden' })).data).toMatchObject({ quota: 1000, is_offered: false })
    expect((await estimate(admin, { ...ask, user_id: 99_999 })).message).toBe('User not found')
    expect((await estimate(admin, { ...ask, user_id: world.admin.id })).success).toBe(false)
    expect((await estimate(world.admin, { ...ask, user_id: admin.id })).success).toBe(true)
  })

  it('takes the ratio of unset models where they are accepted', async () => {
    const world = await priced({ SelfUseModeEnabled: true })
    const reply = await estimate(world.visitor, { model: 'unpriced', prompt_tokens: 1000 })
    expect(reply.data).toMatchObject({ quota: 37_500 })
    expect(JSON.parse(reply.data.other)).toMatchObject({ unset_price: true })
  })

  it('stays an amount an account can have, however many requests it covers', async () => {
    const world = await priced({ ModelRatio: { 'gpt-4o': 1e6 } })
    const many = { model: 'gpt-4o', prompt_tokens: 10_000_000, requests: 1_000_000_000 }
    expect((await estimate(world.visitor, many)).data.total_quota).toBe(Number.MAX_SAFE_INTEGER)
  })
})
