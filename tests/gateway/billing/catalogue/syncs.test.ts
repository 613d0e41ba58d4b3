import { describe, expect, it } from 'vitest'
import type { CatalogueComparison, PriceSync } from '../../../../shared/api/catalogue.ts'
import { logType } from '../../../../shared/enums.ts'
import { chatAnswer } from '../../../support/chat.ts'
import { type Client, dataOf } from '../../../support/client.ts'
import { aWorld, type Options, type World } from '../../../support/world.ts'

const compare = async (who: Client, file: unknown): Promise<CatalogueComparison> =>
  dataOf(await who.post('/api/pricing/catalogue/compare', { source: 'file', file }))
const apply = (who: Client, digest: string, models: readonly string[]) =>
  who.post('/api/pricing/catalogue/apply', { digest, models })
const maps = ({ gateway }: World) => ({
  ModelPrice: gateway.inner.settings.get('ModelPrice'),
  ModelRatio: gateway.inner.settings.get('ModelRatio'),
  CompletionRatio: gateway.inner.settings.get('CompletionRatio'),
  CacheRatio: gateway.inner.settings.get('CacheRatio'),
})
/** A few custom prices in place of the built-in ones. */
const few: Options = {
  ModelPrice: { picture: 0.1 },
  ModelRatio: { 'gpt-4o': 1.25, mine: 7 },
  CompletionRatio: { mine: 3 },
  CacheRatio: { 'gpt-4o': 0.5 },
}

describe('an update of prices from a catalogue (docs/reference/billing.md#price-catalogues)', () => {
  it('writes all maps at once, is in force for the next request, and can be undone', async () => {
    const world = await aWorld({ options: few })
    await world.channel({ models: 'gpt-4o,picture,fresh' })
    const alice = await world.user({ quota: 1_000_000 })
    world.upstream.answers({ body: chatAnswer('hello', { prompt: 100, completion: 0 }) })
    const before = maps(world)
    const { digest, rows } = await compare(world.admin, {
      model_ratio: { 'gpt-4o': 5, picture: 2, fresh: 1 },
      completion_ratio: { 'gpt-4o': 4, picture: 6 },
      cache_ratio: { 'gpt-4o': 0.5 },
    })
    expect(rows.map(({ model, state }) => [model, state])).toEqual([
      ['fresh', 'new'],
      ['gpt-4o', 'changed'],
      ['picture', 'changed'],
    ])
    const sync: PriceSync = dataOf(await apply(world.admin, digest, ['gpt-4o', 'picture', 'fresh']))
    expect(sync).toMatchObject({ format: 'ratio_config', origin: '', models: 3, username: 'root' })
    expect(maps(world)).toEqual({
      ModelPrice: {},
      ModelRatio: { 'gpt-4o': 5, mine: 7, picture: 2, fresh: 1 },
      CompletionRatio: { mine: 3, picture: 6 },
      CacheRatio: { 'gpt-4o': 0.5 },
    })
    await alice.asks('gpt-4o', 'hi')
    expect(await alice.quota()).toBe(1_000_000 - 500)
    expect(dataOf(await world.admin.get('/api/pricing/catalogue'))).toEqual(sync)

    expect(dataOf(await world.admin.post('/api/pricing/catalogue/undo', { id: sync.id }))).toEqual({
      undone: 3,
      kept: [],
    })
    expect(maps(world)).toEqual(before)
    await alice.asks('gpt-4o', 'hi')
    expect(await alice.quota()).toBe(1_000_000 - 500 - 125)
    expect((await world.admin.post('/api/pricing/catalogue/undo', { id: sync.id })).message).toMatch(
      /already been undone/,
    )
    expect(dataOf(await world.admin.get('/api/pricing/catalogue'))).toBeNull()
  })

  it('preserves later changes by hand when it is undone', async () => {
    const world = await aWorld({ options: few })
    const { digest } = await compare(world.admin, { model_ratio: { 'gpt-4o': 5, mine: 8 } })
    const { id } = dataOf(await apply(world.admin, digest, ['gpt-4o', 'mine']))
    await world.option('ModelRatio', { 'gpt-4o': 6, mine: 8 })
    expect(dataOf(await world.admin.post('/api/pricing/catalogue/undo', { id }))).toEqual({
      undone: 1,
      kept: ['gpt-4o'],
    })
    expect(maps(world).ModelRatio).toEqual({ 'gpt-4o': 6, mine: 7 })
  })

  it('marks prices made by hand, and does not suggest them; built-in ones and its own it does', async () => {
    const world = await aWorld()
    const { settings } = world.gateway.inner
    await world.option('ModelRatio', { ...settings.get('ModelRatio'), o1: 9 })
    const first = await compare(world.admin, { model_ratio: { 'gpt-4o': 5, o1: 10 } })
    const marks = ({ rows }: CatalogueComparison) =>
      Object.fromEntries(rows.map((row) => [row.model, [row.is_hand_made, row.is_suggested]]))
    expect(marks(first)).toEqual({ 'gpt-4o': [false, true], o1: [true, false] })
    await apply(world.admin, first.digest, ['gpt-4o', 'o1'])
    const second = await compare(world.admin, { model_ratio: { 'gpt-4o': 6, o1: 11 } })
    expect(marks(second)).toEqual({ 'gpt-4o': [false, true], o1: [false, true] })
    await world.option('ModelRatio', { ...settings.get('ModelRatio'), 'gpt-4o': 5.5 })
    expect(marks(await compare(world.admin, { model_ratio: { 'gpt-4o': 6, o1: 12 } }))).toEqual({
      'gpt-4o': [true, false],
      o1: [false, true],
    })
  })

  it('leaves other prices that were set by hand set by hand', async () => {
    const world = await aWorld({ options: few })
    const first = await compare(world.admin, { model_ratio: { mine: 8 } })
    await apply(world.admin, first.digest, ['mine'])
    const { rows } = await compare(world.admin, { model_ratio: { mine: 9 }, completion_ratio: { mine: 4 } })
    expect(rows).toMatchObject([{ model: 'mine', is_hand_made: true, is_suggested: false }])
  })

  it('finds nothing to change in the built-in catalogue of an untouched installation', async () => {
    const world = await aWorld()
    const compared: CatalogueComparison = dataOf(
      await world.admin.post('/api/pricing/catalogue/compare', { source: 'bundled' }),
    )
    expect(compared).toMatchObject({ format: 'bundled', rows: [], only_here: [] })
    // Prices are never looked up under that name.
    expect(compared.unreadable).toEqual([{ model: 'gemini-2.5-flash-lite-preview-thinking-*', reason: 'folded' }])
    expect(compared.same).toHaveLength(compared.total)
    await world.option('ModelRatio', { 'gpt-4o': 9 })
    const { rows } = dataOf(await world.admin.post('/api/pricing/catalogue/compare', { source: 'bundled' }))
    expect(rows).toContainEqual(
      expect.objectContaining({ model: 'gpt-4o', state: 'changed', is_hand_made: true, percent: -86.11 }),
    )
    expect(rows).toContainEqual(expect.objectContaining({ model: 'o1', state: 'new', is_suggested: false }))
  })
})

