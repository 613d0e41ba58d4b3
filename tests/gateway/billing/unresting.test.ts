import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextCommit } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openLedger } from '../../../gateway/billing/sqlite-ledger.ts'
import { openDatabase } from '../../../gateway/store/sqlite/database.ts'
import { aTill, charge, NOW, type Till } from './till.ts'

/** A disk that writes immediately, fails, or hangs. */
function aDisk() {
  const disk = {
    mood: 'works' as 'works' | 'fails' | 'hangs',
    asked: 0,
    answer: undefined as (() => void) | undefined,
    synced: (): Promise<void> => {
      disk.asked += 1
      if (disk.mood === 'fails') return Promise.reject(new Error('the disk took nothing'))
      if (disk.mood === 'works') return Promise.resolve()
      return new Promise((resolve) => {
        disk.answer = resolve
      })
    },
  }
  return disk
}

const linesOf = (till: Till): number => statSync(join(till.folder, 'ledger.journal')).size
const LONG_MS = 60_000

/** Replaces timeouts by ones that a test fires manually; the event loop itself runs normally. */
function byHand() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

describe('a disk that never answers', () => {
  const aHungTill = async () => {
    const disk = aDisk()
    const till = await aTill(undefined, disk)
    const alice = await till.user(10_000)
    const streaming = till.hold('streaming', { user: alice })
    byHand()
    disk.mood = 'hangs'
    till.hold('first', { user: alice }).settle(charge(10))
    await vi.advanceTimersByTimeAsync(1000)
    await expect.poll(() => disk.answer).toBeDefined()
    return { disk, till, alice, streaming }
  }

  it('has new calls refused after a while, and is used again once it answers', async () => {
    const { disk, till, alice, streaming } = await aHungTill()
    expect(till.ledger.healthy()).toBe(true)
    await vi.advanceTimersByTimeAsync(LONG_MS)
    expect(till.ledger.healthy()).toBe(false)
    expect(() => till.hold('refused', { user: alice })).toThrow(expect.objectContaining({ kind: 'unavailable' }))
    expect(till.said.map(({ level }) => level)).toEqual(['error'])
    streaming.settle(charge(20))
    disk.mood = 'works'
    disk.answer?.()
    await expect.poll(() => till.ledger.healthy()).toBe(true)
    expect(await till.wrong()).toEqual([])
    expect(await till.userRow(alice)).toEqual({ quota: 9970, used_quota: 30, request_count: 2 })
    await expect.poll(() => linesOf(till)).toBe(0)
  })

  it('blocks no request: reads are answered, and movements of money are refused', async () => {
    const { disk, till, alice } = await aHungTill()
    const read = till.ledger.flush()
    const moved = till.ledger.move({ kind: 'admin', userId: alice, amount: 5, refType: 't', refId: '1' })
    const refused = expect(moved).rejects.toMatchObject({ kind: 'unavailable' })
    await vi.advanceTimersByTimeAsync(LONG_MS)
    await read
    await refused
    await till.ledger.flush()
    disk.mood = 'works'
    disk.answer?.()
  })

  it('does not prevent the gateway from ending, and a late response of the disk empties no journal', async () => {
    const { disk, till, streaming } = await aHungTill()
    streaming.settle(charge(20))
    const closed = till.ledger.close()
    await vi.advanceTimersByTimeAsync(LONG_MS)
    await closed
    expect(vi.getTimerCount()).toBe(0)
    const size = linesOf(till)
    expect(size).toBeGreaterThan(0)
    disk.mood = 'works'
    disk.answer?.()
    for (let turn = 0; turn < 5; turn += 1) await nextCommit()
    expect(linesOf(till)).toBe(size)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a start whose disk never answers', () => {
  it('does not continue, and leaves the journal to the next', async () => {
    const { disk, till, alice, settle } = await aKilledTill()
    settle()
    const folder = till.killed()
    const database = { ...(await openDatabase(folder, NOW)), synced: disk.synced }
    byHand()
    disk.mood = 'hangs'
    const clock = { now: () => 0, monotonic: () => 0 }
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    const opening = openLedger({ database, folder, clock, log, show: String })
    const refused = expect(opening).rejects.toMatchObject({ name: 'CannotStart', exitCode: 4 })
    await expect.poll(() => disk.answer).toBeDefined()
    await vi.advanceTimersByTimeAsync(LONG_MS)
    await refused
    expect(statSync(join(folder, 'ledger.journal')).size).toBeGreaterThan(0)
    await database.close()
    vi.useRealTimers()
    const again = await aTill(folder)
    expect(await again.userRow(alice)).toEqual({ quota: 9990, used_quota: 10, request_count: 1 })
  })

  const aKilledTill = async () => {
    const disk = aDisk()
    const till = await aTill(undefined, disk)
    const alice = await till.user(10_000)
    return { disk, till, alice, settle: () => till.hold('first', { user: alice }).settle(charge(10)) }
  }
})

describe('a commit that is not known to be on the disk', () => {
  it('is not reported as written after a sync that failed', async () => {
    const disk = aDisk()
    const till = await aTill(undefined, disk)
    const alice = await till.user(10_000)
    disk.mood = 'fails'
    till.hold('first', { user: alice }).settle(charge(10))
    await expect.poll(() => till.ledger.healthy()).toBe(false)
    await expect(
      till.ledger.move({ kind: 'admin', userId: alice, amount: 5, refType: 't', refId: '1' }),
    ).rejects.toMatchObject({ kind: 'unavailable' })
    disk.mood = 'works'
    await expect.poll(() => till.ledger.healthy()).toBe(true)
  })

  it('stays in the journal of a start until the disk has it', async () => {
    const disk = aDisk()
    const till = await aTill(undefined, disk)
    const alice = await till.user(10_000)
    disk.mood = 'hangs'
    till.hold('first', { user: alice }).settle(charge(10))
    await expect.poll(() => disk.answer).toBeDefined()
    const folder = till.killed()
    disk.mood = 'works'
    disk.answer?.()
    const later = aDisk()
    later.mood = 'hangs'
    const opening = aTill(folder, later)
    await expect.poll(() => later.answer).toBeDefined()
    expect(existsSync(join(folder, 'ledger.journal'))).toBe(true)
    expect(statSync(join(folder, 'ledger.journal')).size).toBeGreaterThan(0)
    later.mood = 'works'
    later.answer?.()
    const again = await opening
    expect(linesOf(again)).toBe(0)
    expect(await again.userRow(alice)).toMatchObject({ quota: 9990 })
  })
})

describe('movements during group commits', () => {
  it('leaves every balance in the ledger as the rows before it make it', async () => {
    const till = await aTill(undefined, aDisk())
    const alice = await till.user(100_000)
    for (let turn = 0; turn < 250; turn += 1) {
      const hold = till.hold(`r${turn}`, { user: alice })
      const moved = till.ledger.move({ kind: 'admin', userId: alice, amount: 7, refType: 't', refId: `${turn}` })
      for (let tick = 0; tick < turn; tick += 1) await null
      hold.settle(charge(1))
      const flushed = till.ledger.flush()
      await Promise.all([moved, flushed])
    }
    await till.ledger.flush()
    let balance = 0
    const wrong = (await till.ledgerRows()).filter(({ amount, balance_after }) => {
      balance += amount
      return balance !== balance_after
    })
    expect(wrong).toEqual([])
  })
})
