import { expect, it } from 'vitest'
import { priceSyncStore } from '../../../../gateway/store/channels/price-syncs.ts'
import { type NewScheduledPrice, scheduledPriceStore } from '../../../../gateway/store/channels/scheduled-prices.ts'
import { onEachDatabase } from '../../../support/databases.ts'

const price = (model: string, valid_from: number): NewScheduledPrice => ({
  model,
  rates: '{"model":1}',
  valid_from,
  username: 'root',
  created_at: 1,
})

onEachDatabase('the table of scheduled prices', (db) => {
  const store = () => scheduledPriceStore(db())
  const models = async () => (await store().page({ offset: 0, limit: 10 })).rows.map(({ model }) => model)

  it('lists pending ones by their time, then finished ones by their end, and finds due ones in order', async () => {
    await store().add([price('late', 30), price('early', 10), price('next', 20), price('dropped', 40)])
    expect(await models()).toEqual(['early', 'next', 'late', 'dropped'])
    const due = await store().due(20, 10)
    expect(due.map(({ model }) => model)).toEqual(['early', 'next'])
    await store().done(
      due.map(({ id }) => Number(id)),
      'applied',
      21,
    )
    const [, , , dropped] = (await store().page({ offset: 0, limit: 10 })).rows.sort(
      (a, b) => a.valid_from - b.valid_from,
    )
    expect(await store().cancel(Number(dropped?.id), 25)).toMatchObject({ model: 'dropped', state: 'cancelled' })
    expect(await models()).toEqual(['late', 'dropped', 'early', 'next'])
    expect(await store().pending()).toBe(1)
    expect(await store().page({ offset: 1, limit: 1 })).toMatchObject({ total: 4, rows: [{ model: 'dropped' }] })
  })

  it('changes only pending ones', async () => {
    const rows = (await store().page({ offset: 0, limit: 10 })).rows
    const ids = rows.map(({ id }) => Number(id))
    const change = { model: 'other', rates: '{}', valid_from: 50, note: '', format: '' }
    const changed = await Promise.all(ids.map((id) => store().change(id, change)))
    expect(changed.map((row) => row?.model)).toEqual(['other', undefined, undefined, undefined])
    expect(await Promise.all(ids.slice(1).map((id) => store().cancel(id, 60)))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

onEachDatabase('the tables of price updates', (db) => {
  const store = () => priceSyncStore(db())
  const row = { format: 'litellm', changes: '[]', models: 1, created_at: 1 }
  const synced = async () => (await store().synced()).sort((a, b) => (a.model < b.model ? -1 : 1))

  it('retains the newest ten, and the last one written for each model', async () => {
    const ids: number[] = []
    for (let at = 0; at < 12; at += 1) ids.push(await store().add(row, [{ model: 'a', rates: `{"model":${at}}` }]))
    expect((await db().selectFrom('price_syncs').select('id').execute()).length).toBe(10)
    expect(await synced()).toEqual([{ model: 'a', rates: '{"model":11}' }])
    const last = ids.at(-1) ?? 0
    expect((await store().last())?.id).toBe(last)
    await store().remove(last, [
      { model: 'a', rates: null },
      { model: 'b', rates: '{"model":1}' },
    ])
    expect((await store().last())?.id).toBe(ids.at(-2))
    expect(await synced()).toEqual([{ model: 'b', rates: '{"model":1}' }])
  })
})
