import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatewayError } from '../../../gateway/base/errors.ts'
import { createModelRates } from '../../../gateway/limits/model-rates.ts'
import { createRequestLimits } from '../../../gateway/limits/request-limits.ts'
import { createClientSecrets } from '../../../gateway/relay/admission/client-secrets.ts'
import { MAX_ACCOUNT_SIZE, MAX_CONVERSATIONS } from '../../../gateway/relay/stored/conversations.ts'
import { createConnectionLimits } from '../../../gateway/relay/websockets/connection-limits.ts'
import { noSharedCounts } from '../../../gateway/shared-state/shared-counts.ts'
import { channelTypes } from '../../../shared/channel-types.ts'
import { dataOf } from '../../support/client.ts'
import { aDrawingVendor, aMusicVendor } from '../../support/task-vendors.ts'
import { aWorld, type World } from '../../support/world.ts'
import { DRAWS } from '../relay/tasks/drawing-fixture.ts'

const MODEL = 'deepseek-chat'
let world: World
beforeAll(async () => {
  world = await aWorld({
    options: { ModelRatio: { [MODEL]: 1 }, DisplayTokenStatEnabled: false },
    config: { UPDATE_TASK: 'false' },
  })
  await world.channel({ type: channelTypes.deepseek.id, models: MODEL })
  await world.channel({ type: channelTypes.midjourney.id, models: DRAWS })
  await world.channel({ type: channelTypes.suno.id, models: 'suno_music,suno_lyrics' })
})
beforeEach(() => world.upstream.reset())

