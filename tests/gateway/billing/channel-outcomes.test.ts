import { expect, it } from 'vitest'
import { outcomesOfCharge, outcomesOfRow } from '../../../gateway/billing/channel-outcomes.ts'
import { aTill, charge, logRow, NOW } from './till.ts'

const tried = (attempts: unknown, more: object = {}) =>
  logRow({ type: 5, request_id: 'r', other: JSON.stringify({ admin_info: { tried: attempts }, ...more }) })
const failed = (channelId: number, times = 1) => ({ at: NOW, channelId, served: 0, failed: times })

it('counts the failed channels of a row, as many times as it stands for a request, without failures caused by the caller', () => {
  const row = tried([
    { channel: 1, reason: 'gone' },
    { channel: 3, status: 429 },
    { channel: 4, status: 413 },
    { channel: 5 },
  ])
  expect(outcomesOfRow(row)).toEqual([failed(1), failed(3)])
  expect(outcomesOfRow(tried([{ channel: 1, status: 503 }], { folded: { count: 5 } }))).toEqual([failed(1, 5)])
  for (const other of [
    '"tried": not json',
    '{"tried":5}',
    JSON.stringify({ admin_info: { tried: [{ channel: 'x', status: 500 }] } }),
  ])
    expect(outcomesOfRow(logRow({ type: 5, request_id: 'r', other }))).toEqual([])
  // Without a request id: a test of a channel, or an imported row.
  expect(outcomesOfRow({ ...tried([{ channel: 1, status: 503 }]), request_id: '' })).toEqual([])
})

it('counts the channel that served, and none where the answer came from the cache', () => {
  expect(outcomesOfCharge(charge(1, {}, 7))).toEqual([{ at: NOW, channelId: 7, served: 1, failed: 0 }])
  expect(outcomesOfCharge(charge(1))).toEqual([])
})

it('is counted once, including rows that a killed run left in its journal', async () => {
  const till = await aTill()
  const [alice, channel] = [await till.user(1000), await till.channel()]
  till.hold('r1', { user: alice }).settle({ ...charge(5, {}, channel), failedChannels: [8, 8] })
  const next = await aTill(till.killed())
  const rows = await next.database.db.selectFrom('channel_hours').selectAll().orderBy('channel_id').execute()
  const created_at = NOW - (NOW % 3600)
  expect(rows).toEqual([
    { created_at, channel_id: channel, served: 1, failed: 0 },
    { created_at, channel_id: 8, served: 0, failed: 2 },
  ])
})
