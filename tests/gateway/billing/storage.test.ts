import { readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../../gateway/store/sqlite/database.ts'
import { aTill, charge, logRow, NOW, type Till } from './till.ts'

/** Makes every write of the till fail, as on a read-only file system, until the returned function is called. */
function blocked({ database: { writer, unsynced } }: Pick<Till, 'database'>): () => void {
  const setAll = (value: 'ON' | 'OFF') => {
    for (const one of [writer, unsynced]) one.pragma(`query_only = ${value}`)
  }
  setAll('ON')
  return () => setAll('OFF')
}

/** Holds SQLite's write lock, as a faulty backup tool would. */
function locked(till: Till): () => void {
  const other = new Database(till.database.file)
  onTestFinished(() => void other.close())
  other.exec('begin immediate')
  return () => void other.exec('rollback')
}

/** Simulates the disk under the journals; full on command. */
function aDisk() {
  const disk = {
    isFull: false,
    write: ((...how: Parameters<typeof writeSync>) => {
      if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      return writeSync(...how)
    }) as typeof writeSync,
  }
  return disk
}

const aBlockedTill = async () => {
  const till = await aTill()
  const alice = await till.user(10_000)
  const streaming = till.hold('streaming', { user: alice })
  const unblock = blocked(till)
  till.hold('first', { user: alice }).settle(charge(10))
  await expect.poll(() => till.ledger.healthy()).toBe(false)
  return { till, alice, streaming, unblock }
}

describe('a disk that accepts no writes (docs/reference/reliability.md#faults)', () => {
  it('has new calls refused before they cost anything, and is used again once it takes them', async () => {
    const { till, alice, streaming, unblock } = await aBlockedTill()
    expect(() => till.hold('refused', { user: alice })).toThrow(
      expect.objectContaining({ kind: 'unavailable', code: 'storage_unavailable' }),
    )
    await expect(
      till.ledger.move({ kind: 'admin', userId: alice, amount: 5, refType: 't', refId: '1' }),
    ).rejects.toMatchObject({ kind: 'unavailable' })
    streaming.checkpoint(charge(3))
    streaming.settle(charge(20))
    await till.ledger.flush()
    unblock()
    await expect.poll(() => till.ledger.healthy()).toBe(true)
    expect(await till.userRow(alice)).toEqual({ quota: 9970, used_quota: 30, request_count: 2 })
    till.hold('served', { user: alice }).settle(charge(1))
    expect(await till.wrong()).toEqual([])
    expect(till.said.map(({ level }) => level)).toEqual(['error', 'info'])
  })

  it('takes calls while another program has the lock for a while, and charges them once it is gone', async () => {
    const till = await aTill()
    const alice = await till.user(10_000)
    const { writer, unsynced, reader } = till.database
    for (const one of [writer, unsynced, reader]) expect(one.pragma('busy_timeout', { simple: true })).toBe(50)
    const unlock = locked(till)
    till.hold('first', { user: alice }).settle(charge(10))
    const charged = till.ledger.flush()
    await sleep(600)
    till.hold('second', { user: alice }).settle(charge(20))
    expect([till.ledger.healthy(), (await till.ledgerRows()).length]).toEqual([true, 1])
    unlock()
    await charged
    expect(await till.wrong()).toEqual([])
    expect(await till.userRow(alice)).toEqual({ quota: 9970, used_quota: 30, request_count: 2 })
    expect(till.said).toEqual([])
  })

  it('charges a stream its last checkpoint where its settlement reached no disk before a kill, and once', async () => {
    let isFull = false
    const write = ((...args: Parameters<typeof writeSync>) => {
      if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      return writeSync(...args)
    }) as typeof writeSync
    const till = await aTill(undefined, { write })
    const alice = await till.user(1000)
    const streaming = till.hold('streaming', { user: alice })
    streaming.checkpoint(charge(10))
    const unblock = blocked(till)
    isFull = true
    streaming.settle(charge(20))
    const killed = await aTill(till.killed())
    expect(await killed.userRow(alice)).toMatchObject({ quota: 990, request_count: 1 })
    isFull = false
    unblock()
    await expect.poll(() => till.ledger.healthy()).toBe(true)
    till.hold('next', { user: alice }).settle(charge(1))
    await expect.poll(() => statSync(join(till.folder, 'progress.journal')).size).toBe(0)
    expect(await till.userRow(alice)).toMatchObject({ quota: 979, request_count: 2 })
    const later = await aTill(till.killed())
    expect(await later.userRow(alice)).toMatchObject({ quota: 979, request_count: 2 })
  })

  it('buffers a bounded number of rows about refused calls', async () => {
    const { till, unblock } = await aBlockedTill()
    for (let turn = 0; turn < 30_000; turn += 1) till.ledger.auditLog.record(logRow({ type: 5 }))
    unblock()
    await expect.poll(() => till.ledger.healthy()).toBe(true)
    await till.ledger.flush()
    const rows = (await till.logRows()).filter(({ type }) => type === 5)
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.length).toBeLessThanOrEqual(10_000)
    expect(await till.wrong()).toEqual([])
  })

  it('does not prevent the gateway from ending: unwritten data stays in the journal', async () => {
    const { till, alice, streaming } = await aBlockedTill()
    streaming.settle(charge(20))
    await till.close()
    expect(statSync(join(till.folder, 'ledger.journal')).size).toBeGreaterThan(0)
    const again = await aTill(till.folder)
    expect(await again.userRow(alice)).toEqual({ quota: 9970, used_quota: 30, request_count: 2 })
    expect(await again.wrong()).toEqual([])
  })

  it('stops a start that cannot write the data of the last run, and does not change how long calls wait', async () => {
    const { till, alice, streaming } = await aBlockedTill()
    streaming.settle(charge(20))
    const folder = till.killed()
    const { openLedger } = await import('../../../gateway/billing/sqlite-ledger.ts')
    const database = await openDatabase(folder, NOW)
    const waitsMs = () => database.writer.pragma('busy_timeout', { simple: true })
    expect(waitsMs()).toBe(5000)
    blocked({ database })
    const deps = { database, folder, clock: { now: () => 0, monotonic: () => 0 }, show: String }
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    await expect(openLedger({ ...deps, log })).rejects.toMatchObject({ name: 'CannotStart', exitCode: 4 })
    expect(waitsMs()).toBe(50)
    await sleep(400)
    await database.close()
    const again = await aTill(folder)
    expect(await again.userRow(alice)).toMatchObject({ used_quota: 30 })
  })
})

