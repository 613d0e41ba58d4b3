import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { createChannelRegistry } from '../../../../gateway/channels/registry/channel-registry.ts'
import { channelStore } from '../../../../gateway/store/channels/channels.ts'
import { type Opened, openEmpty, vault, workshop } from '../workshop.ts'

const basic = { type: 1, name: 'one', key: 'k1\nk2\nk3\nk4', models: 'a,b', group: 'default' }

describe('a change of one channel', () => {
  let opened: Opened
  let parts: ReturnType<typeof workshop>
  let ids: number[]
  beforeAll(async () => {
    opened = await openEmpty('SQLite')
    parts = workshop(opened.db)
  })
  beforeEach(async () => {
    await parts.clear()
    await parts.editor.create(basic)
    ids = (await channelStore(opened.db).all()).map(({ id }) => id)
  })
  afterAll(() => opened.close())

  /** The routing that a newly started gateway would have. */
  const fresh = async () => {
    const registry = createChannelRegistry({ db: opened.db, vault, log: silentLogger })
    await registry.reload()
    return registry
  }
  const routesIn = (registry: Pick<typeof parts.registry, 'tiers'>) =>
    ['default', 'vip'].flatMap((group) => ['a', 'b', 'c'].map((model) => registry.tiers(group, model)))

  it('reads only that one: the others stay identical objects', async () => {
    const [first, second] = ids
    const before = parts.registry.channel(second!)
    await channelStore(opened.db).update([second!], { name: 'behind the gateway' })
    await parts.editor.update({ id: first!, name: 'changed' })
    expect(parts.registry.channel(first!)?.name).toBe('changed')
    expect(parts.registry.channel(second!)).toBe(before)
  })

  it('does not touch routes of other channels', async () => {
    await parts.editor.create({ ...basic, key: 'k5', models: 'c', group: 'vip' })
    const [a, b, others] = [
      parts.registry.tiers('default', 'a'),
      parts.registry.tiers('default', 'b'),
      parts.registry.modelsOf('vip'),
    ]
    await parts.editor.update({ id: ids[0]!, models: 'b' })
    expect(parts.registry.tiers('default', 'a')).not.toBe(a)
    expect(parts.registry.tiers('default', 'b')).not.toBe(b)
    expect(parts.registry.modelsOf('vip')).toBe(others)
    expect(a[0]?.members).toHaveLength(4)
  })

  it('ends where a gateway that starts again begins', async () => {
    const [first = 0, second = 0, third = 0] = ids
    const changes: (() => Promise<unknown>)[] = [
      () => parts.editor.update({ id: first, priority: 5 }),
      () => parts.editor.update({ id: third, priority: 5, weight: 7 }),
      () => parts.editor.update({ id: second, models: 'a,c', group: 'vip,default' }),
      () => parts.editor.update({ id: first, priority: 0 }),
      () => parts.editor.update({ id: second, status: 2 }),
      () => parts.editor.update({ id: second, status: 1 }),
      () => parts.tags.tagMany([first, third], 'x'),
      () => parts.tags.change({ tag: 'x', models: 'c', priority: 1 }),
      () => parts.tags.disable('x'),
      () => parts.tags.enable('x'),
      () => parts.editor.create({ ...basic, key: 'k6' }),
      () => parts.editor.removeMany([second, 999_999]),
      () => parts.editor.update({ id: third, status: 2 }),
      () => parts.editor.removeDisabled(),
    ]
    for (const change of changes) {
      await change()
      const again = await fresh()
      expect(routesIn(parts.registry)).toEqual(routesIn(again))
      expect([...parts.registry.all()]).toEqual([...again.all()])
      expect(parts.registry.enabledModels()).toEqual(again.enabledModels())
      expect(parts.registry.modelsOf('vip')).toEqual(again.modelsOf('vip'))
    }
  })

  it('and a hundred at once leave nothing behind', async () => {
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        parts.editor.update({ id: ids[at % ids.length]!, weight: at, priority: at % 3 }),
      ),
    )
    expect(routesIn(parts.registry)).toEqual(routesIn(await fresh()))
  })
})
