import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor, ApiCaller } from '../../../../gateway/api/actor.ts'
import { createChannelApi } from '../../../../gateway/api/channel/channel.ts'
import type { Served } from '../../../../gateway/api/serve.ts'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { createHttpClient } from '../../../../gateway/base/network/http-client.ts'
import { type Channels, createChannels } from '../../../../gateway/channels/channels.ts'
import { ownState } from '../../../../gateway/shared-state/shared-state.ts'
import { channel as calls } from '../../../../shared/api/channel.ts'
import { noJobs } from '../../../support/no-jobs.ts'
import { clock, type Opened, openEmpty, settingsWith, upstream, vault } from '../workshop.ts'

const actor: Actor = {
  id: 1,
  username: 'root',
  role: 100,
  status: 1,
  group: 'default',
  via: 'session',
  isDesktop: false,
  signedInAt: 0,
}
// Channel calls read only the caller's address and language.
const caller = { ip: '127.0.0.1', locale: 'en', memory: { grow() {} } } as unknown as ApiCaller // the members that these calls use

describe('the channel calls of the console', () => {
  let opened: Opened
  let channels: Channels
  let served: Served[]
  let server: Awaited<ReturnType<typeof upstream>>
  const client = createHttpClient(1_000)

  /** Makes a call as the server would: parsed by the contract first, and its result checked against it. */
  async function send(name: keyof typeof calls, given: { params?: object; query?: object; body?: object } = {}) {
    const call = calls[name]
    const one = served.find((candidate) => candidate.call === call)!
    const asked = {
      params: 'params' in call ? call.params.parse(given.params ?? {}) : undefined,
      query: 'query' in call ? call.query.parse(given.query ?? {}) : undefined,
      body: 'body' in call ? call.body.parse(given.body ?? {}) : undefined,
      actor,
      caller,
    }
    const answer = await one.handle(asked)
    if (!('extras' in call)) return { data: call.answer.parse(answer) as unknown }
    const { data, failed, extras } = answer as { data?: unknown; failed?: string; extras: unknown }
    call.extras.parse(extras)
    if (failed === undefined) call.answer.parse(data)
    return { data, failed, extras }
  }
  const create = (fields: object = {}) =>
    send('create', {
      body: {
        type: 1,
        name: 'one',
        key: 'sk-secret',
        models: 'gpt-4o,o1',
        group: 'default',
        base_url: server.base,
        ...fields,
      },
    })
  const ids = async () =>
    ((await send('list', { query: { page_size: '100' } })).data as { id: number }[]).map(({ id }) => id)

  beforeAll(async () => {
    opened = await openEmpty('SQLite')
    server = await upstream({
      '/v1/models': { body: { data: [{ id: 'gpt-4o' }] } },
      '/v1/dashboard/billing/subscription': { body: { hard_limit_usd: 9, has_payment_method: true } },
      '/v1/dashboard/billing/usage': { body: { total_usage: 100 } },
    })
    channels = await createChannels({
      db: opened.db,
      reader: { until: () => opened.db },
      vault,
      settings: await settingsWith(),
      clock,
      log: silentLogger,
      fetchTrusted: client.fetchTrusted,
      probe: async ({ name }) => {
        const status = name === 'bad' ? 500 : 200
        return { status, json: { choices: [] }, text: 'broken', ms: 12 }
      },
      chatAddress: ({ baseUrl }) => `${baseUrl}/v1/chat/completions`,
      auditLog: { record() {} },
      shared: ownState(clock),
      jobs: noJobs,
    })
    served = createChannelApi(channels, (model) => ({ model, input: 2, output: 4, fixed: null }))
  })
  beforeEach(async () => {
    await channels.editor.removeMany(await ids())
  })
  afterAll(async () => {
    await channels.stop()
    await client.close()
    await server.close()
    await opened.close()
  })

  it('serve the whole contract', () => {
    expect(new Set(served.map(({ call }) => call))).toEqual(new Set(Object.values(calls)))
  })

  it('create, list, show, change and remove, and never show a key', async () => {
    await create({ key: 'sk-secret-1\nsk-secret-2' })
    const listed = await send('list', { query: { p: '0', page_size: '1', id_sort: 'true' } })
    expect(listed.extras).toEqual({ total: 2, page: 0, page_size: 1, type_counts: { 1: 2 } })
    const [first, second] = await ids()
    const shown = [
      listed,
      await send('one', { params: { id: String(first) } }),
      await send('update', { body: { id: first, name: 'two', priority: 4 } }),
      await send('search', { query: { keyword: 'two', tag_mode: 'false' } }),
    ]
    expect(JSON.stringify(shown)).not.toMatch(/sk-secret|"key"|v1\./)
    expect(shown[3]?.data).toMatchObject([{ id: first, priority: 4 }])
    await send('remove', { params: { id: first } })
    expect((await send('removeMany', { body: { ids: [first, second] } })).data).toBe(1)
    await expect(send('one', { params: { id: first } })).rejects.toMatchObject({ key: 'channel.not_found' })
  })

  it('handle tags and the disabled, and repair', async () => {
    await create({ key: 'a\nb' })
    const both = await ids()
    expect((await send('tagMany', { body: { ids: both, tag: 'eu' } })).data).toBe(2)
    expect((await send('tagModels', { query: { tag: 'eu' } })).data).toBe('gpt-4o,o1')
    await send('updateTag', { body: { tag: 'eu', new_tag: 'us', groups: ['vip'] } })
    expect(channels.registry.modelsOf('vip')).toEqual(['gpt-4o', 'o1'])
    await send('disableTag', { body: { tag: 'us' } })
    expect((await send('enabledModels')).data).toEqual([])
    await send('enableTag', { body: { tag: 'us' } })
    expect((await send('enabledModels')).data).toEqual(['gpt-4o', 'o1'])
    expect((await send('fix')).data).toBe(2)
    await send('disableTag', { body: { tag: 'us' } })
    expect((await send('removeDisabled')).data).toBe(2)
  })

  it('know every model, once, as OpenAI shows them', async () => {
    await create({ models: 'my-own-model' })
    const models = (await send('models')).data as { id: string; owned_by: string }[]
    expect(models).toContainEqual(expect.objectContaining({ id: 'gpt-4o', owned_by: 'OpenAI', created: 1_626_777_600 }))
    expect(models).toContainEqual(expect.objectContaining({ id: 'my-own-model', owned_by: 'custom' }))
    expect(new Set(models.map(({ id }) => id)).size).toBe(models.length)
  })

  it('test one channel, and return the time, also when it fails', async () => {
    await create()
    await create({ name: 'bad' })
    const [bad, good] = await ids()
    expect(await send('test', { params: { id: good } })).toMatchObject({ data: null, extras: { time: 0.012 } })
    expect(await send('test', { params: { id: bad }, query: { model: 'o1' } })).toMatchObject({
      failed: 'status code 500: broken',
      extras: { time: 0.012, code: 'failed' },
    })
    expect((await send('testAll')).data).toBeNull()
    await channels.test.idle()
  })

  it('query upstreams for balance and models', async () => {
    await create()
    const [id] = await ids()
    expect((await send('balance', { params: { id } })).extras).toEqual({ balance: 8 })
    expect((await send('balances')).data).toBeNull()
    await channels.balance.idle()
    expect((await send('fetchOwnModels', { params: { id } })).data).toEqual(['gpt-4o'])
    expect((await send('fetchModels', { body: { base_url: server.base, type: 1, key: 'k' } })).data).toEqual(['gpt-4o'])
  })

  it('reject a name, tag or group with characters that change the writing direction or are invisible', async () => {
    await expect(create({ name: '\u202eeno' })).rejects.toThrow()
    await expect(create({ tag: 'a\u2066b' })).rejects.toThrow()
    await expect(create({ name: 'one\u200b' })).rejects.toThrow()
    await expect(create({ group: 'default,v\u00adip' })).rejects.toThrow()
    await create({ name: 'قناة', tag: 'وسم' })
    const [id] = await ids()
    await expect(send('update', { body: { id, name: 'one\u2069' } })).rejects.toThrow()
    await expect(send('tagMany', { body: { ids: [id], tag: '\u202d' } })).rejects.toThrow()
    await expect(send('updateTag', { body: { tag: 'وسم', new_tag: '\u202b' } })).rejects.toThrow()
  })

  it('report which clients were served', async () => {
    await create()
    const [id] = await ids()
    expect((await send('upstreamSeen', { params: { id } })).data).toEqual([])
    const noted = async (...times: readonly number[]) => {
      for (const time of times) channels.clientUsage.note(id!, 'vip', 'curl/8', time)
      return (await send('upstreamSeen', { params: { id } })).data
    }
    expect(await noted(5, 100)).toEqual([{ group: 'vip', client_types: ['curl'], first_seen: 5, last_seen: 100 }])
    expect(await noted(300)).toEqual([{ group: 'vip', client_types: ['curl'], first_seen: 5, last_seen: 300 }])
  })
})
