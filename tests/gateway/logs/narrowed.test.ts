import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer } from '../../support/chat.ts'
import { dataOf } from '../../support/client.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

/** Filters that the console has in addition to the family's (docs/reference/logs.md#filters). */
let world: World
let alice: Person
let first: number
let second: number

type Row = { model_name: string; other: string }

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  alice = await world.user({ username: 'alice', quota: 1_000_000_000 })
  first = await world.channel({ name: 'first', models: 'gpt-4o,vendor/mini', priority: 9 })
  second = await world.channel({ name: 'second', models: 'gpt-4o' })
})
beforeEach(async () => {
  await world.gateway.inner.ledger.flush()
  await world.gateway.inner.db.deleteFrom('logs').execute()
  world.upstream.reset()
  world.upstream.answers({ body: chatAnswer('ok') })
  world.clock.advanceSeconds(3600)
})

const found = async (query: string, who: Person = world.admin) => {
  const path = who === world.admin ? '/api/log' : '/api/log/self'
  return dataOf(await who.get(`${path}?${query}`)).items.map((row: Row) => row.model_name)
}

describe('the filters of the console', () => {
  beforeEach(async () => {
    await alice.asks('gpt-4o', 'hi', { body: { stream: true } })
    await alice.asks('vendor/mini', 'hi')
  })

  it('find a name by a part of it, for sums as well', async () => {
    expect(await found('model_contains=GPT')).toEqual(['gpt-4o'])
    expect(await found('model_contains=i&token_contains=zzz')).toEqual([])
    expect(await found('username_contains=lic&group_contains=fault')).toEqual(['vendor/mini', 'gpt-4o'])
    expect(await found('model_contains=mini', alice)).toEqual(['vendor/mini'])
    const { token } = dataOf(await world.admin.get('/api/log/stat?model_contains=mini'))
    expect(token).toBe(15)
  })

  it('take a per cent sign for itself', async () => {
    expect(await found('model_contains=%25')).toEqual([])
    expect(await found('model_contains=gpt_4o')).toEqual([])
  })

  it('distinguish streams from complete answers', async () => {
    expect(await found('stream=true')).toEqual(['gpt-4o'])
    expect(await found('stream=false', alice)).toEqual(['vendor/mini'])
    expect(await found('stream=')).toHaveLength(2)
  })

  it('keep any order, over all pages', async () => {
    const page = async (query: string) => {
      const { items, total } = dataOf(await world.admin.get(`/api/log?type=2&page_size=1&${query}`))
      return [items.map(({ quota }: { quota: number }) => quota), total]
    }
    const quotas = (await Promise.all([1, 2].map(async (p) => (await page(`sort=-quota&p=${p}`))[0]))).flat()
    expect(quotas).toEqual(quotas.toSorted((one: number, other: number) => other - one))
    expect(new Set(quotas).size).toBe(2)
    expect(await page('sort=quota&p=1')).toEqual([[quotas[1]], 2])
    expect(await page('sort=quota&p=3')).toEqual([[], 2])
    const own = dataOf(await alice.get('/api/log/self?sort=-quota')).items
    expect(own.map(({ quota }: { quota: number }) => quota)).toEqual(quotas)
  })

  it('find one token’s requests by its id, also if another has its name, or it was renamed', async () => {
    const [{ token_id: id }] = dataOf(await world.admin.get('/api/log')).items
    dataOf(await alice.post('/api/token', { name: 'twin', unlimited_quota: true }))
    const twin = dataOf(await alice.get('/api/token/?p=0&page_size=10')).find(
      ({ name }: { name: string }) => name === 'twin',
    )
    const { key } = dataOf(await alice.post(`/api/token/${twin.id}/key`, {}))
    expect(await alice.asks('gpt-4o', 'hi', { key })).toMatchObject({ status: 200 })
    for (const token of [id, twin.id])
      dataOf(await alice.put('/api/token', { id: token, name: 'laptop', unlimited_quota: true }))
    const sums = async (query: string) => dataOf(await world.admin.get(`/api/log/stat?${query}`)).token
    for (const who of [world.admin, alice]) {
      expect(await found(`token_id=${id}`, who)).toEqual(['vendor/mini', 'gpt-4o'])
      expect(await found(`token_id=${twin.id}&type=2`, who)).toEqual(['gpt-4o'])
    }
    expect([await sums(`token_id=${id}`), await sums(`token_id=${twin.id}&start_timestamp=1`)]).toEqual([30, 15])
    expect(await found(`token_id=${id}`, await world.user())).toEqual([])
  })

  it('find one request by its id, among the user’s own only', async () => {
    const [row] = dataOf(await world.admin.get('/api/log')).items
    const id = JSON.parse(row.other).request_id
    expect(await found(`request_id=${id}`)).toEqual(['vendor/mini'])
    expect(await found(`request_id=${id}`, alice)).toEqual(['vendor/mini'])
    const bob = await world.user()
    expect(await found(`request_id=${id}`, bob)).toEqual([])
  })
})

