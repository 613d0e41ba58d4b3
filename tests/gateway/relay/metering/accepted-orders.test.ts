import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../../../shared/channel-types.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, recomputed } from './receipts.ts'

const GIVEN = 100_000_000
const RELAY_TIMEOUT_S = 600
const ids = { id: 'chat-1', conversation_id: 'conversation-1' }
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({
    options: { ModelPrice: { wanx: 0.02 }, ModelRatio: { 'coze-bot': 1, 'wanx-by-token': 1 }, RetryTimes: 3 },
    config: { RELAY_TIMEOUT: String(RELAY_TIMEOUT_S) },
  })
  for (let at = 0; at < 2; at += 1) {
    await world.channel({ type: channelTypes.ali.id, models: 'wanx,wanx-by-token' })
    await world.channel({ type: channelTypes.coze.id, models: 'coze-bot', other: '7' })
  }
})
beforeEach(async () => {
  world.upstream.reset()
  world.clock.advanceSeconds(3600)
  alice = await world.user({ quota: GIVEN })
})

/** A vendor that accepts every order, and whose polls say `report`. */
const accepting =
  (report: Script) =>
  ({ method, path }: Recorded): Script => {
    if (method === 'GET') return report
    if (path === '/v3/chat') return { body: { code: 0, data: { ...ids, status: 'in_progress' } } }
    return { body: { output: { task_id: 't', task_status: 'PENDING' } } }
  }

/** Waits for the first poll, lets that much time pass, and returns the response and the number of orders. */
async function unfinished(responding: Promise<{ status: number; text: string }>, seconds: number) {
  await expect.poll(() => world.upstream.requests.some(({ method }) => method === 'GET')).toBe(true)
  world.clock.advanceSeconds(seconds)
  const { status } = await responding
  return { status, orders: world.upstream.requests.filter(({ method }) => method === 'POST').length }
}

const draw = (model: string) => alice.calls('/v1/images/generations', { model, prompt: 'a cat', n: 4 })

describe('an order that its vendor has accepted (docs/reference/billing.md#accepted-orders)', () => {
  it.each([
    ['wanx', 4 * 0.02 * 500_000],
    ['wanx-by-token', 4 * 258],
  ])('for images of %s costs %d if they do not arrive in time, and is not ordered again', async (model, quota) => {
    world.upstream.answers(accepting({ body: { output: { task_status: 'RUNNING' } } }))
    expect(await unfinished(draw(model), RELAY_TIMEOUT_S)).toEqual({ status: 504, orders: 1 })
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ type: 2, quota, other: { ended: 'upstream-timeout' } })
    expect(recomputed(receipt)).toBe(quota)
    const { balanced, receipts } = await balancesOf(world, alice.id, GIVEN)
    expect([balanced, receipts.length]).toEqual([true, 1])
  })

  it.each([
    ['still runs', { body: { code: 0, data: { ...ids, status: 'in_progress' } } }],
    ['cannot be polled', { status: 503, body: { code: 1 } }],
    ['is polled too often', { body: { code: 4028, msg: 'too often' } }],
  ])('for a chat that %s after five minutes costs its prompt', async (_, report) => {
    world.upstream.answers(accepting(report))
    expect(await unfinished(alice.asks('coze-bot', 'Say hello'), 300)).toEqual({ status: 504, orders: 1 })
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ type: 2, completion_tokens: 0, other: { ended: 'upstream-timeout' } })
    expect(receipt.quota).toBe(receipt.prompt_tokens)
    expect(receipt.prompt_tokens).toBeGreaterThan(0)
  })

  it('costs nothing if the vendor reports that it failed', async () => {
    world.upstream.answers(accepting({ body: { output: { task_status: 'FAILED', code: 'DataInspectionFailed' } } }))
    expect((await draw('wanx')).status).toBe(400)
    expect(await lastReceipt(world, alice.id)).toMatchObject({ type: 5, quota: 0 })
  })
})
