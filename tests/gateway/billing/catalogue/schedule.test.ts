import { describe, expect, it } from 'vitest'
import type { ScheduledPrice } from '../../../../shared/api/scheduled-prices.ts'
import { chatAnswer } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { aGate } from '../../../support/gates.ts'
import { aWorld, type World } from '../../../support/world.ts'

const START = 1_800_000_000
const HOUR = 3600
/** A gateway with a stopped clock and one price. */
const priced = () => aWorld({ clock: aClock(START * 1000), options: { ModelRatio: { 'gpt-4o': 1 }, ModelPrice: {} } })
const entered = (fields: object = {}) => ({
  model: 'gpt-4o',
  price: { input: 4, output: 16 },
  valid_from: START + HOUR,
  note: 'announced in May',
  ...fields,
})
const add = (world: World, fields: object = {}) => world.admin.post('/api/pricing/scheduled', entered(fields))
const list = async (world: World): Promise<ScheduledPrice[]> => dataOf(await world.admin.get('/api/pricing/scheduled'))
const ratio = ({ gateway }: World) => gateway.inner.settings.get('ModelRatio')['gpt-4o']

describe('scheduled prices (docs/reference/billing.md#scheduled-prices)', () => {
  it('are put in force at their time, which is logged', async () => {
    const world = await priced()
    expect((await add(world)).success).toBe(true)
    world.clock.advanceSeconds(HOUR - 1)
    expect(await list(world)).toMatchObject([
      {
        model: 'gpt-4o',
        state: 'pending',
        price: { rates: { model: 2, completion: 4 }, dollars: { input: 4, output: 16 } },
        username: 'root',
        note: 'announced in May',
        done_at: 0,
      },
    ])
    expect(ratio(world)).toBe(1)
    world.clock.advanceSeconds(1)
    expect(await list(world)).toMatchObject([{ state: 'applied', done_at: START + HOUR }])
    expect(ratio(world)).toBe(2)
    await world.gateway.inner.ledger.flush()
    const { db } = world.gateway.inner
    const rows = await db.selectFrom('logs').select('content').where('type', '=', 3).execute()
    expect(rows.map(({ content }) => content)).toContain('Scheduled prices are in effect (1): gpt-4o')
    const changes = await db.selectFrom('option_changes').selectAll().where('origin', '=', 'schedule').execute()
    expect(changes.map(({ key, username }) => [key, username]).sort()).toEqual([
      ['CompletionRatio', ''],
      ['ModelRatio', ''],
    ])
  })

  it('do not touch a request that was admitted before', async () => {
    const world = await priced()
    await world.channel()
    const alice = await world.user({ quota: 1_000_000 })
    await add(world, { price: { input: 40, output: 40 } })
    const gate = aGate()
    gate.close()
    const reached = Promise.withResolvers<void>()
    world.upstream.answers(async () => {
      reached.resolve()
      await gate.pass()
      return { body: chatAnswer('hello', { prompt: 100, completion: 0 }) }
    })
    const asking = alice.asks('gpt-4o', 'hi')
    await reached.promise
    world.clock.advanceSeconds(HOUR)
    await list(world)
    expect(ratio(world)).toBe(20)
    gate.open()
    await asking
    expect(await alice.quota()).toBe(1_000_000 - 100)
    await alice.asks('gpt-4o', 'hi')
    expect(await alice.quota()).toBe(1_000_000 - 100 - 2000)
  })

  it('that became due while the gateway was stopped are put in force at its start, in their order', async () => {
    const world = await priced()
    await add(world, { valid_from: START + 2 * HOUR, price: { input: 6 } })
    await add(world, { valid_from: START + HOUR, price: { input: 4 } })
    await add(world, { valid_from: START + 3 * HOUR, price: { fixed: 0.5 } })
    await world.gateway.stop()
    world.clock.advanceSeconds(2 * HOUR)
    const again = await world.restart()
    expect(ratio(again)).toBe(3)
    expect((await list(again)).map(({ state }) => state)).toEqual(['pending', 'applied', 'applied'])
    again.clock.advanceSeconds(HOUR)
    await list(again)
    const { settings } = again.gateway.inner
    expect([settings.get('ModelPrice'), settings.get('ModelRatio')]).toEqual([{ 'gpt-4o': 0.5 }, {}])
  })

  it('fail individually if they cannot be stored: others that are due with them are put in force', async () => {
    const world = await priced()
    await world.option('ModelRatio', { 'gpt-4o': 1, ['x'.repeat(999_900)]: 1 })
    await add(world, { model: 'm'.repeat(200) })
    await add(world, { price: { input: 4 } })
    await add(world, { price: { input: 6 } })
    world.clock.advanceSeconds(HOUR)
    expect((await list(world)).map(({ state }) => state)).toEqual(['failed', 'applied', 'applied'])
    expect(ratio(world)).toBe(3)
  })

  it('can be changed and cancelled while they are pending', async () => {
    const world = await priced()
    await add(world)
    await add(world, { model: 'other' })
    const [first, second] = await list(world)
    const path = (price?: ScheduledPrice) => `/api/pricing/scheduled/${price?.id}`
    expect((await world.admin.put(path(first), entered({ price: { input: 10 } }))).success).toBe(true)
    expect((await world.admin.delete(path(second))).success).toBe(true)
    expect((await world.admin.delete(path(second))).message).toMatch(/no longer pending/)
    world.clock.advanceSeconds(HOUR)
    expect((await list(world)).map(({ model, state }) => [model, state])).toEqual([
      ['gpt-4o', 'applied'],
      ['other', 'cancelled'],
    ])
    expect(world.gateway.inner.settings.get('ModelRatio')).toEqual({ 'gpt-4o': 5 })
    expect((await world.admin.put(path(first), entered({ valid_from: START + 9 * HOUR }))).message).toMatch(/no longer/)
  })

  it('are not changed over a simultaneous change of another administrator', async () => {
    const world = await priced()
    await add(world)
    const [seen] = await list(world)
    const path = `/api/pricing/scheduled/${seen?.id}`
    const base = { model: seen?.model, valid_from: seen?.valid_from, note: seen?.note, rates: seen?.price.rates }
    const change = (input: number, was: object) =>
      world.admin.put(path, { ...entered({ price: { input } }), base: was })
    expect((await change(10, base)).success).toBe(true)
    expect((await change(12, base)).message).toMatch(/changed in the meantime/)
    const [now] = await list(world)
    expect(now?.price.dollars).toEqual({ input: 10 })
    expect((await change(12, { ...base, rates: now?.price.rates })).success).toBe(true)
  })

  it('are refused if their time is past, or if they are not a price that can be stored', async () => {
    const world = await priced()
    for (const [fields, message] of [
      [{ valid_from: START }, /in the future/],
      [{ model: ' ' }, /name of a model/],
      [{ model: 'gpt-4-gizmo-x' }, /is that of gpt-4-gizmo-\*/],
      [{ price: { input: 0, output: 1 } }, /input price above 0/],
      [{ price: { input: 1, audio_output: 1 } }, /one for audio input/],
      [{ price: { input: -1 } }, /price/],
      [{ price: {} }, /price/],
      [{ price: { input: 1e12 } }, /price/],
      [{ note: 'x'.repeat(501) }, /note/],
    ] as const)
      expect((await add(world, fields)).message).toMatch(message)
    expect(await list(world)).toEqual([])
  })

  it('of a catalogue are scheduled together, and do not count as set by hand once they are in force', async () => {
    const world = await priced()
    const compare = async (file: unknown) =>
      dataOf(await world.admin.post('/api/pricing/catalogue/compare', { source: 'file', file }))
    const { digest } = await compare({ model_ratio: { 'gpt-4o': 3, fresh: 2 } })
    const scheduled = { digest, models: ['gpt-4o', 'fresh'], valid_from: START + HOUR }
    expect(dataOf(await world.admin.post('/api/pricing/catalogue/schedule', scheduled))).toBe(2)
    expect(await list(world)).toMatchObject([{ format: 'ratio_config' }, { format: 'ratio_config' }])
    world.clock.advanceSeconds(HOUR)
    await list(world)
    expect(world.gateway.inner.settings.get('ModelRatio')).toEqual({ 'gpt-4o': 3, fresh: 2 })
    const { rows } = await compare({ model_ratio: { 'gpt-4o': 4, fresh: 2 } })
    expect(rows).toMatchObject([{ model: 'gpt-4o', is_hand_made: false }])
  })

  it('of a catalogue change what it contains, and nothing that was set by hand otherwise or meanwhile', async () => {
    const world = await priced()
    const { settings } = world.gateway.inner
    await world.option('CacheRatio', { 'gpt-4o': 0.5 })
    const compare = async (completion: number) => {
      const file = { model_ratio: { 'gpt-4o': 1 }, completion_ratio: { 'gpt-4o': completion }, cache_ratio: {} }
      return dataOf(await world.admin.post('/api/pricing/catalogue/compare', { source: 'file', file }))
    }
    const schedule = async (completion: number, valid_from: number) => {
      const { digest } = await compare(completion)
      dataOf(await world.admin.post('/api/pricing/catalogue/schedule', { digest, models: ['gpt-4o'], valid_from }))
    }
    await schedule(7, START + HOUR)
    await world.option('CacheRatio', { 'gpt-4o': 0.25 })
    world.clock.advanceSeconds(HOUR)
    await list(world)
    expect([settings.get('CompletionRatio')['gpt-4o'], settings.get('CacheRatio')['gpt-4o']]).toEqual([7, 0.25])
    expect((await compare(8)).rows).toMatchObject([{ is_hand_made: true, is_suggested: false }])
    await world.option('CacheRatio', {})
    expect((await compare(8)).rows).toMatchObject([{ is_hand_made: false, is_suggested: true }])
    // If both are due together, a manual price added later overrides the catalogue's price.
    await schedule(9, START + 2 * HOUR)
    await add(world, { valid_from: START + 2 * HOUR, price: { input: 2, output: 22 } })
    world.clock.advanceSeconds(HOUR)
    await list(world)
    expect(settings.get('CompletionRatio')['gpt-4o']).toBe(11)
    expect((await compare(8)).rows).toMatchObject([{ is_hand_made: true }])
  })
})
