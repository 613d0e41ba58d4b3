import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { aDrawingFixture, booksOf, drawingsIn, GIVEN, notices } from '../relay/tasks/drawing-fixture.ts'

const FAILED = { status: 'FAILURE', progress: '40%', failReason: 'Banned prompt' }
const COUNT = 10

it('refunds a task whose failure another node sees before the charge is written (docs/reference/tasks.md#refunds)', async () => {
  const { world, vendor, alice } = await aDrawingFixture({ options: { MjNotifyEnabled: true } })
  const two = await world.node()
  await expect.poll(() => two.gateway.inner.settings.get('MjNotifyEnabled')).toBe(true)
  for (let at = 1; at <= COUNT; at += 1) vendor.tells(`mj-${at}`, FAILED)
  for (let at = 1; at <= COUNT; at += 1) {
    expect((await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })).status).toBe(200)
    await notices(two, { id: `mj-${at}` })
  }
  const unfinished = async () => (await drawingsIn(world)).filter(({ progress }) => progress !== '100%')
  for (let tries = 0; tries < 200 && (await unfinished()).length > 0; tries += 1) {
    for (const { mj_id } of await unfinished()) await notices(two, { id: mj_id })
    // A drawing is polled again some seconds after its last poll.
    two.clock.advance(4000)
    await sleep(20)
  }
  const { rows, differences } = await booksOf(world, alice.id)
  expect(rows.filter(([kind]) => kind === 'consume')).toHaveLength(COUNT)
  expect(rows.filter(([kind]) => kind === 'refund')).toHaveLength(COUNT)
  expect(differences).toEqual([])
  expect(await alice.quota()).toBe(GIVEN)
})
