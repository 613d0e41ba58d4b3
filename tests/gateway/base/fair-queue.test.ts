import { describe, expect, it } from 'vitest'
import { createFairQueue, type FairQueue } from '../../../gateway/base/fair-queue.ts'

const patient = new AbortController().signal
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Records the order in which accounts are admitted. */
function noting(turns: FairQueue) {
  const order: number[] = []
  const ends: (() => void)[] = []
  const take = (accountId: number, times = 1) => {
    for (let time = 0; time < times; time += 1)
      void turns.take(accountId, patient).then((end) => {
        order.push(accountId)
        ends.push(end)
      })
  }
  /** Ends the oldest turn; returns the accounts admitted as a result. */
  const next = async () => {
    const before = order.length
    ends.shift()?.()
    await settled()
    return order.slice(before)
  }
  return { order, take, next }
}

describe('slots that accounts share', () => {
  it('are for one account never more than it leaves free, so the next always finds some', async () => {
    const { order, take } = noting(createFairQueue(16, 512))
    for (const accountId of [1, 2, 3, 4, 5]) take(accountId, 20)
    await settled()
    const had = (accountId: number) => order.filter((one) => one === accountId).length
    expect([1, 2, 3, 4, 5].map(had)).toEqual([8, 4, 2, 1, 1])
  })

  it('go from one waiting account to the next, no matter how many each account requests', async () => {
    const { order, take, next } = noting(createFairQueue(2, 64))
    take(1)
    take(2)
    take(3, 3)
    take(4, 3)
    take(5, 1)
    await settled()
    expect(order).toEqual([1, 2])
    const letIn: number[] = []
    while (letIn.length < 7) letIn.push(...(await next()))
    expect(letIn).toEqual([3, 4, 5, 3, 4, 3, 4])
  })

  it('have a waiting list no longer per account than the slots it leaves free, which can be left at once', async () => {
    const turns = createFairQueue(2, 4)
    const leaving = new AbortController()
    const end = await turns.take(1, patient)
    const waiting = [turns.take(1, leaving.signal), turns.take(1, leaving.signal)]
    await expect(turns.take(1, patient)).rejects.toMatchObject({ name: 'TooManyWaiting' })
    const other = await turns.take(2, patient)
    const patiently = turns.take(2, patient)
    leaving.abort(new Error('left'))
    await expect(Promise.all(waiting)).rejects.toThrow('left')
    end()
    other()
    const last = await patiently
    last()
    const ends = [await turns.take(3, patient), await turns.take(4, patient)]
    expect(ends).toHaveLength(2)
  })
})
