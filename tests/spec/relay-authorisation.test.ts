import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHAT, chat, onTheWire, type WireAsk } from '../gateway/relay/delivery/wire.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

let world: World
let alice: Person
let channel: number
let disabled: number
let adminKey: string

beforeAll(async () => {
  world = await aWorld({
    options: {
      SelfUseModeEnabled: true,
      GroupRatio: { default: 1, vip: 1, empty: 1 },
      UserUsableGroups: { vip: 'VIP', gone: 'Gone', auto: 'Automatic', empty: 'Empty' },
      AutoGroups: ['secret', 'empty', 'vip'],
    },
    config: { TRUSTED_PROXIES: '127.0.0.1' },
  })
  channel = await world.channel({ models: 'gpt-4o,other', group: 'default' })
  disabled = await world.channel({ models: 'gpt-4o' })
  await world.channel({ models: 'gpt-4o,for-vip', group: 'vip' })
  await world.channel({ models: 'gpt-4o,for-secret', group: 'secret' })
  await world.admin.put('/api/channel', { id: disabled, status: 2 })
  alice = await world.user({ quota: 1_000_000_000 })
  adminKey = await world.admin.key()
  const { ledger } = world.gateway.inner
  await ledger.move({ kind: 'grant', userId: world.admin.id, amount: 1_000_000_000, refType: 'test', refId: 'root' })
})
beforeEach(() => world.upstream.reset())

const ask = (key: string | undefined, more: WireAsk = {}) =>
  onTheWire(world, CHAT, { key, body: chat('gpt-4o'), ...more })