describe('a refused update changes nothing', () => {
  it('a comparison that is old, another one, or of prices that have been changed since', async () => {
    const world = await aWorld({ options: few })
    const { digest } = await compare(world.admin, { model_ratio: { 'gpt-4o': 5 } })
    expect((await apply(world.admin, 'of-another', ['gpt-4o'])).message).toMatch(/no longer available/)
    expect((await apply(world.admin, digest, ['mine'])).message).toMatch(/does not change the price of mine/)
    await world.option('CacheRatio', { 'gpt-4o': 0.1 })
    expect((await apply(world.admin, digest, ['gpt-4o'])).message).toMatch(/changed since the comparison/)
    const again = await compare(world.admin, { model_ratio: { 'gpt-4o': 5 } })
    world.clock.advanceSeconds(1801)
    expect((await apply(world.admin, again.digest, ['gpt-4o'])).message).toMatch(/no longer available/)
    expect(maps(world).ModelRatio).toEqual(few.ModelRatio)
    expect(dataOf(await world.admin.get('/api/pricing/catalogue'))).toBeNull()
  })

  it('the second of two administrators at once', async () => {
    const world = await aWorld({ options: few })
    const { digest } = await compare(world.admin, { model_ratio: { 'gpt-4o': 5, mine: 8 } })
    const replies = await Promise.all([apply(world.admin, digest, ['mine']), apply(world.admin, digest, ['mine'])])
    expect(replies.map(({ success }) => success).sort()).toEqual([false, true])
    expect(maps(world).ModelRatio).toMatchObject({ 'gpt-4o': 1.25, mine: 8 })
    expect((await world.gateway.inner.db.selectFrom('synced_prices').selectAll().execute()).length).toBe(1)
    const rows = await world.gateway.inner.db.selectFrom('price_syncs').select('id').execute()
    expect(rows).toHaveLength(1)
  })
})

describe('the record of an update', () => {
  it('is one row of the log with names and the actor, and the history of each option', async () => {
    const world = await aWorld({ options: few })
    const { digest } = await compare(world.admin, { model_ratio: { 'gpt-4o': 5 } })
    await apply(world.admin, digest, ['gpt-4o'])
    const { ledger, db } = world.gateway.inner
    await ledger.flush()
    const rows = await db.selectFrom('logs').selectAll().where('type', '=', logType.manage).execute()
    expect(rows.map(({ content }) => content)).toContain('root updated prices from a catalogue (1): gpt-4o')
    const changes = await db.selectFrom('option_changes').selectAll().where('origin', '=', 'sync').execute()
    expect(changes).toMatchObject([{ key: 'ModelRatio', username: 'root' }])
  })
})
