import { describe, expect, it } from 'vitest'
import { createHttpRates } from '../../../gateway/limits/http-rate.ts'
import { ownRates, slidingLog } from '../../../gateway/shared-state/rates.ts'
import { aClock } from '../../support/clock.ts'

const afar = (network: string) => ({ network })

describe('a sliding log', () => {
  it('lets `limit` calls pass in a window and returns the time to wait', () => {
    const clock = aClock(0)
    const log = slidingLog({ limit: 3, windowSeconds: 60, clock })
    expect(log.take('a')).toBe(0)
    clock.advanceSeconds(10)
    expect(log.take('a')).toBe(0)
    clock.advanceSeconds(10)
    expect(log.take('a')).toBe(0)
    expect(log.take('a')).toBe(40)
    expect(log.take('b')).toBe(0)
    clock.advanceSeconds(40)
    expect(log.take('a')).toBe(0)
    expect(log.take('a')).toBe(10)
  })

  it('does not count refused calls', () => {
    const clock = aClock(0)
    const log = slidingLog({ limit: 1, windowSeconds: 10, clock })
    log.take('a')
    for (let second = 1; second < 10; second += 1) {
      clock.advanceSeconds(1)
      expect(log.take('a')).toBe(10 - second)
    }
    clock.advanceSeconds(1)
    expect(log.take('a')).toBe(0)
  })

  it('never passes more than `limit` in any window, however long it runs', () => {
    const clock = aClock(0)
    const log = slidingLog({ limit: 5, windowSeconds: 10, clock })
    const passed: number[] = []
    for (let tick = 0; tick < 500; tick += 1) {
      clock.advance(137)
      if (log.take('a') === 0) passed.push(clock.monotonic())
    }
    for (const [index, at] of passed.entries())
      expect(at - (passed[index - 5] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(10_000)
    expect(passed.length).toBeGreaterThan(25)
  })

  it('is off at 0 and removes a key on request', () => {
    const clock = aClock(0)
    const off = slidingLog({ limit: 0, windowSeconds: 10, clock })
    for (let call = 0; call < 100; call += 1) expect(off.take('a')).toBe(0)
    const one = slidingLog({ limit: 1, windowSeconds: 10, clock })
    one.take('a')
    one.clear('a')
    expect(one.take('a')).toBe(0)
  })

  it('remembers a bounded number of keys, dropping the one unused for longest', () => {
    const log = slidingLog({ limit: 1, windowSeconds: 10, clock: aClock(0), max: 2 })
    log.take('a')
    log.take('b')
    log.take('a')
    log.take('c')
    expect(log.take('a')).toBe(10)
    expect(log.take('b')).toBe(0)
  })
})

describe('the rate classes', () => {
  const rates = (terms = {}) => createHttpRates({ api: 2, web: 2, critical: 1, rates: ownRates(aClock(0)), ...terms })

  it('give the address of this machine no more than any other', () => {
    const classes = rates()
    expect([1, 2, 3].map(() => classes.web(afar('127.0.0.1')))).toEqual([0, 0, 180])
    expect([1, 2, 3].map(() => classes.api(afar('127.0.0.1')))).toEqual([0, 0, 180])
    expect([1, 2, 3].map(() => classes.web(afar('a')))).toEqual([0, 0, 180])
    expect([1, 2, 3].map(() => classes.api(afar('a')))).toEqual([0, 0, 180])
  })

  it('reserve two thirds of the calls for people, however many automatic requests pages send', () => {
    const classes = rates({ api: 180 })
    const polls = Array.from({ length: 200 }, () => classes.api(afar('a'), { isPoll: true }))
    expect(polls.filter((wait) => wait === 0)).toHaveLength(60)
    expect(polls.at(-1)).toBe(180)
    const calls = Array.from({ length: 200 }, () => classes.api(afar('a')))
    expect(calls.filter((wait) => wait === 0)).toHaveLength(120)
    expect(classes.api(afar('a'), { isPoll: true })).toBe(180)
  })

  it('separate families and addresses of critical calls', () => {
    const classes = rates()
    expect(classes.critical('login', afar('a'))).toBe(0)
    expect(classes.critical('login', afar('a'))).toBe(1200)
    expect(classes.critical('mail', afar('a'))).toBe(0)
    expect(classes.critical('login', afar('b'))).toBe(0)
  })

  it('allow a user 20 calls of one route in 20 minutes', () => {
    const classes = rates()
    const calls = Array.from({ length: 21 }, () => classes.user(7, 'POST /api/x'))
    expect(calls.filter((wait) => wait === 0)).toHaveLength(20)
    expect(classes.user(7, 'POST /api/y')).toBe(0)
    expect(classes.user(8, 'POST /api/x')).toBe(0)
  })

  it('are off at 0', () => {
    const classes = rates({ api: 0, web: 0, critical: 0 })
    for (let call = 0; call < 50; call += 1)
      expect([
        classes.api(afar('a')),
        classes.api(afar('b')),
        classes.web(afar('a')),
        classes.critical('login', afar('a')),
      ]).toEqual([0, 0, 0, 0])
  })
})
