import { expect, it } from 'vitest'
import { createInTurn } from '../../../gateway/base/in-turn.ts'
import { type JobLocks, onOneNode, ownJobs } from '../../../gateway/shared-state/job-locks.ts'

/** The locks of one installation as each of its nodes sees them, with delayed results. */
function sharedLocks() {
  const holders = new Map<string, string>()
  const locksOf = (node: string): JobLocks => ({
    async take(job) {
      if (holders.has(job)) return false
      holders.set(job, node)
      return true
    },
    async leave(job) {
      holders.delete(job)
    },
  })
  return { holders, locksOf }
}

it('runs a job on one of two nodes, and lets the other have it once it is over', async () => {
  const { locksOf, holders } = sharedLocks()
  const ran: string[] = []
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const first = onOneNode(locksOf('a'), 'sweep', () => {
    ran.push('a')
    return end
  })
  const second = onOneNode(locksOf('b'), 'sweep', () => void ran.push('b'))
  const running = first()
  await second()
  await onOneNode(locksOf('b'), 'another', () => void ran.push('other'))()
  expect(ran).toEqual(['a', 'other'])
  resolve()
  await running
  await second()
  expect([ran, holders.size]).toEqual([['a', 'other', 'b'], 0])
})

it('releases the lock of a run that failed, which is reported', async () => {
  const { locksOf, holders } = sharedLocks()
  const broken = onOneNode(locksOf('a'), 'sweep', () => Promise.reject(new Error('no disk')))
  await expect(broken()).rejects.toThrow('no disk')
  expect(holders.size).toBe(0)
})

it('begins at once where there is one process', () => {
  let hasBegun = false
  void onOneNode(ownJobs, 'sweep', () => {
    hasBegun = true
  })()
  expect(hasBegun).toBe(true)
})

it('runs work of two nodes in turn, and gives up waiting where that is cancelled', async () => {
  const { locksOf, holders } = sharedLocks()
  const [first, second] = [createInTurn(locksOf('a'), 'books'), createInTurn(locksOf('b'), 'books')]
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const ran: string[] = []
  const running = first(async () => {
    ran.push('a')
    await end
    ran.push('a ended')
  })
  const waiting = second(async () => void ran.push('b'))
  const cancelled = new AbortController()
  const never = createInTurn(locksOf('c'), 'books')(async () => void ran.push('c'), cancelled.signal)
  cancelled.abort(new Error('the gateway stops'))
  await expect(never).rejects.toThrow()
  resolve()
  await Promise.all([running, waiting])
  expect([ran, holders.size]).toEqual([['a', 'a ended', 'b'], 0])
})