const keyWith = async (fields: object) => (await world.token(alice, fields)).key
const statusOf = async (id: number) =>
  (await world.gateway.inner.db.selectFrom('tokens').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status

/**
 * Every refusal has one shape, names its request and reaches no upstream (docs/reference/errors.md#request-id,
 * docs/reference/errors.md#error-shapes).
 */
const refused = (answer: Awaited<ReturnType<typeof ask>>, status: number, code: string) => {
  expect([answer.status, answer.error?.code], answer.text).toEqual([status, code])
  expect(Object.keys(answer.error).sort()).toEqual(['code', 'message', 'param', 'type'])
  expect(answer.error.type).toBe('switchyard_error')
  expect(answer.error.message.endsWith(` (request id: ${answer.headers['x-request-id']})`)).toBe(true)
  expect(answer.headers['x-oneapi-request-id']).toBe(answer.headers['x-request-id'])
  expect(world.upstream.requests).toHaveLength(0)
}

describe('authorization of a request (docs/reference/errors.md#refusals)', () => {
  it('row 1: no key', async () => {
    refused(await ask(undefined), 401, 'no_api_key')
    refused(await ask(undefined, { headers: { authorization: 'Bearer ' } }), 401, 'no_api_key')
    refused(await ask(undefined, { headers: { authorization: 'Bearer sk-' } }), 401, 'no_api_key')
  })

  it('row 2: an unknown key', async () => {
    refused(await ask('x'.repeat(48)), 401, 'invalid_api_key')
    refused(await ask("' or 1=1 --"), 401, 'invalid_api_key')
    const { id, key } = await world.token(alice)
    expect((await ask(key)).status).toBe(200)
    world.upstream.reset()
    await alice.delete(`/api/token/${id}`)
    refused(await ask(key), 401, 'invalid_api_key')
  })

  it('rows 3 and 7 [FIX]: nothing left is 403, written down', async () => {
    const { id, key } = await world.token(alice, { unlimited_quota: false, remain_quota: 0 })
    refused(await ask(key), 403, 'pre_consume_token_quota_failed')
    await expect.poll(() => statusOf(id)).toBe(4)
  })

  it('rows 4 and 6 [FIX]: expired, written down', async () => {
    const { id, key } = await world.token(alice, { expired_time: Math.floor(world.clock.now() / 1000) + 60 })
    expect((await ask(key)).status).toBe(200)
    world.upstream.reset()
    world.clock.advanceSeconds(120)
    refused(await ask(key), 401, 'token_expired')
    await expect.poll(() => statusOf(id)).toBe(3)
    refused(await ask(key), 401, 'token_expired')
  })

  it('row 5: disabled, at once', async () => {
    const { id, key } = await world.token(alice)
    expect((await ask(key)).status).toBe(200)
    world.upstream.reset()
    await alice.put('/api/token?status_only=true', { id, status: 2 })
    refused(await ask(key), 401, 'token_disabled')
  })

  it('rows 8 and 9: a banned account and one that is gone, at once', async () => {
    const mallory = await world.user({ quota: 1_000_000 })
    const key = await mallory.key()
    expect((await ask(key)).status).toBe(200)
    world.upstream.reset()
    const { db } = world.gateway.inner
    await db.updateTable('users').set({ status: 2 }).where('id', '=', mallory.id).execute()
    world.clock.advance(10_000)
    refused(await ask(key), 403, 'user_banned')
    await db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', mallory.id).execute()
    world.clock.advance(10_000)
    refused(await ask(key), 401, 'invalid_api_key')
  })

  it('row 10: a channel suffix is for administrators', async () => {
    refused(await ask(`${await alice.key()}-${channel}`), 403, 'channel_not_allowed')
    expect((await ask(`${adminKey}-${channel}`)).status).toBe(200)
  })

  it('row 11 [FIX]: addresses and ranges of both families, also for a forced channel and the model list', async () => {
    const allow_ips = '10.1.0.0/16, 192.0.2.7 2001:db8:1::/48\n::ffff:198.51.100.9'
    const token = await world.token(alice, { allow_ips })
    const from = (ip: string) => ask(token.key, { headers: { 'x-forwarded-for': ip } })
    for (const ip of ['10.1.255.255', '192.0.2.7', '2001:db8:1:ffff::1', '198.51.100.9', '::ffff:10.1.2.3'])
      expect((await from(ip)).status, ip).toBe(200)
    world.upstream.reset()
    for (const ip of ['10.2.0.1', '192.0.2.8', '2001:db8:2::1', '127.0.0.1'])
      refused(await from(ip), 403, 'ip_not_allowed')
    const list = await onTheWire(world, '/v1/models', { method: 'GET', key: token.key })
    refused(list, 403, 'ip_not_allowed')
    const own = await world.token(world.admin, { allow_ips: '10.1.0.0/16' })
    refused(await ask(`${own.key}-${channel}`), 403, 'ip_not_allowed')
  })

  it('rows 12 and 13: groups the user may not use, and groups that are gone', async () => {
    const key = await keyWith({ group: 'vip' })
    expect((await ask(key)).status).toBe(200)
    world.upstream.reset()
    await world.option('UserUsableGroups', { gone: 'Gone', auto: 'Automatic', empty: 'Empty' })
    refused(await ask(key), 403, 'group_not_allowed')
    await world.option('UserUsableGroups', { vip: 'VIP', gone: 'Gone', auto: 'Automatic', empty: 'Empty' })
    await world.option('GroupRatio', { default: 1, empty: 1 })
    refused(await ask(key), 403, 'group_deprecated')
    await world.option('GroupRatio', { default: 1, vip: 1, empty: 1 })
  })

  it('row 14: a forced channel must exist and be enabled', async () => {
    refused(await ask(`${adminKey}-999999`), 400, 'get_channel_failed')
    refused(await ask(`${adminKey}-abc`), 400, 'get_channel_failed')
    refused(await ask(`${adminKey}-${disabled}`), 403, 'channel_disabled')
  })

  it('row 15 [FIX]: model limits, also on a forced channel', async () => {
    const limits = { model_limits_enabled: true, model_limits: 'other' }
    refused(await ask(await keyWith(limits)), 403, 'model_not_allowed')
    refused(await ask(await keyWith({ model_limits_enabled: true, model_limits: '' })), 403, 'model_not_allowed')
    const { key } = await world.token(world.admin, limits)
    refused(await ask(`${key}-${channel}`), 403, 'model_not_allowed')
    expect((await ask(key, { body: chat('other') })).status).toBe(200)
  })

  it('row 16: no model', async () => {
    refused(await ask(await alice.key(), { body: '{"messages":[{}]}' }), 400, 'invalid_text_request')
    refused(await ask(await alice.key(), { body: chat(' ') }), 400, 'invalid_text_request')
  })

  it('row 17: no channel for the model in the group', async () => {
    const answer = await ask(await alice.key(), { body: chat('for-vip') })
    refused(answer, 503, 'no_available_channel')
    expect(answer.error.message).toMatch(/for-vip.*default/)
    refused(await ask(await keyWith({ group: 'empty' })), 503, 'no_available_channel')
  })

  it('auto takes the first usable group that offers the model, and shows those it looked in', async () => {
    const key = await keyWith({ group: 'auto' })
    expect((await ask(key)).status).toBe(200)
    expect((await ask(key, { body: chat('for-vip') })).status).toBe(200)
    world.upstream.reset()
    const answer = await ask(key, { body: chat('for-secret') })
    refused(answer, 503, 'no_available_channel')
    expect(answer.error.message).toContain('auto(empty,vip)')
    await world.option('AutoGroups', [])
    refused(await ask(key), 503, 'no_available_channel')
    await world.option('AutoGroups', ['empty', 'vip'])
  })

  it('quota: nothing left, and too little for the estimate', async () => {
    refused(await ask(await (await world.user()).key()), 403, 'insufficient_user_quota')
    const short = await ask(await (await world.user({ quota: 3 })).key())
    refused(short, 403, 'insufficient_user_quota')
    const { id, key } = await world.token(alice, { unlimited_quota: false, remain_quota: 3 })
    refused(await ask(key), 403, 'pre_consume_token_quota_failed')
    await sleep(100)
    expect(await statusOf(id), 'a token with something left stays enabled').toBe(1)
  })

  it('answers in Chinese where the caller prefers it', async () => {
    const answer = await ask(undefined, { headers: { 'accept-language': 'zh-CN' } })
    refused(answer, 401, 'no_api_key')
    expect(answer.error.message).toMatch(/[\u4e00-\u9fff]/)
  })
})

describe('where the key is read (docs/reference/endpoints.md#api-key)', () => {
  const get = (headers: Record<string, string>, query = '') =>
    onTheWire(world, `/v1/models${query}`, { method: 'GET', headers }).then(({ status }) => status)

  it('on every path: Authorization in any case, mj-api-secret where that is empty, the realtime sub-protocol before both', async () => {
    const key = await alice.key()
    const post = async (headers: Record<string, string>) => (await ask(undefined, { headers })).status
    for (const authorization of [`Bearer sk-${key}`, `bearer  ${key} `, key, `sk-${key}`, `BEARER ${key}`])
      expect(await post({ authorization }), authorization).toBe(200)
    expect(await post({ 'mj-api-secret': `Bearer sk-${key}` })).toBe(200)
    expect(await post({ authorization: 'midjourney-proxy', 'mj-api-secret': key })).toBe(200)
    expect(await post({ authorization: 'wrong', 'mj-api-secret': key })).toBe(401)
    const protocols = `realtime, openai-insecure-api-key.sk-${key}, openai-beta.realtime-v1`
    expect(await post({ authorization: 'wrong', 'sec-websocket-protocol': protocols })).toBe(200)
    expect(await post({ 'x-api-key': key })).toBe(401)
  })

  it('on model lists also as Anthropic and Gemini clients send it', async () => {
    const key = await alice.key()
    expect(await get({ 'x-api-key': key })).toBe(200)
    expect(await get({ 'x-goog-api-key': key }, '?key=wrong')).toBe(200)
    expect(await get({}, `?key=sk-${key}`)).toBe(200)
    expect(await get({}, '?key=wrong')).toBe(401)
  })

  it('never in the query elsewhere', async () => {
    const answer = await onTheWire(world, `${CHAT}?key=${await alice.key()}`, { body: chat('gpt-4o') })
    expect(answer.status).toBe(401)
  })
})
