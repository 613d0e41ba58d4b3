import { describe, expect, it } from 'vitest'
import { createPace, inSteps } from '../../../gateway/base/pace.ts'
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

describe('long work in steps', () => {
  it('continues until a step finds nothing, and returns the total', async () => {
    const left = { rows: 1234 }
    const limits: number[] = []
    const work = async (limit: number) => {
      limits.push(limit)
      const count = Math.min(limit, left.rows)
      left.rows -= count
      return count
    }
    expect(await inSteps({ clock: aClock(0), max: 400 }, work)).toBe(1234)
    expect(limits).toEqual([200, 400, 400, 400, 400])
  })

  it('stops after the step in which it is aborted', async () => {
    const ending = new AbortController()
    const work = async (limit: number) => {
      ending.abort()
      return limit
    }
    expect(await inSteps({ clock: aClock(0), max: 400, signal: ending.signal }, work)).toBe(200)
    expect(await inSteps({ clock: aClock(0), max: 400, signal: ending.signal }, work)).toBe(0)
  })
})
