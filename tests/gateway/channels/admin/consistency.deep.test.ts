import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { createHealth } from '../../../../gateway/channels/health/health.ts'
import { namesIn } from '../../../../gateway/channels/registry/active-channel.ts'
import { createFailureWindow } from '../../../../gateway/shared-state/failure-window.ts'
import { channelStore } from '../../../../gateway/store/channels/channels.ts'
import { clock, dialects, type Opened, openEmpty, settingsWith, workshop } from '../workshop.ts'

const models = fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 }).map((names) => names.join(','))
const groups = fc.subarray(['default', 'vip'], { minLength: 1 }).map((names) => names.join(','))
const tag = fc.constantFrom('x', 'y')
const number = fc.integer({ min: 0, max: 3 })
const which = fc.nat(5)

/** Every operation on channels; `at` selects an existing channel. */
const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const), models, groups, tag, priority: number }),
  fc.record({ do: fc.constant('models' as const), at: which, models, groups }),
  fc.record({ do: fc.constant('numbers' as const), at: which, priority: number, weight: number }),
  fc.record({ do: fc.constant('status' as const), at: which, status: fc.constantFrom(1, 2) }),
  fc.record({ do: fc.constant('system' as const), at: which, enable: fc.boolean() }),
  fc.record({
    do: fc.constant('tag' as const),
    tag,
    models: fc.option(models),
    weight: number,
    renamed: fc.option(tag),
  }),
  fc.record({ do: fc.constant('switch tag' as const), tag, on: fc.boolean() }),
  fc.record({ do: fc.constant('tag many' as const), at: which, tag: fc.option(tag) }),
  fc.record({ do: fc.constant('remove' as const), at: which }),
  fc.record({ do: fc.constant('remove disabled' as const) }),
  fc.record({ do: fc.constant('fix' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

describe.each(dialects)('after any sequence of steps on %s', (kind) => {
  let opened: Opened
  let parts: ReturnType<typeof workshop>
  beforeAll(async () => {
    opened = await openEmpty(kind)
    parts = workshop(opened.db)
  })
  afterAll(() => opened.close())

  async function perform(one: Step, health: ReturnType<typeof createHealth>) {
    const { editor, tags } = parts
    const rows = await channelStore(opened.db).all()
    const id = 'at' in one ? (rows[one.at % Math.max(rows.length, 1)]?.id ?? 0) : 0
    if ('at' in one && id === 0) return
    if (one.do === 'create')
      await editor.create({
        name: 'n',
        key: 'k',
        models: one.models,
        group: one.groups,
        tag: one.tag,
        priority: one.priority,
      })
    if (one.do === 'models') await editor.update({ id, models: one.models, group: one.groups })
    if (one.do === 'numbers') await editor.update({ id, priority: one.priority, weight: one.weight })
    if (one.do === 'status') await editor.update({ id, status: one.status })
    if (one.do === 'system') await (one.enable ? health.enable(id) : health.disable(id, 'r'))
    if (one.do === 'tag')
      await tags.change({ tag: one.tag, models: one.models, weight: one.weight, new_tag: one.renamed })
    if (one.do === 'switch tag') await (one.on ? tags.enable(one.tag) : tags.disable(one.tag))
    if (one.do === 'tag many') await tags.tagMany([id], one.tag)
    if (one.do === 'remove') await editor.removeMany([id])
    if (one.do === 'remove disabled') await editor.removeDisabled()
    if (one.do === 'fix') expect(await parts.mend()).toMatchObject({ rerouted: 0, keys: 0, seen: 0 })
  }

  it('routes are those of the channels', { timeout: 60_000 }, async () => {
    const shared = { db: opened.db, registry: parts.registry, settings: await settingsWith(), clock, log: silentLogger }
    const health = createHealth({ ...shared, failures: createFailureWindow(clock) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await parts.clear()
        for (const one of steps) await perform(one, health)
        const rows = await channelStore(opened.db).all()
        const pairs = rows.flatMap((row) =>
          namesIn(row.group).flatMap((group) => namesIn(row.models).map((model) => ({ group, model, row }))),
        )
        const expected = pairs.map(({ group, model, row: { id, status, priority, weight, tag: own } }) => ({
          group,
          model,
          channel_id: id,
          enabled: Number(status === 1),
          priority,
          weight,
          tag: own,
        }))
        for (const group of ['default', 'vip']) {
          const offered = expected.filter((one) => one.group === group && one.enabled === 1).map((one) => one.model)
          expect(parts.registry.modelsOf(group)).toEqual([...new Set(offered)].sort())
        }
        for (const { group, model } of pairs) {
          const routed = parts.registry
            .tiers(group, model)
            .flatMap(({ priority, members }) => members.map(({ channel, weight }) => [channel.id, priority, weight]))
          const offering = expected.filter((one) => one.group === group && one.model === model && one.enabled === 1)
          expect(routed.sort()).toEqual(offering.map((one) => [one.channel_id, one.priority, one.weight]).sort())
        }
      }),
      { numRuns: kind === 'SQLite' ? 60 : 15 },
    )
  })
})
