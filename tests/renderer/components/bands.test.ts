import { describe, expect, it } from 'vitest'
import { bandOf, firstTokenSteps, responseTimeSteps, useTimeSteps } from '../../../renderer/components/band/bands.ts'

describe('colour bands', () => {
  it.each([
    [0, 'none'],
    [1, 'green'],
    [1000, 'green'],
    [1001, 'lime'],
    [3000, 'lime'],
    [3001, 'yellow'],
    [5000, 'yellow'],
    [5001, 'red'],
  ])('of a response time of %i ms: %s (docs/reference/screens.md#formats-and-colors)', (ms, colour) => {
    expect(bandOf(ms, responseTimeSteps)).toBe(colour)
  })

  it.each([
    [100, 'green'],
    [101, 'orange'],
    [299, 'orange'],
    [300, 'red'],
  ])('of a request that took %i s: %s (docs/reference/screens.md#formats-and-colors)', (seconds, colour) => {
    expect(bandOf(seconds, useTimeSteps)).toBe(colour)
  })

  it.each([
    [2.9, 'green'],
    [3, 'orange'],
    [9.9, 'orange'],
    [10, 'red'],
  ])('of a first token after %d s: %s (docs/reference/screens.md#formats-and-colors)', (seconds, colour) => {
    expect(bandOf(seconds, firstTokenSteps)).toBe(colour)
  })
})
