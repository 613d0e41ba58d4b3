import { expect, it } from 'vitest'
import { emptyDraft, fieldsOf, isSound, requestOf } from '../../../../renderer/pages/explain-routing/what-if/draft.ts'
import { countText, differenceText } from '../../../../renderer/pages/explain-routing/what-if/figures.ts'
import { widestGap } from '../../../../renderer/pages/explain-routing/what-if/share-gap.ts'
import { whatIfReport } from '../../../e2e/stub-what-if.ts'

const now = { status: 1, weight: 5, priority: 2 }
const same = { id: 7, name: 'main', now, isOn: true, weight: 5, priority: 2 }

it('says of a channel what is different alone', () => {
  expect(fieldsOf(same)).toBeUndefined()
  expect(fieldsOf({ ...same, isOn: false, weight: 9 })).toEqual({ status: 2, weight: 9 })
  expect(fieldsOf({ ...same, now: { ...now, status: 3 }, priority: -1 })).toEqual({ status: 1, priority: -1 })
  expect(fieldsOf({ ...same, now: { ...now, status: 3 }, isOn: false })).toBeUndefined()
  expect([
    isSound({ ...emptyDraft, channels: [same] }),
    isSound({ ...emptyDraft, channels: [{ ...same, weight: undefined }] }),
  ]).toEqual([true, false])
  const draft = { hours: 6, retryTimes: 0, channels: [same, { ...same, id: 8, weight: 0 }] }
  expect(requestOf(draft, 100_000)).toEqual({
    start_timestamp: 78_400,
    end_timestamp: 100_000,
    channels: [{ id: 8, weight: 0 }],
    retry_times: 0,
  })
  expect(requestOf(emptyDraft, 100_000)).toEqual({ start_timestamp: 13_600, end_timestamp: 100_000, channels: [] })
})

it('finds the channel that the rules would have used most unlike what happened', () => {
  const { channels } = whatIfReport
  expect(widestGap(channels)?.channel.name).toBe('Main account')
  expect(widestGap(channels.map((channel) => ({ ...channel, unchanged: channel.was })))).toBeUndefined()
})

it('shows few requests to a tenth, and differences with their sign', () => {
  expect([0, 0.01, 1.25, 3, 9.96, 1234.5].map(countText)).toEqual(['0', '<0.1', '1.3', '3', '10', '1,235'])
  expect([12, -0.5, 0, 0.001].map((n) => differenceText(n, countText))).toEqual(['+12', '-0.5', '0', '+<0.1'])
})
