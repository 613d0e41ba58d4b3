import { expect, it } from 'vitest'
import {
  countsOf,
  isGoing,
  isRecent,
  keyOf,
  noteworthyOf,
  recentSeconds,
} from '../../../../renderer/pages/channel/runs/run-facts.ts'
import type { Run, RunItem } from '../../../../shared/api/channel-runs.ts'

const item = (channel_id: number, ok: boolean, switched: RunItem['switched'] = ''): RunItem => ({
  channel_id,
  name: `channel ${channel_id}`,
  ok,
  message: ok ? '' : 'no',
  seconds: 1,
  balance: null,
  switched,
})
const aRun = (more: Partial<Run> = {}): Run => ({
  kind: 'test',
  state: 'done',
  total: 4,
  started_at: 1000,
  ended_at: 1100,
  items: [item(1, true), item(2, false, 'off'), item(3, true, 'on'), item(4, false)],
  ...more,
})

it('counts channels that worked, failed and were switched', () => {
  expect(countsOf(aRun())).toEqual({ worked: 2, failed: 2, off: 1, on: 1 })
})

it('lists those that failed or were switched, in order', () => {
  expect(noteworthyOf(aRun()).map(({ channel_id }) => channel_id)).toEqual([2, 3, 4])
})

it('is worth a card while it runs, and for an hour after its end', () => {
  expect(isGoing(aRun({ state: 'cancelling', ended_at: 0 }))).toBe(true)
  expect(isRecent(aRun({ state: 'running', ended_at: 0 }), 1_000_000)).toBe(true)
  expect(isRecent(aRun(), 1100 + recentSeconds - 1)).toBe(true)
  expect(isRecent(aRun(), 1100 + recentSeconds)).toBe(false)
})

it('is another run when it is of another kind or began at another time', () => {
  expect(keyOf(aRun())).not.toBe(keyOf(aRun({ kind: 'balance' })))
  expect(keyOf(aRun())).not.toBe(keyOf(aRun({ started_at: 1001 })))
})
