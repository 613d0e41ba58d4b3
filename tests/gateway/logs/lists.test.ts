import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NewLog } from '../../../gateway/store/schema/schema.ts'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

const NOW = 1_750_000_000
let world: World
let alice: Person
let bob: Person

beforeAll(async () => {
  world = await aWorld({ clock: aClock(NOW * 1000) })
  alice = await world.user({ username: 'alice' })
  bob = await world.user({ username: 'bob' })
})
beforeEach(async () => {
  await world.gateway.inner.ledger.flush()
  await world.gateway.inner.db.deleteFrom('logs').execute()
})

describe('the log of an administrator (docs/reference/logs.md#views)', () => {
  it('has pages from 1 with items, total, page and page_size; newest first', async () => {
    for (let index = 1; index <= 12; index += 1) note({ content: `row ${index}` })
    const page = async (query: string) => dataOf(await world.admin.get(`/api/log/?${query}`))

    expect(contentsOf(await page('p=1'))).toHaveLength(10)
    expect(await page('p=2')).toMatchObject({
      total: 12,
      page: 2,
      page_size: 10,
      items: [{ content: 'row 2' }, { content: 'row 1' }],
    })
    expect(contentsOf(await page('p=0&page_size=1'))).toEqual(['row 12'])
    expect((await page('p=-3&page_size=5000')).items).toHaveLength(12)
    expect(await page('p=9007199254740991')).toMatchObject({ total: 12, items: [] })
  })

  it('shows at once a request that was charged a moment ago', async () => {
    note({ content: 'just now', quota: 5 })
    expect(contentsOf(dataOf(await world.admin.get('/api/log')))).toEqual(['just now'])
  })

  it('shows the channel by id and by the name it has today', async () => {
    const channel = await world.channel({ name: 'before' })
    note({ channel_id: channel })
    note({ channel_id: 4711 })
    dataOf(await world.admin.put('/api/channel', { id: channel, name: 'renamed' }))
    const { items } = dataOf(await world.admin.get('/api/log'))
    expect(items.map((row: Row) => [row.channel, row.channel_name])).toEqual([
      [4711, ''],
      [channel, 'renamed'],
    ])
  })

  it('shows every field, and the receipt whole', async () => {
    note({ ...receipt, user_id: alice.id, username: 'alice' })
    const [row] = dataOf(await world.admin.get('/api/log')).items
    expect(row).toEqual({
      id: expect.any(Number),
      user_id: alice.id,
      created_at: NOW,
      type: 2,
      content: 'model ratio 1',
      username: 'alice',
      token_name: 'laptop',
      model_name: 'gpt-4o',
      quota: 42,
      prompt_tokens: 10,
      completion_tokens: 5,
      use_time: 3,
      is_stream: true,
      channel: 7,
      channel_name: '',
      token_id: 9,
      group: 'vip',
      ip: '10.0.0.1',
      other: receipt.other,
    })
  })

  it('is narrowed by the filters of the screen', async () => {
    note({
      content: 'alice',
      username: 'alice',
      user_id: alice.id,
      channel_id: 3,
      group: 'vip',
      model_name: 'gpt-4o-mini',
    })
    note({ content: 'bob', username: 'bob', user_id: bob.id, type: 5, token_name: 'phone', created_at: NOW - 100 })
    const found = async (query: string) => contentsOf(dataOf(await world.admin.get(`/api/log?${query}`)))
    expect(await found('username=alice')).toEqual(['alice'])
    expect(await found('type=5')).toEqual(['bob'])
    expect(await found('type=0')).toEqual(['bob', 'alice'])
    expect(await found('channel=3&group=vip')).toEqual(['alice'])
    expect(await found('token_name=phone')).toEqual(['bob'])
    expect(await found('model_name=gpt-4%25')).toEqual(['alice'])
    expect(await found('model_name=%25%25%25')).toEqual([])
    expect(await found(`start_timestamp=${NOW - 100}&end_timestamp=${NOW - 1}`)).toEqual(['bob'])
    expect(await found('start_timestamp=soon&end_timestamp=NaN&channel=x&type=')).toEqual(['bob', 'alice'])
  })

  it('is searched by content or by type, the last hundred', async () => {
    for (let index = 0; index < 101; index += 1) note({ content: `call ${index}` })
    note({ content: 'gift', type: 4 })
    expect(dataOf(await world.admin.get('/api/log/search?keyword=CALL'))).toHaveLength(100)
    expect(dataOf(await world.admin.get('/api/log/search?keyword=4')).map((row: Row) => row.content)).toContain('gift')
    expect(dataOf(await world.admin.get('/api/log/search?keyword=%25'))).toEqual([])
  })

  it('is not for users and not for strangers', async () => {
    const admins = ['/api/log', '/api/log/stat', '/api/log/search', `/api/log?username=alice`]
    for (const path of admins)
      expect((await alice.get(path)).body).toEqual({ success: false, message: expect.any(String) })
    for (const path of [
      ...admins,
      '/api/log/self',
      '/api/log/self/stat',
      '/api/log/self/search',
      '/api/log/token?key=x',
    ])
      expect((await world.visitor.get(path)).status).toBe(401)
  })
})

