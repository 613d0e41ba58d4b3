import { expect, it } from 'vitest'
import { createPace } from '../../../gateway/base/pace.ts'
import { aClock } from '../../support/clock.ts'

it('takes larger steps while they are short and smaller ones when they are long, within bounds', async () => {
  const clock = aClock(0)
  const pace = createPace(clock, 2000)
  const steps = async (times: number, ms: number) => {
    let last = 0
    for (let turn = 0; turn < times; turn += 1)
      last = await pace.step(async (limit) => {
        clock.advance(ms)
        return limit
      })
    return last
  }
  expect(await steps(1, 7)).toBe(250)
  expect(await steps(5, 1)).toBe(2000)
  expect(await steps(2, 30)).toBe(1000)
  expect(await steps(20, 30)).toBe(200)
})
