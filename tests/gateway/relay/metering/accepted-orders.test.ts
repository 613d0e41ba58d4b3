import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { channelTypes } from '../../../../shared/channel-types.ts'
import { SQLITE } from '../../../support/tables.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { aTill } from '../../billing/till.ts'
import { balancesOf, lastReceipt, recomputed } from './receipts.ts'

const GIVEN = 100_000_000
const RELAY_TIMEOUT_S = 600
const ids = { id: 'chat-1', conversation_id: 'conversation-1' }
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({
    options: { ModelPrice: { wanx: 0.02 }, ModelRatio: { 'coze-bot': 1, 'wanx-by-token': 1 }, RetryTimes: 3 },
    config: { ...SQLITE, RELAY_TIMEOUT: String(RELAY_TIMEOUT_S) },
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

/** A vendor that accepts every order, and responds to polls with `report`. */
const accepting =
  (report: Script) =>
  ({ method, path }: Recorded): Script => {
    if (method === 'GET') return report
    if (path === '/v3/chat') return { body: { code: 0, data: { ...ids, status: 'in_progress' } } }
    return { body: { output: { task_id: 't', task_status: 'PENDING' } } }
  }

/** Waits for the first poll and advances the clock; returns the response's status and the number of orders. */
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

/**
 * The charges' log rows and the ledger's differences after a restart on a copy of the folder, as a kill at this moment
 * would leave it.
 */
async function afterKill() {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(world.folder, folder, { recursive: true })
  const till = await aTill(folder)
  const wrong = await till.wrong()
  const rows = (await till.logRows()).filter(({ type, user_id }) => type === 2 && user_id === alice.id)
  return { wrong, charged: rows.map(({ quota }) => quota) }
}

const firstPoll = () => expect.poll(() => world.upstream.requests.some(({ method }) => method === 'GET')).toBe(true)

describe('an accepted order whose gateway is killed before its result', () => {
  it.each([
    ['images', () => draw('wanx'), 4 * 0.02 * 500_000],
    ['a chat', () => alice.asks('coze-bot', 'Say hello'), 0],
  ])('is charged at the next start like one whose result did not arrive: %s', async (_, order, least) => {
    const report = Promise.withResolvers<Script>()
    world.upstream.answers((request) => (request.method === 'GET' ? report.promise : accepting({})(request)))
    const ordered = order()
    await firstPoll()
    const { wrong, charged } = await afterKill()
    report.resolve({ body: { code: 4000, output: { task_status: 'FAILED' }, data: { ...ids, status: 'failed' } } })
    world.clock.advanceSeconds(RELAY_TIMEOUT_S)
    await ordered
    expect(wrong).toEqual([])
    expect(charged).toHaveLength(1)
    expect(charged[0]).toBeGreaterThan(least - 1)
    expect(charged[0]).toBeGreaterThan(0)
  })

  it('is not charged once the vendor has reported that it failed, even while others run', async () => {
    const report = Promise.withResolvers<Script>()
    world.upstream.answers((request) => (request.method === 'GET' ? report.promise : accepting({})(request)))
    const running = draw('wanx')
    await firstPoll()
    world.upstream.answers(accepting({ body: { output: { task_status: 'FAILED', code: 'DataInspectionFailed' } } }))
    expect((await draw('wanx-by-token')).status).toBe(400)
    const { wrong, charged } = await afterKill()
    expect([wrong, charged]).toEqual([[], [4 * 0.02 * 500_000]])
    report.resolve({ body: { output: { task_status: 'FAILED', code: 'DataInspectionFailed' } } })
    expect((await running).status).toBe(400)
    expect((await afterKill()).charged).toEqual([])
    expect(await alice.quota()).toBe(GIVEN)
  })
})

it.each([
  ['between two polls', () => ({ body: { output: { task_status: 'RUNNING' } } })],
  // This poll does not end before the gateway stops, so the next start charges for the order.
  ['during a poll', () => new Promise<Script>(() => {})],
])('charges an accepted order if the gateway is stopped %s', async (_, report) => {
  const stopped = await aWorld({ options: { ModelPrice: { wanx: 0.02 } }, config: { DRAIN_S: '0' } })
  await stopped.channel({ type: channelTypes.ali.id, models: 'wanx' })
  const bob = await stopped.user({ quota: GIVEN })
  stopped.upstream.answers((request) => (request.method === 'GET' ? report() : accepting({})(request)))
  const body = { model: 'wanx', prompt: 'a cat', n: 2 }
  const ordered = bob.calls('/v1/images/generations', body).catch(() => undefined)
  await expect.poll(() => stopped.upstream.requests.some(({ method }) => method === 'GET')).toBe(true)
  const next = await stopped.restart()
  await ordered
  const { balanced, spent } = await balancesOf(next, bob.id, GIVEN)
  expect([balanced, spent]).toEqual([true, 2 * 0.02 * 500_000])
})
