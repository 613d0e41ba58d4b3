import { expect, it } from 'vitest'
import type { ActiveChannel } from '../../gateway/channels/registry/active-channel.ts'
import { jsonOf, videosIn } from '../../gateway/relay/tasks/response-fields.ts'
import { aDrawingFixture, drawingsIn, IMAGINE } from '../gateway/relay/tasks/drawing-fixture.ts'

/**
 * A vendor's report on a task is read once for each of the task's rows: no row reads more than it stores
 * (docs/reference/tasks.md#polling).
 */
it('of a large value no more is read than shows that it is too large', () => {
  let reads = 0
  const count = <T extends object>(value: T): T =>
    new Proxy(value, {
      get(target, name) {
        reads += 1
        return Reflect.get(target, name)
      },
    })
  const zeros = count(new Array(300_000).fill(0))
  expect(jsonOf({ buttons: [zeros] }, 'buttons', {} as ActiveChannel)).toBeUndefined()
  expect(videosIn({ videoUrls: zeros })).toBeUndefined()
  expect(reads).toBeLessThan(100_000)
})

it('a text of video addresses is parsed up to the length of eight addresses', () => {
  const text = (padding: number) => JSON.stringify(['https://one.example/1.mp4', ...Array(padding).fill(0)])
  expect(videosIn({ videoUrls: text(1000) })).toBe('["https://one.example/1.mp4"]')
  expect(videosIn({ videoUrls: text(40_000), videoUrl: 'https://two.example' })).toBe('["https://two.example"]')
})

it('an account has at most 100 free drawings that are not finished (docs/reference/tasks.md#drawings)', async () => {
  const { world, vendor } = await aDrawingFixture()
  const poor = await world.user({ quota: IMAGINE })
  const { json } = await poor.calls('/mj/submit/imagine', { prompt: 'a cat' })
  await world.gateway.inner.db.updateTable('midjourneys').set({ status: 'SUCCESS', progress: '100%' }).execute()
  const order = { taskId: json.result, customId: 'MJ::Inpaint::1::abc::SOLO' }
  for (let n = 0; n < 100; n += 1) expect((await poor.calls('/mj/submit/action', order)).status).toBe(200)
  const refused = await poor.calls('/mj/submit/action', order)
  expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('100 free drawings')])
  expect([vendor.askedAt('/mj/submit/action').length, (await drawingsIn(world)).length]).toEqual([100, 101])
  await world.gateway.inner.db.updateTable('midjourneys').set({ progress: '100%' }).where('id', '=', 2).execute()
  expect((await poor.calls('/mj/submit/action', order)).status).toBe(200)
})
