import { expect, it } from 'vitest'
import { othersTurn } from '../../../gateway/base/json-scan.ts'

it('large pieces of work go on one in each round of the event loop, in their order', async () => {
  let round = 0
  let isOver = false
  const next = () => {
    round += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  const seen: [work: number, round: number][] = []
  const work = async (name: number) => {
    for (let step = 0; step < 3; step += 1) {
      await othersTurn()
      seen.push([name, round])
    }
  }
  await Promise.all([1, 2, 3, 4, 5].map(work))
  isOver = true
  expect(new Set(seen.map(([, at]) => at)).size).toBe(15)
  expect(seen.map(([name]) => name)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
})
