import { beforeEach, expect, it } from 'vitest'
import type { RowSize } from '../../../../gateway/base/row-steps.ts'
import { channelClientStore } from '../../../../gateway/store/channels/channel-clients.ts'
import { channelKeyStore } from '../../../../gateway/store/channels/channel-keys.ts'
import { channelStore, type NewChannelRow } from '../../../../gateway/store/channels/channels.ts'
import { onEachDatabase } from '../../../support/databases.ts'

const channel = (name: string, fields: Partial<NewChannelRow> = {}): NewChannelRow => ({
  name,
  key: 'sealed',
  created_time: 1_700_000_000,
  ...fields,
})

onEachDatabase('the channels table', (db) => {
  const store = () => channelStore(db())
  const make = async (...rows: NewChannelRow[]) => {
    const ids: number[] = []
    for (const row of rows) ids.push(await store().insert(row))
    return ids
  }
  const namesOf = async (sizes: readonly RowSize[]) => {
    const rows = await store().visibleByIds([0, ...sizes.map(({ id }) => id)])
    return sizes.map(({ id }) => rows.find((row) => row.id === id)?.name)
  }
  const everything = { keyword: '', withKey: [], group: '', model: '', order: '-id' as const }
  const found = async (wanted: object) => namesOf(await store().search({ ...everything, ...wanted }))
  beforeEach(() => db().deleteFrom('channels').execute())

  it('lists by priority, then the newest first, and never gives an id out twice', async () => {
    const [, , last = 0] = await make(channel('low'), channel('high', { priority: 5 }), channel('also low'))
    const names = async (order: '' | '-id') => namesOf(await store().page({ offset: 0, limit: 2, order }))
    expect([await names(''), await names('-id')]).toEqual([
      ['high', 'also low'],
      ['also low', 'high'],
    ])
    expect(await store().remove([last])).toBe(1)
    const [next = 0] = await make(channel('next'))
    expect(next).toBeGreaterThan(last)
    expect((await store().all()).every(({ key }) => key === 'sealed')).toBe(true)
    expect(await store().visibleById(next)).not.toHaveProperty('key')
  })

  it('counts by type, status and tag, those without a tag last', async () => {
    await make(
      channel('a', { type: 14, tag: 'red' }),
      channel('b', { type: 14, status: 2, tag: null }),
      channel('c', { type: 1, tag: '' }),
      channel('d', { type: 1, tag: 'blue' }),
    )
    expect(await store().typeCounts({})).toEqual({ 1: 2, 14: 2 })
    expect(await store().count({ type: 14, status: 1 })).toBe(1)
    expect(await store().tags({})).toEqual(['blue', 'red', null])
    expect(await namesOf(await store().ofTags(['red', null], {}, '-id'))).toEqual(['c', 'b', 'a'])
    expect((await store().byStatus([2])).length).toBe(1)
  })

  it('finds by id, by key, or by part of a name in any case, with the wildcards of LIKE taken literally', async () => {
    const [one = 0, two = 0] = await make(
      channel('Fast_One', { models: 'gpt-4o,o3', group: 'default,vip' }),
      channel('fastXone', { base_url: 'https://100%.example', group: 'vips' }),
    )
    expect(await found({ keyword: 'T_ON' })).toEqual(['Fast_One'])
    expect(await found({ keyword: '100%' })).toEqual(['fastXone'])
    expect(await found({ keyword: String(one) })).toEqual(['Fast_One'])
    expect(await found({ keyword: 'no name', withKey: [two] })).toEqual(['fastXone'])
    expect(await found({ group: 'vip' })).toEqual(['Fast_One'])
    expect(await found({ model: 'GPT-4' })).toEqual(['Fast_One'])
  })

  it('moves a channel from the status it has, and from no other', async () => {
    const [id = 0] = await make(channel('one'))
    expect(await store().switchStatus(id, 1, { status: 3, other_info: 'why' })).toBe(true)
    expect(await store().switchStatus(id, 1, { status: 2 })).toBe(false)
    expect([await store().update([id, id + 1], { weight: 7 }), await store().update([], { weight: 1 })]).toEqual([1, 0])
    expect(await store().byIds([id])).toMatchObject([{ status: 3, weight: 7, other_info: 'why' }])
  })

  it('remembers the keys that are off', async () => {
    const keys = channelKeyStore(db())
    const row = (key_id: string, status = 2) => ({ channel_id: 1, key_id, status, reason: 'why', status_time: 5 })
    expect([await keys.add(row('a', 3)), await keys.add(row('a'))]).toEqual([true, false])
    await keys.put(row('a'))
    await keys.put(row('b', 3))
    expect(await keys.offCount(1)).toBe(2)
    expect((await keys.of(1)).map(({ status }) => status).sort()).toEqual([2, 3])
    expect([await keys.remove(1, 'a', 3), await keys.remove(1, 'a', 2)]).toEqual([false, true])
    await keys.keepOnly(1, [])
    expect(await keys.all()).toEqual([])
  })

  it('remembers which clients came, from the first time to the last', async () => {
    const clients = channelClientStore(db())
    const [id = 0] = await make(channel('one'))
    const seen = { channel_id: id, group: 'default', client_type: 'curl', first_seen: 5, last_seen: 5 }
    await clients.upsert([seen, { ...seen, channel_id: id + 1 }])
    await clients.upsert([{ ...seen, first_seen: 9, last_seen: 9 }])
    expect(await clients.of(id)).toEqual([{ ...seen, last_seen: 9 }])
    expect([await clients.removeOrphans(), await clients.removeOrphans()]).toEqual([1, 0])
    await clients.removeOf([id])
    expect(await clients.of(id)).toEqual([])
  })
})