describe('a journal that accepts no writes', () => {
  it('ends nothing: running streams continue, new calls wait for a commit that succeeds', async () => {
    const disk = aDisk()
    const till = await aTill(undefined, { write: disk.write })
    const alice = await till.user(1000)
    const [one, two] = [till.hold('one', { user: alice }), till.hold('two', { user: alice })]
    disk.isFull = true
    one.checkpoint(charge(5))
    two.settle(charge(7))
    disk.isFull = false
    expect(till.ledger.healthy()).toBe(false)
    expect(() => till.hold('three', { user: alice })).toThrow(expect.objectContaining({ kind: 'unavailable' }))
    await expect.poll(() => till.ledger.healthy()).toBe(true)
    one.release()
    expect(await till.wrong()).toEqual([])
    expect(await till.userRow(alice)).toMatchObject({ quota: 988, request_count: 2 })
  })
})

describe('a charge that breaks a rule of the ledger', () => {
  it('is written without its log row, or put aside, and reported; the balance in memory follows', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const bob = await till.user(1000)
    const token = await till.token(bob, 1000)
    const [bad1, bad2, good2] = ['bad1', 'bad2', 'good2'].map((id) => till.hold(id, { user: bob, token }))
    till.hold('good1', { user: alice }).settle(charge(10))
    bad1?.settle(charge(20, { use_time: 1.5 }))
    bad2?.settle(charge(Number.MAX_SAFE_INTEGER))
    good2?.settle(charge(30))
    expect(await till.wrong()).toEqual([])
    expect(await till.userRow(alice)).toMatchObject({ quota: 990, request_count: 1 })
    expect(await till.userRow(bob)).toMatchObject({ quota: 950, request_count: 2 })
    expect(await till.logRows()).toHaveLength(2)
    const rejected = join(till.folder, 'rejected.journal')
    const lines = readFileSync(rejected, 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ requestId: 'bad1' }, { requestId: 'bad2' }])
    expect(statSync(rejected).mode & 0o777).toBe(0o600)
    expect(till.said).toMatchObject([{ fields: { requestId: 'bad1' } }, { fields: { requestId: 'bad2' } }])
    expect(till.ledger.healthy()).toBe(true)
    till.hold('rest', { user: bob, token, quota: 950 })
    const again = await aTill(till.killed())
    expect(await again.userRow(bob)).toMatchObject({ quota: 950 })
  })
})
