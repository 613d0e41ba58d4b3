import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../../gateway/base/ids.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'
import { chat, onTheWire } from './delivery/wire.ts'
import { lastReceipt } from './metering/receipts.ts'

const PLAYGROUND = '/pg/chat/completions'
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({
    options: {
      ModelRatio: { 'gpt-4o': 1 },
      GroupRatio: { default: 1, vip: 2, secret: 1 },
      UserUsableGroups: { default: 'Default', vip: 'VIP', auto: 'Auto', gone: 'No ratio' },
      AutoGroups: ['gone', 'vip'],
    },
  })
  await world.channel({ models: 'gpt-4o,unpriced', group: 'default,vip,secret,gone' })
  alice = await world.user({ quota: 1_000_000 })
})
beforeEach(() => world.upstream.reset())

const play = (more: object = {}, headers: Record<string, string> = alice.identity(), model = 'gpt-4o') =>
  onTheWire(world, PLAYGROUND, { body: chat(model, more), headers })

describe('the playground (docs/reference/endpoints.md#playground)', () => {
  it('charges the account and no token, in the requested group', async () => {
    const { key } = await world.token(alice, { unlimited_quota: false, remain_quota: 500 })
    const before = await alice.quota()
    expect((await play()).status).toBe(200)
    expect((await play({ group: 'vip' })).status).toBe(200)
    expect(before - (await alice.quota())).toBeGreaterThan(0)
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({
      token_name: 'playground-vip',
      token_id: 0,
      group: 'vip',
      other: { group_ratio: 2 },
    })
    const tokens = await world.gateway.inner.db.selectFrom('tokens').select(['remain_quota', 'used_quota']).execute()
    expect(tokens).toEqual([{ remain_quota: 500, used_quota: 0 }])
    expect(key).toBeTruthy()
  })

  it('hides the group from the upstream and leaves everything else unchanged', async () => {
    await play({ group: 'vip', temperature: 0.25 })
    expect(world.upstream.last().text).toBe(chat('gpt-4o', { temperature: 0.25 }))
    expect(world.upstream.last().path).toBe('/v1/chat/completions')
    expect(JSON.stringify(world.upstream.last().headers)).not.toMatch(/cookie|new-api-user/)
  })

  it('streams, and knows the automatic group', async () => {
    const { text, status } = await play({ group: 'auto', stream: true })
    expect([status, text.includes('[DONE]')]).toEqual([200, true])
    expect((await lastReceipt(world, alice.id)).group).toBe('vip')
  })

  it('takes the group from the live account', async () => {
    await world.gateway.inner.db.updateTable('users').set({ group: 'secret' }).where('id', '=', alice.id).execute()
    expect((await play()).status).toBe(200)
    expect((await lastReceipt(world, alice.id)).group).toBe('secret')
    await world.gateway.inner.db.updateTable('users').set({ group: 'default' }).where('id', '=', alice.id).execute()
  })

  it('refuses groups the account may not use', async () => {
    for (const group of ['secret', 'nothing', 'constructor']) {
      const { status, error } = await play({ group })
      expect([status, error.code]).toEqual([403, 'group_not_allowed'])
    }
  })

  it('refuses a group without a ratio, which would cost 1', async () => {
    const { status, error } = await play({ group: 'gone' })
    expect([status, error.code]).toEqual([403, 'group_deprecated'])
  })

  it('respects that the account accepts models without a price (docs/reference/endpoints.md#playground)', async () => {
    expect((await play({}, alice.identity(), 'unpriced')).error.code).toBe('model_price_error')
    const setting = JSON.stringify({ accept_unset_model_ratio_model: true })
    await world.gateway.inner.db.updateTable('users').set({ setting }).where('id', '=', alice.id).execute()
    expect((await play({}, alice.identity(), 'unpriced')).status).toBe(200)
    await world.gateway.inner.db.updateTable('users').set({ setting: '' }).where('id', '=', alice.id).execute()
  })

  it('requires a model', async () => {
    const { status, error } = await play({}, alice.identity(), '')
    expect([status, error.code]).toEqual([400, 'model_required'])
  })

  it('requires a session and the user’s id with it', async () => {
    const { cookie = '' } = alice.identity()
    expect((await play({}, {})).status).toBe(401)
    expect((await play({}, { cookie })).status).toBe(401)
    expect((await play({}, { cookie, 'new-api-user': String(alice.id + 1) })).status).toBe(401)
    expect((await play({}, { authorization: `Bearer sk-${await alice.key()}` })).status).toBe(401)
    expect((await play({}, { cookie, 'user-id': String(alice.id) })).status).toBe(200)
  })

  it('refuses access tokens', async () => {
    const { db } = world.gateway.inner
    await db
      .updateTable('users')
      .set({ access_token_hash: sha256('a-system-token') })
      .where('id', '=', alice.id)
      .execute()
    const headers = { authorization: 'Bearer a-system-token', 'new-api-user': String(alice.id) }
    const { status, error } = await play({}, headers)
    expect([status, error.code]).toEqual([400, 'access_token_not_supported'])
  })

  it('refuses other sites', async () => {
    for (const [name, value] of [
      ['origin', 'https://elsewhere.example'],
      ['sec-fetch-site', 'cross-site'],
    ] as const)
      expect((await play({}, { ...alice.identity(), [name]: value })).status).toBe(403)
    expect((await play({}, { ...alice.identity(), 'content-type': 'text/plain' })).status).toBe(403)
    expect(world.upstream.requests).toHaveLength(0)
  })
})
