import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../gateway/base/logger.ts'
import { addressIsRefused, type Failure, failedWith } from '../../../gateway/notify/failure.ts'
import { type Addressed, createOutbox, MOST_PENDING, type OutboxDeps } from '../../../gateway/notify/outbox.ts'
import { aClock } from '../../support/clock.ts'

const refused = failedWith('notice.reason_status', { status: 500 })
const toSomebody = (userId = 1): Addressed => ({
  userId,
  username: `user${userId}`,
  way: { kind: 'mail', to: 'someone@example.org' },
  letter: { type: 'quota_exceed', mail: { subject: '', text: '', html: '' }, json: '{}' },
})

/** An outbox whose tries are answered as told, with when they were made, in seconds, and what was given up. */
function anOutbox(deliver: OutboxDeps['deliver']) {
  const clock = aClock(0)
  const triedAt: number[] = []
  const lost: Failure[] = []
  const outbox = createOutbox({
    clock,
    log: silentLogger,
    deliver(addressed, signal) {
      triedAt.push(clock.monotonic() / 1000)
      return deliver(addressed, signal)
    },
    onLost: (_, failure) => void lost.push(failure),
  })
  const passes = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(0)
    for (let second = 0; second < seconds; second += 1) {
      clock.advanceSeconds(1)
      await vi.advanceTimersByTimeAsync(1000)
    }
  }
  return { outbox, triedAt, lost, passes }
}

describe('letters on their way (docs/reference/limits.md#notices)', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('are tried four times: after ten seconds, a minute and five minutes', async () => {
    const { outbox, triedAt, lost, passes } = anOutbox(async () => refused)
    expect(outbox.add(toSomebody())).toBe(true)
    await passes(1000)
    expect(triedAt).toEqual([0, 10, 70, 370])
    expect(lost).toEqual([refused])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are given up at once where another try would change nothing', async () => {
    const { outbox, triedAt, lost, passes } = anOutbox(async () => addressIsRefused)
    outbox.add(toSomebody())
    await passes(100)
    expect([triedAt, lost]).toEqual([[0], [addressIsRefused]])
  })

  it('are eight at a time, the others in their order', async () => {
    const open: (() => void)[] = []
    const users: number[] = []
    const { outbox, passes } = anOutbox(({ userId }) => {
      users.push(userId)
      return new Promise((resolve) => void open.push(() => resolve(null)))
    })
    for (let userId = 1; userId <= 20; userId += 1) outbox.add(toSomebody(userId))
    expect(users).toHaveLength(8)
    open.shift()?.()
    await passes(1)
    expect(users).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('are a thousand at most; one that does not fit is not kept', async () => {
    const { outbox } = anOutbox(() => new Promise(() => {}))
    const added = Array.from({ length: MOST_PENDING + 5 }, (_, userId) => outbox.add(toSomebody(userId)))
    expect(added.filter(Boolean)).toHaveLength(1000)
    expect(added.lastIndexOf(true)).toBe(MOST_PENDING - 1)
  })

  it('are dropped when it stops, which waits three seconds at most for one being handed over', async () => {
    const { outbox, triedAt, lost, passes } = anOutbox(async ({ userId }) =>
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
    expect([triedAt, lost, outbox.add(toSomebody())]).toEqual([[0, 0], [], false])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('survive a try that breaks: the others go on', async () => {
    const { outbox, triedAt, passes } = anOutbox(async ({ userId }) => {
      if (userId === 1) throw new Error('a fault')
      return null
    })
    for (let userId = 1; userId <= 10; userId += 1) outbox.add(toSomebody(userId))
    await passes(1)
    expect(triedAt).toHaveLength(10)
  })
})
