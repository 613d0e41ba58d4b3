import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createListing } from '../../../../gateway/channels/admin/listing.ts'
import { keyContext } from '../../../../gateway/channels/registry/active-channel.ts'
import { channelClientStore } from '../../../../gateway/store/channels/channel-clients.ts'
import { channelKeyStore } from '../../../../gateway/store/channels/channel-keys.ts'
import { channelStore } from '../../../../gateway/store/channels/channels.ts'
import { dialects, NOW, type Opened, openEmpty, vault, workshop } from '../workshop.ts'

const memory = { grow: () => {} }

const basic = { type: 1, name: 'one', key: 'sk-one', models: 'gpt-4o,gpt-4o-mini', group: 'default' }

describe.each(dialects)('channels on %s', (kind) => {
  let opened: Opened
  let parts: ReturnType<typeof workshop>
  const store = () => channelStore(opened.db)
  /** Group, model and id of every route. */
  const routes = () =>
    ['default', 'vip'].flatMap((group) =>
      parts.registry
        .modelsOf(group)
        .flatMap((model) =>
          parts.registry
            .tiers(group, model)
            .flatMap(({ members }) => members.map(({ channel: { id } }) => [group, model, id] as const)),
        ),
    )
  const only = async () => (await store().all())[0]!
  const listing = () =>
    createListing({
      db: opened.db,
      registry: parts.registry,
      cooldowns: { list: () => [] },
      failing: async () => new Map(),
    })

  beforeAll(async () => {
    opened = await openEmpty(kind)
    parts = workshop(opened.db)
  })
  beforeEach(() => parts.clear())
  afterAll(() => opened.close())

  describe('creating', () => {
    it('makes one channel a line, each key sealed to its own row', async () => {
      await parts.editor.create({ ...basic, key: ' sk-a \r\n\n  \nsk-b\n' })
      const rows = await store().all()
      expect(rows.map(({ id, key }) => vault.open(key, keyContext(id)))).toEqual(['sk-a', 'sk-b'])
      expect(rows.every(({ key }) => key.startsWith('v1.'))).toBe(true)
      expect(rows[0]).toMatchObject({
        status: 1,
        weight: 0,
        priority: 0,
        auto_ban: 1,
        group: 'default',
        created_time: NOW,
      })
    })

    it('takes the whole text of a service account as one key, and a list of them as several', async () => {
      const account = '{\n  "client_email": "a@b",\n  "private_key": "x"\n}'
      const vertex = { ...basic, type: 41, other: 'us-central1' }
      await parts.editor.create({ ...vertex, key: account })
      await parts.editor.create({ ...vertex, key: `[${account}, {"client_email":"c@d"}]` })
      const keys = (await store().all()).map(({ id, key }) => vault.open(key, keyContext(id)))
      expect(keys).toHaveLength(3)
      expect(keys[0]).toBe(account)
      expect(JSON.parse(keys[2]!)).toEqual({ client_email: 'c@d' })
    })

    it('tidies models, groups and the address, and offers each pair once', async () => {
      await parts.editor.create({
        ...basic,
        models: ' gpt-4o , gpt-4o,, o1 ',
        group: 'default, vip,default',
        base_url: ' http://127.0.0.1:9/ ',
      })
      expect(await only()).toMatchObject({ models: 'gpt-4o,o1', group: 'default,vip', base_url: 'http://127.0.0.1:9' })
      expect(routes().map(([group, model]) => [group, model])).toEqual([
        ['default', 'gpt-4o'],
        ['default', 'o1'],
        ['vip', 'gpt-4o'],
        ['vip', 'o1'],
      ])
    })

    it('accepts groups as a list too, and uses default where none is given', async () => {
      const { group: _group, ...without } = basic
      await parts.editor.create({ ...without, groups: ['a', 'b'] })
      await parts.editor.create(without)
      expect((await store().all()).map(({ group }) => group)).toEqual(['a,b', 'default'])
    })

    it.each([
      ['no key', { key: ' \n \n' }, 'channel.required'],
      ['no name', { name: ' ' }, 'channel.required'],
      ['no models', { models: ' , ' }, 'channel.models'],
      ['no group', { group: ' , ' }, 'input.invalid'],
      ['a long model name', { models: `gpt-4o,${'x'.repeat(256)}` }, 'channel.model_long'],
      ['a mapping to a number', { model_mapping: '{"a":1}' }, 'channel.mapping'],
      ['a mapping that is a list', { model_mapping: '[]' }, 'channel.mapping'],
      ['a status mapping out of range', { status_code_mapping: '{"400":"9000"}' }, 'input.invalid'],
      ['a proxy of another scheme', { setting: '{"proxy":"ftp://127.0.0.1"}' }, 'input.invalid'],
      ['an override of the model', { param_override: '{"model":"x"}' }, 'input.invalid'],
      ['an override of the prototype', { param_override: '{"a":{"__proto__":{"x":1}}}' }, 'input.invalid'],
      ['a file address', { base_url: 'file:///etc/passwd' }, 'input.invalid'],
      ['a metadata address', { base_url: 'http://169.254.169.254/latest' }, 'input.invalid'],
      ['a metadata address in disguise', { base_url: 'http://2852039166' }, 'input.invalid'],
      ['Azure without an address', { type: 3 }, 'input.invalid'],
      ['Vertex without a region', { type: 41 }, 'channel.region'],
      ['a region map without default', { type: 41, other: '{"a":"b"}' }, 'channel.region_default'],
      ['a copy of nothing', { copy_from: 999_999 }, 'channel.not_found'],
    ])('refuses %s and writes nothing', async (_what, fields, key) => {
      await expect(parts.editor.create({ ...basic, ...fields })).rejects.toMatchObject({ key })
      expect(await store().all()).toEqual([])
      expect(routes()).toEqual([])
    })

    it('copies key and settings but neither balance, use nor history', async () => {
      await parts.editor.create({ ...basic, base_url: 'http://127.0.0.1:9', priority: 7, tag: 'eu' })
      const source = await only()
      await store().update([source.id], { balance: 5, used_quota: 9, response_time: 3, test_time: 4 })
      await parts.editor.create({ copy_from: source.id, name: 'one copy' })
      const copy = (await store().all())[1]!
      expect(vault.open(copy.key, keyContext(copy.id))).toBe('sk-one')
      expect(copy).toMatchObject({
        name: 'one copy',
        base_url: 'http://127.0.0.1:9',
        priority: 7,
        tag: 'eu',
        balance: 0,
        used_quota: 0,
        response_time: 0,
        test_time: 0,
      })
      expect(parts.registry.tiers('default', 'gpt-4o')[0]?.members).toHaveLength(2)
    })

    it('copies nothing of a channel whose key cannot be read, and reports that', async () => {
      await parts.editor.create(basic)
      const { id } = await only()
      await store().update([id], { key: vault.seal('sk-one', keyContext(id + 1)) })
      await expect(parts.editor.create({ copy_from: id, name: 'copy' })).rejects.toMatchObject({
        key: 'channel.copy_fail',
      })
      expect(await store().all()).toHaveLength(1)
    })

    it('creates a copy of a disabled channel disabled unless it gets a separate key', async () => {
      await parts.editor.create(basic)
      const { id } = await only()
      await parts.editor.update({ id, status: 2 })
      await parts.editor.create({ copy_from: id, name: 'copy' })
      await parts.editor.create({ copy_from: id, name: 'fresh', key: 'sk-new' })
      expect((await store().all()).map(({ status }) => status)).toEqual([2, 2, 1])
    })
  })

  describe('updating', () => {
    beforeEach(() => parts.editor.create({ ...basic, weight: 5, priority: 3, tag: 'eu', model_mapping: '{"a":"b"}' }))

    it('writes the fields that are present, also zero and empty, and leaves the rest', async () => {
      const { id } = await only()
      const view = await parts.editor.update({ id, weight: 0, priority: 0, model_mapping: '', tag: null })
      expect(view).toMatchObject({
        name: 'one',
        weight: 0,
        priority: 0,
        model_mapping: '',
        tag: null,
        models: basic.models,
      })
      expect(view).not.toHaveProperty('key')
      expect(parts.registry.tiers('default', 'gpt-4o')).toMatchObject([{ priority: 0, members: [{ weight: 0 }] }])
      expect(parts.registry.channel(id)?.tag).toBeNull()
    })

    it('preserves the key when it is empty and seals a new one', async () => {
      const { id, key } = await only()
      await parts.editor.update({ id, key: '  ' })
      expect((await only()).key).toBe(key)
      await parts.editor.update({ id, key: 'sk-two' })
      expect(vault.open((await only()).key, keyContext(id))).toBe('sk-two')
      expect(parts.registry.channel(id)?.key).toBe('sk-two')
      await expect(parts.editor.update({ id, key: 'a\nb' })).rejects.toMatchObject({ key: 'input.invalid' })
    })

    it('routes by other models at once', async () => {
      const { id } = await only()
      await parts.editor.update({ id, models: 'o1', group: 'vip' })
      expect(routes()).toEqual([['vip', 'o1', id]])
      expect(parts.registry.tiers('default', 'gpt-4o')).toEqual([])
      expect(parts.registry.tiers('vip', 'o1')[0]?.members[0]?.channel.id).toBe(id)
    })

    it('switches on and off, clears the reason, and leaves status 3 to the system', async () => {
      const { id } = await only()
      await parts.editor.update({ id, status: 2 })
      expect(routes()).toEqual([])
      expect(parts.registry.tiers('default', 'gpt-4o')).toEqual([])
      await expect(parts.editor.update({ id, status: 3 })).rejects.toMatchObject({ key: 'input.invalid' })
      await store().update([id], { status: 3, other_info: '{"status_reason":"r","status_time":1,"note":"n"}' })
      await parts.editor.update({ id, status: 3, name: 'renamed' })
      expect(await only()).toMatchObject({ status: 3, name: 'renamed' })
      await parts.editor.update({ id, status: 1 })
      expect(await only()).toMatchObject({ status: 1, other_info: '{"note":"n"}' })
      expect(parts.registry.tiers('default', 'gpt-4o')).toHaveLength(1)
    })

    it('undoes everything when one field is refused', async () => {
      const before = await store().all()
      const { id } = await only()
      await expect(parts.editor.update({ id, name: 'x', models: ',' })).rejects.toMatchObject({ key: 'channel.models' })
      await expect(parts.editor.update({ id: id + 1, name: 'x' })).rejects.toMatchObject({ key: 'channel.not_found' })
      expect(await store().all()).toEqual(before)
    })
  })

  describe('tags', () => {
    beforeEach(async () => {
      await parts.editor.create({ ...basic, key: 'a\nb', tag: 'eu' })
      await parts.editor.create({ ...basic, name: 'other', tag: 'us', models: 'gpt-4o,o1,o3' })
      await parts.editor.create({ ...basic, name: 'bare' })
    })
    const byTag = async (tag: string) => store().byTag(tag)

    it('switch all their channels off and on', async () => {
      await parts.tags.disable('eu')
      expect((await byTag('eu')).map(({ status }) => status)).toEqual([2, 2])
      const off = (await byTag('eu')).map(({ id }) => id)
      expect(routes().filter(([, , id]) => off.includes(id))).toEqual([])
      expect(parts.registry.tiers('default', 'gpt-4o')[0]?.members).toHaveLength(2)
      await store().update([(await byTag('eu'))[0]!.id], { other_info: '{"status_reason":"r","status_time":1}' })
      await parts.tags.enable('eu')
      expect((await byTag('eu')).map(({ status, other_info }) => [status, other_info])).toEqual([
        [1, ''],
        [1, ''],
      ])
      expect(parts.registry.tiers('default', 'gpt-4o')[0]?.members).toHaveLength(4)
    })

    it('rename, dissolve, and overwrite the given fields, zero included', async () => {
      await parts.tags.change({ tag: 'eu', new_tag: 'europe', priority: 0, weight: 0, models: ' o1 ', groups: 'vip' })
      const rows = await byTag('europe')
      expect(rows.map(({ models, group, weight }) => [models, group, weight])).toEqual([
        ['o1', 'vip', 0],
        ['o1', 'vip', 0],
      ])
      const ids = rows.map(({ id }) => id)
      expect(routes().filter(([, , id]) => ids.includes(id))).toEqual(ids.map((id) => ['vip', 'o1', id]))
      await parts.tags.change({ tag: 'europe', new_tag: '', priority: -4 })
      expect(await byTag('europe')).toEqual([])
      expect(parts.registry.tiers('vip', 'o1')).toMatchObject([{ priority: -4, members: [{}, {}] }])
      expect(ids.map((id) => parts.registry.channel(id)?.tag)).toEqual([null, null])
    })

    it('leave disabled channels off when models change', async () => {
      const [first] = await byTag('eu')
      await parts.editor.update({ id: first!.id, status: 2 })
      await parts.tags.change({ tag: 'eu', models: 'o1', model_mapping: ' ', groups: '' })
      const second = (await byTag('eu'))[1]!.id
      expect(parts.registry.channel(first!.id)?.models).toEqual(['o1'])
      expect(routes().filter(([, , id]) => id === first!.id || id === second)).toEqual([['default', 'o1', second]])
    })

    it('refuse an empty name and return the longest model list', async () => {
      await expect(parts.tags.change({ tag: ' ' })).rejects.toMatchObject({ key: 'channel.tag_empty' })
      await expect(parts.tags.disable('')).rejects.toMatchObject({ key: 'channel.tag_empty' })
      expect(await parts.tags.modelsOf('us')).toBe('gpt-4o,o1,o3')
      expect(await parts.tags.modelsOf('nobody')).toBe('')
    })

    it('are set and cleared for many channels at once', async () => {
      const ids = (await store().all()).map(({ id }) => id)
      expect(await parts.tags.tagMany([...ids, 999_999], 'all')).toBe(4)
      expect(new Set(ids.map((id) => parts.registry.channel(id)?.tag))).toEqual(new Set(['all']))
      expect(await parts.tags.tagMany(ids, null)).toBe(4)
      expect((await store().all()).map(({ tag }) => tag)).toEqual([null, null, null, null])
    })

    it('page the list, the channels without one last', async () => {
      const ask = { p: 0, page_size: 1, id_sort: false, tag_mode: true, type: -1, status: 0 }
      const pages = await Promise.all([0, 1, 2, 3].map((p) => listing().list({ ...ask, p }, memory)))
      expect(pages.map(({ rows }) => rows.map(({ name }) => name))).toEqual([['one', 'one'], ['other'], ['bare'], []])
      expect(pages.map(({ total }) => total)).toEqual([3, 3, 3, 3])
    })

    it('widen a search to all channels of a tag', async () => {
      const [first] = await byTag('eu')
      await parts.editor.update({ id: first!.id, name: 'needle' })
      const ask = { keyword: 'NEEDLE', group: '', model: '', id_sort: false }
      expect(await listing().search({ ...ask, tag_mode: false }, memory)).toHaveLength(1)
      expect(await listing().search({ ...ask, tag_mode: true }, memory)).toHaveLength(2)
    })
  })

  describe('listing', () => {
    beforeEach(async () => {
      await parts.editor.create({ ...basic, name: 'low', priority: -1, models: 'gpt-4o', group: 'default,vip' })
      await parts.editor.create({
        ...basic,
        name: '50%_off',
        type: 14,
        key: 'sk-ant',
        models: 'claude-3',
        group: 'vip2',
      })
      await parts.editor.create({ ...basic, name: 'high', priority: 9, base_url: 'http://127.0.0.1:77' })
    })
    const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)
    const find = async (fields: object) => {
      const ask = { keyword: '', group: '', model: '', id_sort: false, tag_mode: false, ...fields }
      return names(await listing().search(ask, memory))
    }

    it('sorts by priority or by id, counts, and never contains a key', async () => {
      const ask = { p: 0, page_size: 2, id_sort: false, tag_mode: false, type: -1, status: 0 }
      const first = await listing().list(ask, memory)
      expect(names(first.rows)).toEqual(['high', '50%_off'])
      expect(first).toMatchObject({ total: 3, typeCounts: { 1: 2, 14: 1 } })
      expect(first.rows.some((row) => 'key' in row)).toBe(false)
      expect(names((await listing().list({ ...ask, p: 1 }, memory)).rows)).toEqual(['low'])
      expect(names((await listing().list({ ...ask, id_sort: true }, memory)).rows)).toEqual(['high', '50%_off'])
      expect(names((await listing().list({ ...ask, type: 14 }, memory)).rows)).toEqual(['50%_off'])
      expect((await listing().list({ ...ask, status: 3 }, memory)).total).toBe(0)
    })

    it('finds by id, name, exact key, address, model and whole group', async () => {
      const { id } = (await store().all())[0]!
      expect(await find({ keyword: String(id) })).toContain('low')
      expect(await find({ keyword: '50%_' })).toEqual(['50%_off'])
      expect(await find({ keyword: 'sk-ant' })).toEqual(['50%_off'])
      expect(await find({ keyword: 'sk-an' })).toEqual([])
      expect(await find({ keyword: ':77' })).toEqual(['high'])
      expect(await find({ model: 'CLAUDE' })).toEqual(['50%_off'])
      expect(await find({ group: 'vip' })).toEqual(['low'])
      expect(await find({ group: 'null' })).toEqual(['high', '50%_off', 'low'])
    })
  })

  describe('removing', () => {
    it('removes routes and client usage as well, and counts the removed channels', async () => {
      await parts.editor.create({ ...basic, key: 'a\nb\nc' })
      const [a, b, c] = (await store().all()).map(({ id }) => id)
      await channelClientStore(opened.db).upsert([
        { channel_id: a!, group: 'default', client_type: 'curl', first_seen: 1, last_seen: 1 },
      ])
      expect(await parts.editor.removeMany([a!, 999_999])).toBe(1)
      expect(await channelClientStore(opened.db).of(a!)).toEqual([])
      await parts.editor.update({ id: b!, status: 2 })
      expect(await parts.editor.removeDisabled()).toBe(1)
      expect(new Set(routes().map(([, , id]) => id))).toEqual(new Set([c]))
      await parts.editor.remove(c!)
      await expect(parts.editor.remove(c!)).rejects.toMatchObject({ key: 'channel.not_found' })
      expect(routes()).toEqual([])
      expect(parts.registry.enabledModels()).toEqual([])
    })
  })

  describe('mending', () => {
    const nothing = { rerouted: 0, keys: 0, seen: 0, tokens: 0, unreadable: 0 }

    it('finds nothing if no channel was changed outside the gateway', async () => {
      const keys = Array.from({ length: 500 }, (_, index) => `sk-${index}`).join('\n')
      await parts.editor.create({ ...basic, key: keys, models: 'a,b,c', group: 'default,vip' })
      const before = routes()
      expect(before).toHaveLength(3000)
      expect(await parts.mend()).toEqual({ ...nothing, channels: 500 })
      expect(routes()).toEqual(before)
    })

    it('uses the stored rows where they differ from memory', async () => {
      for (const name of ['changed', 'gone', 'same']) await parts.editor.create({ ...basic, name })
      const [changed, gone] = (await store().all()).map(({ id }) => id)
      await store().update([changed!], { models: 'o1' })
      await store().remove([gone!])
      expect(await parts.mend()).toEqual({ ...nothing, channels: 2, rerouted: 2 })
      expect(routes().map(([, model]) => model)).toEqual(['gpt-4o', 'gpt-4o-mini', 'o1'])
      expect(await parts.mend()).toEqual({ ...nothing, channels: 2 })
    })

    it('removes rows without a channel, and counts channels that need a new key', async () => {
      await parts.editor.create({ ...basic, key: 'k1\nk2', key_mode: 'pool' })
      await parts.editor.create({ ...basic, name: 'unreadable' })
      const [pool, unreadable] = (await store().all()).map(({ id }) => id)
      const [key] = parts.registry.channel(pool!)!.pool
      const off = { status: 2, reason: '', status_time: 0 }
      for (const [channel_id, key_id] of [
        [pool!, key!.channel.keyId],
        [pool!, 'former'],
        [999_999, 'any'],
        [unreadable!, 'unknown'],
      ] as const)
        await channelKeyStore(opened.db).put({ channel_id, key_id, ...off })
      await store().update([unreadable!], { key: 'v1.damaged' })
      await parts.registry.reload([pool!, unreadable!])
      const note = { channel_id: 999_999, group: 'default', client_type: 'curl', first_seen: 1, last_seen: 1 }
      await channelClientStore(opened.db).upsert([note])
      expect(await parts.mend()).toEqual({ ...nothing, channels: 2, keys: 2, seen: 1, unreadable: 1 })
      const left = (await channelKeyStore(opened.db).all()).map(({ channel_id, key_id }) => [channel_id, key_id])
      expect(left.sort()).toEqual(
        [
          [pool!, key!.channel.keyId],
          [unreadable!, 'unknown'],
        ].sort(),
      )
    })

    it('deletes the tokens of users who were deleted', async () => {
      const user = (id: number, deleted_at: number | null) => ({ id, username: `u${id}`, created_at: NOW, deleted_at })
      await opened.db
        .insertInto('users')
        .values([user(7, null), user(8, NOW)])
        .execute()
      const token = (user_id: number) => ({
        user_id,
        name: `of ${user_id}`,
        key: 'x',
        key_hash: `h${user_id}`,
        created_time: NOW,
      })
      await opened.db
        .insertInto('tokens')
        .values([token(7), token(8), token(9)])
        .execute()
      expect(await parts.mend()).toEqual({ ...nothing, channels: 0, tokens: 2 })
      const live = opened.db.selectFrom('tokens').select('user_id').where('deleted_at', 'is', null)
      expect((await live.execute()).map(({ user_id }) => user_id)).toEqual([7])
    })
  })
})
