import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { createVault } from '../../../../gateway/base/secrets/ciphers.ts'
import { createChannelRegistry } from '../../../../gateway/channels/registry/channel-registry.ts'
import { channelStore } from '../../../../gateway/store/channels/channels.ts'
import { type Opened, openEmpty, vault, workshop } from '../workshop.ts'
import { pick } from './pick.ts'

const basic = { type: 1, name: 'one', key: 'sk-one', models: 'gpt-4o', group: 'default' }

describe('the channel registry', () => {
  let opened: Opened
  let parts: ReturnType<typeof workshop>
  const idOf = async (name: string) => (await channelStore(opened.db).all()).find((row) => row.name === name)!.id

  beforeAll(async () => {
    opened = await openEmpty('SQLite')
    parts = workshop(opened.db)
  })
  beforeEach(() => parts.clear())
  afterAll(() => opened.close())

  it('knows a channel as the relay needs it', async () => {
    await parts.editor.create({
      ...basic,
      base_url: 'http://127.0.0.1:9/v/',
      openai_organization: 'org',
      model_mapping: '{"gpt-4o":"gpt-4o-mini"}',
      status_code_mapping: '{"400":"500","404":503}',
      setting: '{"proxy":" http://127.0.0.1:8 ","force_format":true,"max_concurrency":"many"}',
      param_override: '{"temperature":0}',
      max_input_tokens: 100,
      auto_ban: 0,
    })
    const channel = parts.registry.channel(await idOf('one'))!
    expect(channel).toMatchObject({
      typeName: 'openai',
      status: 1,
      key: 'sk-one',
      baseUrl: 'http://127.0.0.1:9/v',
      organization: 'org',
      setting: { proxy: 'http://127.0.0.1:8', force_format: true, thinking_to_content: false, max_concurrency: 0 },
      paramOverride: { temperature: 0 },
      maxInputTokens: 100,
      autoBan: false,
      models: ['gpt-4o'],
      groups: ['default'],
    })
    expect(channel.modelMapping?.get('gpt-4o')).toBe('gpt-4o-mini')
    expect([...channel.statusMapping]).toEqual([
      [400, 500],
      [404, 503],
    ])
    expect(Object.isFrozen(channel)).toBe(true)
  })

  it('completes the address from the type, and takes an unknown type for OpenAI', async () => {
    await parts.editor.create({ ...basic, name: 'claude', type: 14 })
    await parts.editor.create({ ...basic, name: 'later', type: 4711 })
    expect(parts.registry.channel(await idOf('claude'))).toMatchObject({
      typeName: 'anthropic',
      baseUrl: 'https://api.anthropic.com',
    })
    expect(parts.registry.channel(await idOf('later'))).toMatchObject({
      typeName: 'openai',
      baseUrl: 'https://api.openai.com',
    })
  })

  it('offers tiers in falling priority, and nothing for strangers', async () => {
    await parts.editor.create({ ...basic, name: 'low', priority: -5 })
    await parts.editor.create({ ...basic, name: 'high', priority: 5, weight: 3, key: 'a\nb' })
    const tiers = parts.registry.tiers('default', 'gpt-4o')
    expect(tiers.map(({ priority, members }) => [priority, members.map(({ weight }) => weight)])).toEqual([
      [5, [3, 3]],
      [-5, [0]],
    ])
    expect(parts.registry.tiers('vip', 'gpt-4o')).toEqual([])
    expect(parts.registry.tiers('default', 'gpt-5')).toEqual([])
    expect(parts.registry.tiers('__proto__', 'constructor')).toEqual([])
  })

  it('falls back to a wildcard only where the name itself is not offered', async () => {
    await parts.editor.create({ ...basic, name: 'any', models: 'gpt-4-gizmo-*' })
    expect(parts.registry.tiers('default', 'gpt-4-gizmo-x')[0]?.members[0]?.channel.name).toBe('any')
    await parts.editor.create({ ...basic, name: 'exact', models: 'gpt-4-gizmo-x' })
    expect(parts.registry.tiers('default', 'gpt-4-gizmo-x').flatMap(({ members }) => members)).toHaveLength(1)
    expect(parts.registry.tiers('default', 'gpt-4-gizmo-x')[0]?.members[0]?.channel.name).toBe('exact')
  })

  it('lists models by group and over all', async () => {
    await parts.editor.create({ ...basic, name: 'a', models: 'b,a', group: 'default,vip' })
    await parts.editor.create({ ...basic, name: 'b', models: 'c', group: 'vip' })
    await parts.editor.create({ ...basic, name: 'off', models: 'z', group: 'vip' })
    await parts.editor.update({ id: await idOf('off'), status: 2 })
    expect(parts.registry.modelsOf('vip')).toEqual(['a', 'b', 'c'])
    expect(parts.registry.modelsOf('default')).toEqual(['a', 'b'])
    expect(parts.registry.modelsOf('nobody')).toEqual([])
    expect(parts.registry.enabledModels()).toEqual(['a', 'b', 'c'])
  })

  it('still knows disabled channels by id', async () => {
    await parts.editor.create(basic)
    const id = await idOf('one')
    await parts.editor.update({ id, status: 2 })
    expect(parts.registry.channel(id)).toMatchObject({ status: 2 })
    expect(pick(parts.registry.tiers('default', 'gpt-4o'), new Set(), () => 0)).toBeUndefined()
  })

  it('leaves out, with a warning, channels whose key cannot be decrypted', async () => {
    await parts.editor.create({ ...basic, name: 'good' })
    await parts.editor.create({ ...basic, name: 'moved' })
    const [good, moved] = await channelStore(opened.db).all()
    await channelStore(opened.db).update([moved!.id], { key: good!.key })
    const warnings: unknown[] = []
    const log = { ...silentLogger, warn: (_message: string, fields?: object) => warnings.push(fields) }
    const registry = createChannelRegistry({ db: opened.db, vault, log })
    await registry.reload()
    expect(registry.channel(moved!.id)).toBeUndefined()
    expect(registry.tiers('default', 'gpt-4o')[0]?.members).toHaveLength(1)
    expect(warnings).toEqual([expect.objectContaining({ channelId: moved!.id })])
    expect(JSON.stringify(warnings)).not.toContain('sk-')
  })

  it('works on without any key when the data key was lost', async () => {
    await parts.editor.create(basic)
    const registry = createChannelRegistry({ db: opened.db, vault: createVault(Buffer.alloc(32)), log: silentLogger })
    await registry.reload()
    expect(registry.enabledModels()).toEqual([])
  })

  it('swaps atomically: earlier readings stay complete, and a slow reader never restores an older state', async () => {
    await parts.editor.create({ ...basic, name: 'first' })
    const before = parts.registry.tiers('default', 'gpt-4o')
    const reads = Array.from({ length: 5 }, () => parts.registry.reload())
    await parts.editor.create({ ...basic, name: 'second' })
    await Promise.all(reads)
    expect(before[0]?.members).toHaveLength(1)
    expect(parts.registry.tiers('default', 'gpt-4o')[0]?.members).toHaveLength(2)
  })

  it('retains the old map when reading fails', async () => {
    await parts.editor.create(basic)
    const broken = await openEmpty('SQLite')
    const shop = workshop(broken.db)
    await shop.editor.create(basic)
    await broken.close()
    await expect(shop.registry.reload()).rejects.toThrow()
    expect(shop.registry.tiers('default', 'gpt-4o')).toHaveLength(1)
  })
})
