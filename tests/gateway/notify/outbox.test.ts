import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { addressIsRefused, type Failure, failedWith } from '../../../gateway/notify/failure.ts'
import { createOutbox, MAX_PENDING, type OutboxDeps } from '../../../gateway/notify/outbox.ts'
import type { Addressed } from '../../../gateway/notify/stored-letters.ts'
import { aClock } from '../../support/clock.ts'

const refused = failedWith('notice.reason_status', { status: 500 })
const toSomebody = (userId = 1): Addressed => ({
  id: `letter${userId}`,
  userId,
  username: `user${userId}`,
  way: { kind: 'mail', to: 'someone@example.org' },
  letter: { type: 'quota_exceed', mail: { subject: '', text: '', html: '' }, json: '{}' },
})

/** An outbox whose attempts have the given results; records the attempts' times, in seconds, and what was given up. */
function anOutbox(deliver: OutboxDeps['deliver']) {
  const clock = aClock(0)
  const triedAt: number[] = []
  const lost: Failure[] = []
  const storedLetters: string[] = []
  const outbox = createOutbox({
    clock,
    log: silentLogger,
    deliver(addressed, signal) {
      triedAt.push(clock.monotonic() / 1000)
      return deliver(addressed, signal)
    },
    onLost: (_, failure) => void lost.push(failure),
    storedLetters: {
      async begin(id, tries) {
        storedLetters.push(`${id}: try ${tries}`)
        return true
      },
      wait: async (id, due) => void storedLetters.push(`${id}: again at ${due}`),
      forget: async (id) => void storedLetters.push(`${id}: over`),
    },
  })
  const passes = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(0)
    for (let second = 0; second < seconds; second += 1) {
      clock.advanceSeconds(1)
      await vi.advanceTimersByTimeAsync(1000)
    }
  }
  return { outbox, triedAt, lost, storedLetters, passes }
}

describe('pending letters (docs/reference/limits.md#notices)', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('are tried four times: after ten seconds, a minute and five minutes', async () => {
    const { outbox, triedAt, lost, storedLetters, passes } = anOutbox(async () => refused)
    outbox.add(toSomebody())
    await passes(1000)
    expect(triedAt).toEqual([0, 10, 70, 370])
    expect(lost).toEqual([refused])
    const begun = [1, 2, 3, 4].map((tries) => `letter1: try ${tries}`)
    const waits = ['letter1: again at 10', 'letter1: again at 70', 'letter1: again at 370', 'letter1: over']
    expect(storedLetters).toEqual(begun.flatMap((told, index) => [told, waits[index]]))
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are given up at once where another try would change nothing', async () => {
    const { outbox, triedAt, lost, passes } = anOutbox(async () => addressIsRefused)
    outbox.add(toSomebody())
    await passes(100)
    expect([triedAt, lost]).toEqual([[0], [addressIsRefused]])
  })

  it('are eight at a time, the others in their order, whose tries count once they begin', async () => {
    const open: (() => void)[] = []
    const users: number[] = []
    const { outbox, storedLetters, passes } = anOutbox(({ userId }) => {
      users.push(userId)
      return new Promise((resolve) => void open.push(() => resolve(null)))
    })
    for (let userId = 1; userId <= 20; userId += 1) outbox.add(toSomebody(userId))
    await passes(1)
    expect(users).toHaveLength(8)
    expect(storedLetters).toEqual(users.map((userId) => `letter${userId}: try 1`))
    open.shift()?.()
    await passes(1)
    expect(users).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('are a thousand at most', async () => {
    const { outbox } = anOutbox(() => new Promise(() => {}))
    for (let userId = 1; userId <= 1000; userId += 1) {
      expect(outbox.hasCapacity()).toBe(true)
      outbox.add(toSomebody(userId))
    }
    expect([MAX_PENDING, outbox.hasCapacity()]).toEqual([1000, false])
    const { outbox: empty } = anOutbox(() => new Promise(() => {}))
    expect([empty.hasCapacity(999), empty.hasCapacity(1000)]).toEqual([true, false])
  })

  it('that were left by another process continue from their state', async () => {
    const { outbox, triedAt, lost, storedLetters, passes } = anOutbox(async () => refused)
    outbox.add(toSomebody(), { tries: 4, dueMs: 20_000 })
    await passes(500)
    expect([triedAt, lost, storedLetters]).toEqual([[20], [refused], ['letter1: try 4', 'letter1: over']])
  })

  it('are left unchanged when it stops, which waits three seconds at most for one being handed over', async () => {
    const { outbox, triedAt, lost, storedLetters, passes } = anOutbox(async ({ userId }) =>
      userId === 1 ? refused : new Promise(() => {}),
    )
    outbox.add(toSomebody(1))
    outbox.add(toSomebody(2))
    await passes(1)
    let isStopped = false
    const stopping = outbox.stop().then(() => {
      isStopped = true
    })
    await passes(2)
    expect(isStopped).toBe(false)
    await passes(1)
    await stopping
    await passes(400)
    expect([triedAt, lost, outbox.hasCapacity()]).toEqual([[0, 0], [], false])
    expect(storedLetters).toEqual(['letter1: try 1', 'letter2: try 1', 'letter1: again at 10'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('survive an attempt that breaks: the others continue', async () => {
    const { outbox, triedAt, storedLetters, passes } = anOutbox(async ({ userId }) => {
      if (userId === 1) throw new Error('a fault')
      return null
    })
    for (let userId = 1; userId <= 10; userId += 1) outbox.add(toSomebody(userId))
    await passes(1)
    expect(triedAt).toHaveLength(10)
    expect(storedLetters.filter((told) => told.endsWith('over'))).toHaveLength(10)
  })
})
