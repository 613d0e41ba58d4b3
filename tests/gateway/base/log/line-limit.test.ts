import { expect, it } from 'vitest'
import { createLineLimit, MAX_LINES_PER_MINUTE } from '../../../../gateway/base/log/line-limit.ts'
import { aClock } from '../../../support/clock.ts'

it('writes a limited number of lines of one message a minute, and the next line has the count of those left out', () => {
  const clock = aClock(0)
  const limit = createLineLimit(clock)
  const written = (times: number, message: string) =>
    Array.from({ length: times }, () => limit.admit(message)).filter(({ isWritten }) => isWritten).length
  expect([written(1000, 'one'), written(5, 'other')]).toEqual([MAX_LINES_PER_MINUTE, 5])
  clock.advanceSeconds(60)
  expect(limit.admit('one')).toEqual({ isWritten: true, leftOut: 1000 - MAX_LINES_PER_MINUTE })
  expect(limit.admit('one')).toEqual({ isWritten: true, leftOut: 0 })
  expect(limit.admit('other')).toEqual({ isWritten: true, leftOut: 0 })
})
