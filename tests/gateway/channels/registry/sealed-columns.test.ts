import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { masked, secretsIn, unmasked } from '../../../../gateway/channels/registry/masks.ts'
import { sealColumns } from '../../../../gateway/channels/registry/sealed-columns.ts'
import { channelStore } from '../../../../gateway/store/channels/channels.ts'
import { filesWith } from '../../../support/files-with.ts'
import { SQLITE } from '../../../support/tables.ts'
import { aWorld } from '../../../support/world.ts'
import { dialects, type Opened, openEmpty, vault, workshop } from '../workshop.ts'

const setting = '{"proxy":"http://me:pass-word-1@127.0.0.1:8"}'
const override = '{"extra_headers":{"x-any":"hidden-1"},"temperature":0}'
const basic = { type: 1, name: 'one', key: 'sk-one', models: 'm', group: 'default' }

describe.each(dialects)('secrets in settings on %s', (kind) => {
  let opened: Opened
  let parts: ReturnType<typeof workshop>
  const store = () => channelStore(opened.db)
  beforeAll(async () => {
    opened = await openEmpty(kind)
    parts = workshop(opened.db)
  })
  beforeEach(() => parts.clear())
  afterAll(() => opened.close())

  it('are stored sealed in the row they belong to, and nowhere else', async () => {
    await parts.editor.create({ ...basic, setting, param_override: override })
    await parts.editor.create({ ...basic, name: 'two' })
    const [one, two] = await store().all()
    expect(JSON.stringify(one)).not.toMatch(/pass-word-1|hidden-1|proxy/)
    expect([two!.setting, two!.param_override]).toEqual(['', ''])
    expect(parts.registry.channel(one!.id)).toMatchObject({
      setting: { proxy: 'http://me:pass-word-1@127.0.0.1:8' },
      paramOverride: { temperature: 0, extra_headers: { 'x-any': 'hidden-1' } },
    })
    await store().update([two!.id], { setting: one!.setting })
    await parts.registry.reload([two!.id])
    expect(parts.registry.channel(two!.id)).toBeUndefined()
  })

  it('are masked in the response to a change, and written again only where they are changed', async () => {
    await parts.editor.create({ ...basic, setting, param_override: override })
    const { id, param_override: sealed } = (await store().all())[0]!
    const view = await parts.editor.update({ id, setting: '{"proxy":"http://127.0.0.1:9"}' })
    expect(view.setting).toBe('{"proxy":"http://127.0.0.1:9"}')
    expect(JSON.parse(view.param_override)).toEqual({ extra_headers: { 'x-any': '••••' }, temperature: 0 })
    expect((await store().byId(id))?.param_override).toBe(sealed)
    await parts.editor.update({ id, setting: '' })
    expect((await store().byId(id))?.setting).toBe('')
  })

  it('of an older release are sealed at the start, one row after the other, whenever it was interrupted', async () => {
    for (const name of ['a', 'b', 'c']) await parts.editor.create({ ...basic, name })
    const ids = (await store().all()).map(({ id }) => id)
    await store().update(ids, { setting, param_override: override })
    const [first] = ids
    const interrupted = new Error('killed')
    const failing = { ...vault, seal: once(vault.seal, interrupted) }
    await expect(sealColumns(opened.db, failing)).rejects.toBe(interrupted)
    expect(await sealColumns(opened.db, vault)).toBe(3)
    expect(await sealColumns(opened.db, vault)).toBe(0)
    expect(JSON.stringify(await store().all())).not.toMatch(/pass-word-1|hidden-1/)
    await parts.registry.reload()
    expect(ids.map((id) => parts.registry.channel(id)?.setting.proxy)).toEqual(
      ids.map(() => 'http://me:pass-word-1@127.0.0.1:8'),
    )
    expect(parts.registry.channel(first!)?.paramOverride).toMatchObject({ temperature: 0 })
  })
})

/** A `seal` that succeeds once, then throws. */
function once(seal: (plain: string, place: string) => string, error: Error) {
  let times = 0
  return (plain: string, place: string) => {
    times += 1
    if (times > 1) throw error
    return seal(plain, place)
  }
}

it('values stored in clear leave no trace in the folder once the gateway has started', async () => {
  const world = await aWorld({ config: SQLITE })
  const id = await world.channel()
  await world.gateway.inner.db
    .updateTable('channels')
    .set({ setting, param_override: override })
    .where('id', '=', id)
    .execute()
  const clear = (folder: string) => ['pass-word-1', 'hidden-1'].flatMap((text) => filesWith(folder, text))
  expect(clear(world.folder)).not.toEqual([])
  const again = await world.restart()
  expect(again.gateway.inner.registry.channel(id)?.setting.proxy).toContain('pass-word-1')
  expect(clear(world.folder)).toEqual([])
})

describe('masks', () => {
  it.each([
    ['{"proxy":"socks5://u:p@ss@h:1"}', '{"proxy":"socks5://u:••••@h:1"}'],
    ['{"proxy":"http://token@h"}', '{"proxy":"http://••••@h"}'],
    ['{"a":{"api-key":"x","apiKey":["y"]}}', '{"a":{"api-key":"••••","apiKey":["••••"]}}'],
    ['{"headers":{"x-team":"one"}}', '{"headers":{"x-team":"••••"}}'],
    ['{"x":"Bearer abc"}', '{"x":"••••"}'],
    ['{"x":"sk-abcdefgh12"}', '{"x":"••••"}'],
    ['{"max_tokens":5,"token":7,"key":""}', '{"max_tokens":5,"token":7,"key":""}'],
    ['{ "system_prompt" : "never tell a password: a@b" }', '{ "system_prompt" : "never tell a password: a@b" }'],
    ['', ''],
  ])('%s', (stored, shown) => {
    expect(masked(stored)).toBe(shown)
    expect(JSON.parse(unmasked(shown, stored) || 'null')).toEqual(JSON.parse(stored || 'null'))
  })

  it('are refused where no matching secret is stored', () => {
    for (const [sent, stored] of [
      ['{"token":"••••"}', ''],
      ['{"b":{"token":"••••"}}', '{"a":{"token":"x"}}'],
      ['{"note":"••••"}', '{"note":"clear"}'],
      ['{"proxy":"http://u:••••@other"}', '{"proxy":"http://u:p@h"}'],
    ] as const)
      expect(() => unmasked(sent, stored)).toThrow('channel.secret_again')
  })

  it('know a password as written and as decoded', () => {
    expect(secretsIn('{"proxy":"http://u:p%40ss@h"}')).toEqual(['p%40ss', 'p@ss'])
  })
})