describe('a user’s own log', () => {
  it('shows neither channel nor fields for administrators, nor ids that reveal other accounts', async () => {
    note({ ...receipt, user_id: alice.id, username: 'alice' })
    const [row] = dataOf(await alice.get('/api/log/self/')).items
    expect(row).toMatchObject({ id: 1, channel: 0, channel_name: '', quota: 42, ip: '10.0.0.1' })
    expect(JSON.parse(row.other)).toEqual({ model_ratio: 1.25, frt: 80 })
    expect(JSON.stringify(row)).not.toContain('admin_info')
  })

  it('shows nothing of a receipt it cannot take apart', async () => {
    for (const other of ['admin_info: 7', '["admin_info"]', '{"admin_info', '']) note({ user_id: alice.id, other })
    const { items } = dataOf(await alice.get('/api/log/self'))
    expect(items.map((row: Row) => row.other)).toEqual(['', '', '', ''])
  })

  it('numbers rows through all pages', async () => {
    for (let index = 0; index < 5; index += 1) note({ user_id: alice.id })
    const ids = async (p: number) =>
      dataOf(await alice.get(`/api/log/self?p=${p}&page_size=2`)).items.map((row: Row) => row.id)
    expect([await ids(1), await ids(2), await ids(3)]).toEqual([[1, 2], [3, 4], [5]])
  })

  it('contains only their own rows, for any filter', async () => {
    note({ user_id: alice.id, username: 'alice', content: 'of alice' })
    note({ user_id: bob.id, username: 'bob', content: 'of bob' })
    const paths = ['/api/log/self?username=bob&user_id=2', '/api/log/self?channel=0&type=0']
    for (const path of paths) expect(contentsOf(dataOf(await alice.get(path)))).toEqual(['of alice'])
    const found = dataOf(await alice.get('/api/log/self/search?keyword=of'))
    expect(found.map((row: Row) => [row.id, row.content])).toEqual([[1, 'of alice']])
  })
})

describe('the figures over a log', () => {
  it('sum the consumed quota and rate the last minute', async () => {
    note({ quota: 100, prompt_tokens: 30, completion_tokens: 10, created_at: NOW - 3600 })
    note({ quota: 20, prompt_tokens: 3, completion_tokens: 4, created_at: NOW - 30 })
    note({ quota: 999, type: 1, created_at: NOW - 30 })
    expect(dataOf(await world.admin.get('/api/log/stat'))).toEqual({ quota: 120, token: 47, rpm: 1, tpm: 7 })
    const early = `end_timestamp=${NOW - 60}&type=1`
    expect(dataOf(await world.admin.get(`/api/log/stat?${early}`))).toEqual({ quota: 100, token: 40, rpm: 1, tpm: 7 })
  })

  it('are 0 where there is nothing', async () => {
    expect(dataOf(await alice.get('/api/log/self/stat'))).toEqual({ quota: 0, token: 0, rpm: 0, tpm: 0 })
  })

  it('of a user follow the account, not the name it had', async () => {
    note({ user_id: alice.id, username: 'her old name', quota: 5 })
    note({ user_id: bob.id, username: 'alice', quota: 7 })
    expect(dataOf(await alice.get('/api/log/self/stat?username=bob'))).toMatchObject({ quota: 5 })
  })
})

describe('the log of one token', () => {
  it('is shown to its owner, with sk- or without', async () => {
    const [mine, other] = [await world.token(alice), await world.token(alice)]
    note({ user_id: alice.id, token_id: mine.id, content: 'by mine', channel_id: 7 })
    note({ user_id: alice.id, token_id: other.id, content: 'by other' })
    for (const key of [mine.key, `sk-${mine.key}`]) {
      const rows = dataOf(await alice.get(`/api/log/token?key=${key}`))
      expect(rows).toMatchObject([{ id: 1, content: 'by mine', channel: 0 }])
    }
  })

  it('is refused to other accounts in the words for a missing one', async () => {
    const { key } = await world.token(alice)
    for (const someone of [bob, world.admin])
      for (const wanted of [key, 'x'.repeat(48), ''])
        expect((await someone.get(`/api/log/token?key=${wanted}`)).message).toBe('Token not found')
  })

  it('is not there for other sites: no CORS', async () => {
    const { key } = await world.token(alice)
    const { headers } = await alice.get(`/api/log/token?key=${key}`)
    expect(headers.has('access-control-allow-origin')).toBe(false)
  })
})

type Row = { id: number; content: string; channel: number; channel_name: string; other: string }

const contentsOf = ({ items }: { items: Row[] }) => items.map(({ content }) => content)

const receipt = {
  content: 'model ratio 1',
  token_name: 'laptop',
  token_id: 9,
  model_name: 'gpt-4o',
  quota: 42,
  prompt_tokens: 10,
  completion_tokens: 5,
  use_time: 3,
  is_stream: 1,
  channel_id: 7,
  group: 'vip',
  ip: '10.0.0.1',
  other: JSON.stringify({ model_ratio: 1.25, frt: 80, admin_info: { use_channel: ['7', '8'] } }),
}

const note = (fields: Partial<NewLog>) =>
  world.gateway.inner.auditLog.record({ user_id: 99, created_at: NOW, type: 2, ...fields })
