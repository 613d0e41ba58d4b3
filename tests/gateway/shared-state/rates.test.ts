import { expect, it } from 'vitest'
import { dividedRates } from '../../../gateway/shared-state/rates.ts'
import { aClock } from '../../support/clock.ts'

/** A window of 10 s for ten calls, on a node among others. */
function aWindow(limit = 10) {
  const clock = aClock(0)
  const state = { nodes: 1 }
  const window = dividedRates(clock, () => state.nodes).window({ name: 'test', limit, windowSeconds: 10 })
  /** The number of calls that pass now. */
  const passing = () => {
    let passed = 0
    while (passed < 100 && window.take('ann') === 0) passed += 1
    return passed
  }
  return { clock, state, passing }
}

it('each of several nodes allows its share of a limit, at least one call', () => {
  const { clock, state, passing } = aWindow()
  for (const [nodes, share] of [
    [1, 10],
    [2, 5],
    [3, 3],
    [0, 10],
    [40, 1],
  ] as const) {
    state.nodes = nodes
    clock.advance(10_000)
    expect([nodes, passing()]).toEqual([nodes, share])
  }
})

it('the newest calls stay counted when nodes come and go', () => {
  const { clock, state, passing } = aWindow()
  expect(passing()).toBe(10)
  state.nodes = 2
  expect(passing()).toBe(0)
  state.nodes = 1
  expect(passing()).toBe(5)
  expect(passing()).toBe(0)
  clock.advance(10_000)
  state.nodes = 5
  expect(passing()).toBe(2)
  clock.advance(4000)
  state.nodes = 2
  expect(passing()).toBe(3)
  clock.advance(6000)
  expect(passing()).toBe(2)
  state.nodes = 1
  expect(passing()).toBe(5)
})

it('no limit stays none', () => {
  const { state, passing } = aWindow(0)
  state.nodes = 3
  expect(passing()).toBe(100)
})
