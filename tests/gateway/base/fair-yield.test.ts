import { expect, it } from 'vitest'
import { boundToAccount, workFor, yieldToOthers } from '../../../gateway/base/fair-yield.ts'

/** Work of an account in steps, each recorded with the iteration of the event loop in which it ran. */
function recorder() {
  let iteration = 0
  let isOver = false
  const next = () => {
    iteration += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  const seen: (readonly [work: string, iteration: number])[] = []
  const work = async (account: number, name: string, steps: number) => {
    await Promise.resolve()
    workFor(account)
    for (let step = 0; step < steps; step += 1) {
      await yieldToOthers()
      seen.push([name, iteration])
    }
  }
  const end = () => {
    isOver = true
  }
  return { seen, work, end }
}

it('one piece of long work runs in each iteration of the event loop, in the order of the calls', async () => {
  const { seen, work, end } = recorder()
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => work(1, name, 3)))
  end()
  expect(new Set(seen.map(([, at]) => at)).size).toBe(15)
  expect(seen.map(([name]) => name).join('')).toBe('abcdeabcdeabcde')
})

it('an account with much work delays that of another by one piece at a time', async () => {
  const { seen, work, end } = recorder()
  const crowd = Array.from({ length: 60 }, () => work(1, 'x', 5))
  await Promise.all([...crowd, work(2, 'y', 5)])
  end()
  const order = seen.map(([name]) => name).join('')
  expect(order.slice(0, 11).match(/y/g)).toHaveLength(5)
  expect(order).toHaveLength(305)
})

it('a bound function works for the account that bound it', async () => {
  const { seen, work, end } = recorder()
  workFor(2)
  const bound = boundToAccount(async (name: string) => {
    for (let step = 0; step < 5; step += 1) {
      await yieldToOthers()
      seen.push([name, 0])
    }
  })
  workFor(1)
  const crowd = Array.from({ length: 60 }, () => work(1, 'x', 5))
  await Promise.all([...crowd, bound('y')])
  end()
  expect(seen.findLastIndex(([name]) => name === 'y')).toBeLessThan(12)
})

it('a bound function has no getter, which would give each a hidden class that keeps its request in memory', () => {
  const bound = boundToAccount(() => undefined)
  const getters = Object.entries(Object.getOwnPropertyDescriptors(bound)).filter(([, { get }]) => get)
  expect(getters).toEqual([])
})