const guest = async (): Promise<string> => {
  const expires_at = Math.floor(world.clock.now() / 1000) + 86_400
  const { key } = dataOf(await world.admin.post('/api/share/keys', { name: 'guest', quota: 5_000_000, expires_at }))
  return key.slice(3)
}
const calls = (key: string, path: string, body: unknown = {}) => world.admin.calls(path, body, { key })
async function gets(key: string, path: string, method = 'GET') {
  const response = await fetch(world.url + path, { method, headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, json: await response.json() }
}

/** The keys of two guests and of the owner. */
async function three() {
  const [one, other, owner] = [await guest(), await guest(), await world.admin.key()]
  return { one, other, owner }
}

/** Not expired, whatever the clock shows. */
const FAR_FUTURE_S = 4_000_000_000

describe('a guest key (docs/reference/share-people.md#guest-access)', () => {
  it('reads, continues and deletes only the responses that it made itself', async () => {
    const { one, other, owner } = await three()
    const asks = (key: string, more: object = {}) => calls(key, '/v1/responses', { model: MODEL, input: 'hi', ...more })
    const { id, output } = (await asks(one)).json
    const { id: owners } = (await asks(owner)).json
    for (const foreign of [owners, (await asks(other)).json.id]) {
      expect((await gets(one, `/v1/responses/${foreign}`)).status).toBe(404)
      expect((await gets(one, `/v1/responses/${foreign}/input_items`)).status).toBe(404)
      expect((await gets(one, `/v1/responses/${foreign}`, 'DELETE')).status).toBe(404)
      expect((await asks(one, { previous_response_id: foreign })).status).toBe(400)
    }
    const named = [{ type: 'item_reference', id: output[0].id }]
    expect((await asks(other, { input: named })).status).toBe(404)
    expect((await asks(one, { input: named })).status).toBe(200)
    expect((await asks(one, { previous_response_id: id })).status).toBe(200)
    // The owner can access all responses of the account.
    expect((await asks(owner, { previous_response_id: id })).status).toBe(200)
    expect((await gets(one, `/v1/responses/${id}`, 'DELETE')).status).toBe(200)
    expect((await gets(owner, `/v1/responses/${owners}`)).status).toBe(200)
  })

  it('reaches only its own responses once they are written, not only while they are pending', async () => {
    const { one, other } = await three()
    const made = async () => (await calls(one, '/v1/responses', { model: MODEL, input: 'hi' })).json.id
    const [id, last] = [await made(), await made()]
    // Deleting one response writes all pending ones.
    await gets(one, `/v1/responses/${last}`, 'DELETE')
    expect((await gets(other, `/v1/responses/${id}`)).status).toBe(404)
    expect((await gets(one, `/v1/responses/${id}`)).status).toBe(200)
  })

  it('reads, changes, adds to and deletes only its own conversations', async () => {
    const { one, other, owner } = await three()
    const made = async (key: string) => (await calls(key, '/v1/conversations')).json.id
    const [own, owners] = [await made(one), await made(owner)]
    const item = { items: [{ role: 'user', content: 'hi' }] }
    for (const foreign of [owners, await made(other)]) {
      const path = `/v1/conversations/${foreign}`
      const tries = [
        gets(one, path),
        gets(one, `${path}/items`),
        gets(one, path, 'DELETE'),
        calls(one, path, { metadata: { a: 'b' } }),
        calls(one, `${path}/items`, item),
        calls(one, '/v1/responses', { model: MODEL, input: 'hi', conversation: foreign }),
      ]
      expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    }
    expect((await calls(one, `/v1/conversations/${own}/items`, item)).status).toBe(200)
    const turn = { model: MODEL, input: 'hi', conversation: own }
    expect((await calls(one, '/v1/responses', turn)).status).toBe(200)
    expect((await gets(owner, `/v1/conversations/${own}`)).status).toBe(200)
    expect((await gets(one, `/v1/conversations/${own}`, 'DELETE')).status).toBe(200)
  })

  it('leaves the second half of the account’s space for conversations to the account', async () => {
    const { one, owner } = await three()
    const { db } = world.gateway.inner
    const own = (await calls(one, '/v1/conversations')).json.id
    const items = { items: [{ role: 'user', content: 'hi' }] }
    const full = async (key: string, path: string, body: object = {}) => (await calls(key, path, body)).json.error?.code
    const used = { user_id: world.admin.id, created_at: 1, used_at: FAR_FUTURE_S }
    const large = { ...used, id: 'conv_large', size: MAX_ACCOUNT_SIZE / 2 }
    await db.insertInto('conversations').values(large).execute()
    for (const path of ['/v1/conversations', `/v1/conversations/${own}/items`])
      expect(await full(one, path, items)).toBe('conversation_full')
    expect(await full(one, '/v1/responses', { model: MODEL, input: 'hi', conversation: own })).toBe('conversation_full')
    expect(await full(owner, `/v1/conversations/${own}/items`, items)).toBeUndefined()
    await db.deleteFrom('conversations').where('id', '=', 'conv_large').execute()

    const row = (index: number) => ({ ...used, id: `conv_${index}` })
    for (let at = 0; at < MAX_CONVERSATIONS / 2; at += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => row(at + index))
      await db.insertInto('conversations').values(rows).execute()
    }
    expect(await full(one, '/v1/conversations')).toBe('conversation_full')
    expect(await full(owner, '/v1/conversations')).toBeUndefined()
    await db.deleteFrom('conversations').where('used_at', '=', FAR_FUTURE_S).execute()
  })

  it('sees and continues only the drawings that it made itself', async () => {
    aDrawingVendor(world.upstream)
    const { one, other, owner } = await three()
    const draws = async (key: string) => (await calls(key, '/mj/submit/imagine', { prompt: 'a cat' })).json.result
    const own = await draws(one)
    for (const foreign of [await draws(owner), await draws(other)]) {
      expect((await gets(one, `/mj/task/${foreign}/fetch`)).json.code).not.toBe(1)
      expect((await gets(one, `/mj/task/${foreign}/fetch`)).json.id).toBeUndefined()
      expect((await gets(one, `/mj/task/${foreign}/image-seed`)).json.id).toBeUndefined()
      const listed = await calls(one, '/mj/task/list-by-condition', { ids: [foreign, own] })
      expect(listed.json.map(({ id }: { id: string }) => id)).toEqual([own])
      const change = await calls(one, '/mj/submit/change', { action: 'UPSCALE', index: 1, taskId: foreign })
      expect(JSON.stringify(change.json)).toContain('task_not_found')
    }
    expect((await gets(one, `/mj/task/${own}/fetch`)).json.id).toBe(own)
    expect((await gets(owner, `/mj/task/${own}/fetch`)).json.id).toBe(own)
  })

  it('sees and continues only the music that it made itself', async () => {
    aMusicVendor(world.upstream)
    const { one, other, owner } = await three()
    const makes = async (key: string, more: object = {}) =>
      (await calls(key, '/suno/submit/music', { prompt: 'a song', ...more })).json
    const own = (await makes(one)).data
    for (const foreign of [(await makes(owner)).data, (await makes(other)).data]) {
      expect((await gets(one, `/suno/fetch/${foreign}`)).json.code).toBe('task_not_exist')
      const listed = await calls(one, '/suno/fetch', { ids: [foreign, own] })
      expect(listed.json.data.map(({ task_id }: { task_id: string }) => task_id)).toEqual([own])
      expect((await makes(one, { task_id: foreign, continue_clip_id: 'x' })).code).toBe('task_not_exist')
    }
    expect((await gets(owner, `/suno/fetch/${own}`)).json.data.task_id).toBe(own)
  })

  it('is shown its own quota by the billing dashboard, never the account’s', async () => {
    const key = await guest()
    for (const part of ['subscription', 'usage']) {
      const { json } = await gets(key, `/v1/dashboard/billing/${part}`)
      expect(json.hard_limit_usd ?? json.total_usage).toBe(part === 'usage' ? 0 : 10)
    }
  })

  it('leaves half of the account’s sockets, of its request rate and of its client secrets to the account', async () => {
    const account = { id: 1 }
    const [its, owners] = [{ account, isGuest: true }, { account }]
    const refusal = (work: () => unknown) => {
      try {
        return void work()
      } catch (error) {
        return error instanceof GatewayError ? error.code : error
      }
    }
    const times = (count: number, work: () => unknown) => Array.from({ length: count }, () => refusal(work))
    const { take } = createConnectionLimits()
    expect(times(26, () => take(its)).filter(Boolean)).toEqual(['too_many_sockets'])
    expect(times(26, () => take(owners)).filter(Boolean)).toEqual(['too_many_sockets'])

    const { clock } = world
    await world.option('ModelRequestRateLimitEnabled', true)
    await world.option('ModelRequestRateLimitCount', 4)
    const own = { livingNodes: () => 1, counts: noSharedCounts }
    const rates = createModelRates({ settings: world.gateway.inner.settings, clock, ...own })
    expect(times(3, () => rates.enter(its, 'default')).filter(Boolean)).toEqual(['rate_limit_exceeded'])
    expect(times(3, () => rates.enter(owners, 'default')).filter(Boolean)).toEqual(['rate_limit_exceeded'])
    await world.option('ModelRequestRateLimitEnabled', false)

    const { issue } = createClientSecrets(clock)
    const session = { instructions: 'x'.repeat(100_000) }
    const secret = (isGuest: boolean) => issue({ userId: 1, keyHash: '', isGuest }, session, 60)
    expect(times(6, () => secret(true)).filter(Boolean)).toEqual(['rate_limit_exceeded'])
    expect(times(6, () => secret(false)).filter(Boolean)).toEqual(['rate_limit_exceeded'])
  })

  it('leaves half of the account’s requests at once to the account', () => {
    const limits = createRequestLimits({ perUser: 4, perKey: 0 })
    const of = (tokenId: number, isGuest: boolean) => ({ account: { id: 1 }, tokenId, isGuest })
    const refusalAt = (count: number) => expect.objectContaining({ key: 'relay.tooManyOfUser', params: { count } })
    limits.enter(of(1, true))
    limits.enter(of(2, true))
    for (const tokenId of [1, 2, 3]) expect(() => limits.enter(of(tokenId, true))).toThrow(refusalAt(2))
    limits.enter(of(9, false))
    limits.enter(of(9, false))
    expect(() => limits.enter(of(9, false))).toThrow(refusalAt(4))
    for (const tokenId of [1, 2]) limits.leave(of(tokenId, true))
    expect(() => limits.enter(of(1, true))).toThrow(refusalAt(2))
    limits.leave(of(9, false))
    limits.enter(of(1, true))
  })
})
