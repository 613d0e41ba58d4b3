import { expect, it } from 'vitest'
import { slidingSum } from '../../../gateway/limits/sliding-sum.ts'

const MINUTE = 60_000

it('adds up the last interval, and returns the time until it is less', () => {
  const sum = slidingSum()
  sum.add(0, 5, MINUTE)
  sum.add(10_000, 3, MINUTE)
  sum.add(20_000, 2, MINUTE)
  expect(sum.within(20_000, MINUTE)).toBe(10)
  expect(sum.wait(20_000, MINUTE, 11)).toBe(0)
  expect(sum.wait(20_000, MINUTE, 10)).toBe(40_000)
  expect(sum.wait(20_000, MINUTE, 5)).toBe(50_000)
  expect(sum.wait(20_000, MINUTE, 1)).toBe(60_000)
  expect(sum.within(59_999, MINUTE)).toBe(10)
  expect(sum.within(60_000, MINUTE)).toBe(5)
  expect(sum.within(80_000, MINUTE)).toBe(0)
})

it('uses the window of the query', () => {
  const sum = slidingSum()
  sum.add(0, 1, 2 * MINUTE)
  expect(sum.wait(30_000, 2 * MINUTE, 1)).toBe(90_000)
  expect(sum.wait(30_000, MINUTE, 1)).toBe(30_000)
  expect(sum.within(60_000, MINUTE)).toBe(0)
})

it('never counts too little, however much arrives: values close together expire with the last of them', () => {
  const sum = slidingSum()
  const added: number[] = []
  for (let now = 0; now < 300_000; now += 37) {
    sum.add(now, 1, MINUTE)
    added.push(now)
    const exact = added.filter((at) => now - at < MINUTE).length
    const told = sum.within(now, MINUTE)
    expect(told).toBeGreaterThanOrEqual(exact)
    expect(told - exact).toBeLessThanOrEqual(Math.ceil(500 / 37))
  }
})