describe('a request that a second channel answered', () => {
  const retried = async () => {
    world.upstream.reset()
    world.upstream.answers({ status: 500, body: { error: { message: 'overloaded' } } }, { body: chatAnswer('ok') })
    await alice.asks('gpt-4o', 'hi')
    await alice.asks('vendor/mini', 'hi')
  }

  it('is found by that, by administrators', async () => {
    await retried()
    expect(await found('retried=true')).toEqual(['gpt-4o'])
    expect(await found('retried=false')).toEqual(['vendor/mini'])
    expect(await found('retried=true', alice)).toHaveLength(2)
  })

  it('is found by the channel on which it failed, by administrators', async () => {
    await retried()
    expect(await found(`failed_on=${first}`)).toEqual(['gpt-4o'])
    expect(await found(`failed_on=${second}`)).toEqual([])
    expect(await found(`failed_on=${first}9`)).toEqual([])
    expect(await found(`failed_on=${second}`, alice)).toHaveLength(2)
    world.upstream.reset()
    world.upstream.answers({ status: 500, body: { error: { message: 'overloaded' } } })
    await alice.asks('gpt-4o', 'hi')
    for (const id of [first, second]) expect(await found(`failed_on=${id}`)).toContain('gpt-4o')
    expect(await found(`failed_on=${second}`)).toHaveLength(1)
  })

  it('comes with the names of all its channels', async () => {
    await retried()
    const { channel_names: names } = dataOf(await world.admin.get('/api/log?retried=true'))
    expect(names).toEqual({ [first]: 'first', [second]: 'second' })
    expect(dataOf(await alice.get('/api/log/self'))).not.toHaveProperty('channel_names')
  })
})

describe('the details of a request in its row', () => {
  const told = async () => JSON.parse(dataOf(await world.admin.get('/api/log')).items[0].other)

  it('has how long it took in milliseconds', async () => {
    await alice.asks('gpt-4o', 'hi')
    expect((await told()).duration_ms).toEqual(expect.any(Number))
  })

  it('names the model that the upstream names, where it is not the one sent', async () => {
    const named = async (model: string, isStream: boolean) => {
      world.upstream.reset()
      world.upstream.answers({ body: { ...chatAnswer('ok'), model } })
      await alice.asks('gpt-4o', 'hi', { body: { stream: isStream } })
      return (await told()).response_model
    }
    expect(await named('gpt-4o', false)).toBeUndefined()
    expect(await named('gpt-4o-mini', false)).toBe('gpt-4o-mini')
    expect(await named('gpt-4o-mini', true)).toBe('gpt-4o-mini')
    await alice.calls('/v1/messages', { model: 'gpt-4o', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
    expect((await told()).response_model).toBe('gpt-4o-mini')
    expect(await named('arn:aws:bedrock:us-east-1:123456789012:inference-profile/x', false)).toBe('***')
  })

  it('names the API format of the upstream, for administrators, where it is not the caller’s', async () => {
    await alice.asks('gpt-4o', 'hi')
    expect((await told()).admin_info).not.toHaveProperty('upstream_format')
    await alice.calls('/v1/messages', { model: 'gpt-4o', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
    expect((await told()).admin_info.upstream_format).toBe('openai')
  })
})
