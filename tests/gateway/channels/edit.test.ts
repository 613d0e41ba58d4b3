import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keyPlace } from '../../../gateway/channels/active-channel.ts'
import { createListing } from '../../../gateway/channels/listing.ts'
import { abilityStore } from '../../../gateway/store/abilities.ts'
import { channelStore } from '../../../gateway/store/channels.ts'
import { upstreamSeenStore } from '../../../gateway/store/upstream-seen.ts'
import { databases, NOW, type Opened, openEmpty, vault, workshop } from './workshop.ts'

const basic = { type: 1, name: 'one', key: 'sk-one', models: 'gpt-4o,gpt-4o-mini', group: 'default' }

describe.each(databases)('channels on %s', (kind) => {
  let opened: Opened
  let parts: ReturnType<typeof workshop>
  const store = () => channelStore(opened.db)
  const abilities = () => abilityStore(opened.db).all()
  const only = async () => (await store().all())[0]!
  const listing = () => createListing({ db: opened.db, roster: parts.roster })

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
      expect(rows.map(({ id, key }) => vault.open(key, keyPlace(id)))).toEqual(['sk-a', 'sk-b'])
      expect(rows.every(({ key }) => !key.includes('sk-'))).toBe(true)
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
      const keys = (await store().all()).map(({ id, key }) => vault.open(key, keyPlace(id)))
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
      expect((await abilities()).map(({ group, model, enabled }) => [group, model, enabled])).toEqual([
        ['default', 'gpt-4o', 1],
        ['default', 'o1', 1],
        ['vip', 'gpt-4o', 1],
        ['vip', 'o1', 1],
      ])
    })

    it('takes groups as a list too, and default where none is named', async () => {
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
      expect(await abilities()).toEqual([])
    })

    it('copies key and settings but neither balance, use nor history', async () => {
      await parts.editor.create({ ...basic, base_url: 'http://127.0.0.1:9', priority: 7, tag: 'eu' })
      const source = await only()
      await store().update([source.id], { balance: 5, used_quota: 9, response_time: 3, test_time: 4 })
      await parts.editor.create({ copy_from: source.id, name: 'one copy' })
      const copy = (await store().all())[1]!
      expect(vault.open(copy.key, keyPlace(copy.id))).toBe('sk-one')
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
      expect(parts.roster.tiers('default', 'gpt-4o')[0]?.members).toHaveLength(2)
    })

    it('keeps a copy of a disabled channel disabled unless it gets its own key', async () => {
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

    it('writes what is present, also zero and empty, and leaves the rest', async () => {
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
      expect((await abilities())[0]).toMatchObject({ weight: 0, priority: 0, tag: null })
    })

    it('keeps the key when it is empty and seals a new one', async () => {
      const { id, key } = await only()
      await parts.editor.update({ id, key: '  ' })
      expect((await only()).key).toBe(key)
      await parts.editor.update({ id, key: 'sk-two' })
      expect(vault.open((await only()).key, keyPlace(id))).toBe('sk-two')
      expect(parts.roster.channel(id)?.key).toBe('sk-two')
      await expect(parts.editor.update({ id, key: 'a\nb' })).rejects.toMatchObject({ key: 'input.invalid' })
    })

    it('builds the abilities anew with the models, and routes by them at once', async () => {
      const { id } = await only()
      await parts.editor.update({ id, models: 'o1', group: 'vip' })
      expect((await abilities()).map(({ group, model, tag }) => [group, model, tag])).toEqual([['vip', 'o1', 'eu']])
      expect(parts.roster.tiers('default', 'gpt-4o')).toEqual([])
      expect(parts.roster.tiers('vip', 'o1')[0]?.members[0]?.channel.id).toBe(id)
    })

    it('switches on and off, forgets the reason, and leaves status 3 to the system', async () => {
      const { id } = await only()
      await parts.editor.update({ id, status: 2 })
      expect((await abilities()).map(({ enabled }) => enabled)).toEqual([0, 0])
      expect(parts.roster.tiers('default', 'gpt-4o')).toEqual([])
      await expect(parts.editor.update({ id, status: 3 })).rejects.toMatchObject({ key: 'input.invalid' })
      await store().update([id], { status: 3, other_info: '{"status_reason":"r","status_time":1,"note":"n"}' })
      await parts.editor.update({ id, status: 3, name: 'renamed' })
      expect(await only()).toMatchObject({ status: 3, name: 'renamed' })
      await parts.editor.update({ id, status: 1 })
      expect(await only()).toMatchObject({ status: 1, other_info: '{"note":"n"}' })
      expect(parts.roster.tiers('default', 'gpt-4o')).toHaveLength(1)
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
      expect((await abilities()).filter(({ tag }) => tag === 'eu').map(({ enabled }) => enabled)).toEqual([0, 0, 0, 0])
      expect(parts.roster.tiers('default', 'gpt-4o')[0]?.members).toHaveLength(2)
      await store().update([(await byTag('eu'))[0]!.id], { other_info: '{"status_reason":"r","status_time":1}' })
      await parts.tags.enable('eu')
      expect((await byTag('eu')).map(({ status, other_info }) => [status, other_info])).toEqual([
        [1, ''],
        [1, ''],
      ])
      expect(parts.roster.tiers('default', 'gpt-4o')[0]?.members).toHaveLength(4)
    })

    it('rename, dissolve, and overwrite what is given, zero included', async () => {
      await parts.tags.change({ tag: 'eu', new_tag: 'europe', priority: 0, weight: 0, models: ' o1 ', groups: 'vip' })
      const rows = await byTag('europe')
      expect(rows.map(({ models, group, weight }) => [models, group, weight])).toEqual([
        ['o1', 'vip', 0],
        ['o1', 'vip', 0],
      ])
      expect((await abilities()).filter(({ tag }) => tag === 'europe')).toHaveLength(2)
      await parts.tags.change({ tag: 'europe', new_tag: '', priority: -4 })
      expect(await byTag('europe')).toEqual([])
      expect((await abilities()).filter(({ priority }) => priority === -4).map(({ tag }) => tag)).toEqual([null, null])
    })

    it('keep the abilities of disabled channels off when models change', async () => {
      const [first] = await byTag('eu')
      await parts.editor.update({ id: first!.id, status: 2 })
      await parts.tags.change({ tag: 'eu', models: 'o1', model_mapping: ' ', groups: '' })
      const rows = (await abilities()).filter(({ tag }) => tag === 'eu')
      expect(rows.map(({ channel_id, enabled }) => [channel_id === first!.id, enabled])).toEqual([
        [true, 0],
        [false, 1],
      ])
    })

    it('refuse an empty name and tell the longest model list', async () => {
      await expect(parts.tags.change({ tag: ' ' })).rejects.toMatchObject({ key: 'channel.tag_empty' })
      await expect(parts.tags.disable('')).rejects.toMatchObject({ key: 'channel.tag_empty' })
      expect(await parts.tags.modelsOf('us')).toBe('gpt-4o,o1,o3')
      expect(await parts.tags.modelsOf('nobody')).toBe('')
    })

    it('are set and cleared for many channels at once', async () => {
      const ids = (await store().all()).map(({ id }) => id)
      expect(await parts.tags.tagMany([...ids, 999_999], 'all')).toBe(4)
      expect(new Set((await abilities()).map(({ tag }) => tag))).toEqual(new Set(['all']))
      expect(await parts.tags.tagMany(ids, null)).toBe(4)
      expect((await store().all()).map(({ tag }) => tag)).toEqual([null, null, null, null])
    })

    it('page the list, the channels without one last', async () => {
      const ask = { p: 0, page_size: 1, id_sort: false, tag_mode: true, type: -1, status: 0 }
      const pages = await Promise.all([0, 1, 2, 3].map((p) => listing().list({ ...ask, p })))
      expect(pages.map(({ rows }) => rows.map(({ name }) => name))).toEqual([['one', 'one'], ['other'], ['bare'], []])
      expect(pages.map(({ total }) => total)).toEqual([3, 3, 3, 3])
    })

    it('widen a search to all channels of a tag', async () => {
      const [first] = await byTag('eu')
      await parts.editor.update({ id: first!.id, name: 'needle' })
      const ask = { keyword: 'NEEDLE', group: '', model: '', id_sort: false }
      expect(await listing().search({ ...ask, tag_mode: false })).toHaveLength(1)
      expect(await listing().search({ ...ask, tag_mode: true })).toHaveLength(2)
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
      return names(await listing().search(ask))
    }

    it('stands by priority or by id, counts, and never has a key', async () => {
      const ask = { p: 0, page_size: 2, id_sort: false, tag_mode: false, type: -1, status: 0 }
      const first = await listing().list(ask)
      expect(names(first.rows)).toEqual(['high', '50%_off'])
      expect(first).toMatchObject({ total: 3, typeCounts: { 1: 2, 14: 1 } })
      expect(first.rows.some((row) => 'key' in row)).toBe(false)
      expect(names((await listing().list({ ...ask, p: 1 })).rows)).toEqual(['low'])
      expect(names((await listing().list({ ...ask, id_sort: true })).rows)).toEqual(['high', '50%_off'])
      expect(names((await listing().list({ ...ask, type: 14 })).rows)).toEqual(['50%_off'])
      expect((await listing().list({ ...ask, status: 3 })).total).toBe(0)
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
    it('takes abilities and what was seen along, and counts what was there', async () => {
      await parts.editor.create({ ...basic, key: 'a\nb\nc' })
      const [a, b, c] = (await store().all()).map(({ id }) => id)
      await upstreamSeenStore(opened.db).upsert([
        { channel_id: a!, group: 'default', client_type: 'curl', first_seen: 1, last_seen: 1 },
      ])
      expect(await parts.editor.removeMany([a!, 999_999])).toBe(1)
      expect(await upstreamSeenStore(opened.db).of(a!)).toEqual([])
      await parts.editor.update({ id: b!, status: 2 })
      expect(await parts.editor.removeDisabled()).toBe(1)
      expect(new Set((await abilities()).map(({ channel_id }) => channel_id))).toEqual(new Set([c]))
      await parts.editor.remove(c!)
      await expect(parts.editor.remove(c!)).rejects.toMatchObject({ key: 'channel.not_found' })
      expect(await abilities()).toEqual([])
      expect(parts.roster.enabledModels()).toEqual([])
    })
  })

  it('repairs: 500 channels keep every ability, orphans go', async () => {
    const keys = Array.from({ length: 500 }, (_, index) => `sk-${index}`).join('\n')
    await parts.editor.create({ ...basic, key: keys, models: 'a,b,c', group: 'default,vip' })
    const before = await abilities()
    expect(before).toHaveLength(3000)
    await opened.db.deleteFrom('abilities').where('model', '=', 'b').execute()
    const orphan = { group: 'x', model: 'y', channel_id: 999_999, enabled: 1, priority: 0, weight: 0, tag: null }
    await abilityStore(opened.db).add([orphan])
    expect(await parts.editor.fix()).toBe(500)
    expect(await abilities()).toEqual(before)
    expect(parts.roster.tiers('vip', 'b')[0]?.members).toHaveLength(500)
  })
})
