import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aTill, charge, logRow, type Till } from './till.ts'

/** A slow disk: committed data is not durable until `works` or `fails` is called. */
function aSlowDisk() {
  let waiting: PromiseWithResolvers<void>[] = []
  const all = (end: (turn: PromiseWithResolvers<void>) => void) => {
    const turns = waiting
    waiting = []
    for (const turn of turns) end(turn)
  }
  return {
    synced: () => {
      const turn = Promise.withResolvers<void>()
      waiting.push(turn)
      return turn.promise
    },
    isAsked: () => waiting.length > 0,
    works: () => all((turn) => turn.resolve()),
    fails: () => all((turn) => turn.reject(new Error('the disk took nothing'))),
  }
}

const linesOf = (till: Till): number => statSync(join(till.folder, 'ledger.journal')).size
const emptied = (till: Till) => expect.poll(() => linesOf(till)).toBe(0)
const MEGABYTE = 'x'.repeat(1024 * 1024)

/** A till on a slow disk, with a user and a function that charges them. */
async function aTillAtWork() {
  const disk = aSlowDisk()
  const till = await aTill(undefined, disk)
  const alice = await till.user(10_000)
  const settle = (id: string, row = {}) => till.hold(id, { user: alice }).settle(charge(10, row))
  return { disk, till, alice, settle }
}

describe('a group commit and the disk (docs/reference/performance.md#the-ledger)', () => {
  it('does not wait for an fsync, while every other transaction does', async () => {
    const { database, ledger } = await aTill()
    const level = (connection: typeof database.writer) => connection.pragma('synchronous', { simple: true })
    expect([level(database.writer), level(database.unsynced)]).toEqual([2, 1])
    const changes = (connection: typeof database.writer) => connection.prepare('select total_changes()').pluck().get()
    const [written, unsynced] = [changes(database.writer), changes(database.unsynced)]
    expect(unsynced).toBe(0)
    ledger.auditLog.record(logRow({}))
    await ledger.flush()
    expect([changes(database.writer), changes(database.unsynced)]).toEqual([written, 1])
    await database.synced()
  })

  it('leaves its lines in the journal until the disk has it', async () => {
    const { disk, till, alice, settle } = await aTillAtWork()
    settle('first')
    await expect.poll(() => disk.isAsked()).toBe(true)
    expect(await till.userRow(alice)).toMatchObject({ quota: 9990 })
    expect(linesOf(till)).toBeGreaterThan(0)
    disk.works()
    await emptied(till)
  })

  it('retains the lines that arrived while the disk was busy, and charges each once after a kill', async () => {
    const { disk, till, alice, settle } = await aTillAtWork()
    settle('first')
    await expect.poll(() => disk.isAsked()).toBe(true)
    settle('second')
    disk.works()
    await expect.poll(() => disk.isAsked()).toBe(true)
    expect(linesOf(till)).toBeGreaterThan(0)
    const again = await aTill(till.killed())
    expect(await again.userRow(alice)).toEqual({ quota: 9980, used_quota: 20, request_count: 2 })
    expect(await again.wrong()).toEqual([])
    disk.works()
    await emptied(till)
  })

  it('limits the size of the journal under a continuous load', async () => {
    const { disk, till, alice, settle } = await aTillAtWork()
    for (let turn = 0; turn < 17; turn += 1) settle(`large${turn}`, { content: MEGABYTE })
    await expect.poll(() => disk.isAsked()).toBe(true)
    expect(linesOf(till)).toBeGreaterThan(17 * MEGABYTE.length)
    settle('last')
    disk.works()
    await expect.poll(() => disk.isAsked()).toBe(true)
    expect(linesOf(till)).toBeGreaterThan(0)
    expect(linesOf(till)).toBeLessThan(MEGABYTE.length)
    const again = await aTill(till.killed())
    expect(await again.userRow(alice)).toEqual({ quota: 9820, used_quota: 180, request_count: 18 })
    disk.works()
    await emptied(till)
  })

  it('has new calls refused while the disk fails, and is used again once it works', async () => {
    const { disk, till, alice, settle } = await aTillAtWork()
    settle('first')
    await expect.poll(() => disk.isAsked()).toBe(true)
    disk.fails()
    await expect.poll(() => till.ledger.healthy()).toBe(false)
    expect(() => till.hold('refused', { user: alice })).toThrow(expect.objectContaining({ kind: 'unavailable' }))
    expect(linesOf(till)).toBeGreaterThan(0)
    await expect.poll(() => disk.isAsked()).toBe(true)
    disk.works()
    await expect.poll(() => till.ledger.healthy()).toBe(true)
    await emptied(till)
    expect(till.said.map(({ level }) => level)).toEqual(['error', 'info'])
  })

  it('is waited for at the end', async () => {
    const { disk, till, settle } = await aTillAtWork()
    settle('first')
    await expect.poll(() => disk.isAsked()).toBe(true)
    settle('second')
    const closed = till.close()
    disk.works()
    await expect.poll(() => disk.isAsked()).toBe(true)
    disk.works()
    await closed
    expect(linesOf(till)).toBe(0)
  })
})
