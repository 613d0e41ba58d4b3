import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCheckpoints } from '../../../gateway/billing/checkpoints.ts'
import { openJournal } from '../../../gateway/billing/journal.ts'
import { aFolder, aTill, charge, type Till } from './till.ts'

const settled = (till: Till, user: number, count: number, from = 0) => {
  for (let turn = from; turn < from + count; turn += 1)
    till.hold(`r${turn}`, { user }).settle(charge(10, { request_id: `r${turn}`, user_id: user }))
}
const journalOf = (folder: string) => join(folder, 'ledger.journal')
const progressOf = (folder: string) => join(folder, 'progress.journal')
const keptIn = (folder: string) => readdirSync(folder).filter((name) => name.includes('unread'))

describe('data left by a killed run (docs/reference/streams.md#checkpoints)', () => {
  it('is written at the next start when only the journal has it', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    settled(till, alice, 30)
    const again = await aTill(till.killed())
    expect(await again.userRow(alice)).toEqual({ quota: 700, used_quota: 300, request_count: 30 })
    expect(await again.logRows()).toHaveLength(30)
    expect(await again.wrong()).toEqual([])
    expect(again.said).toMatchObject([{ level: 'warn', fields: { charges: 30 } }])
    expect(statSync(journalOf(again.folder)).size).toBe(0)
    await again.close()
    const third = await aTill(again.folder)
    expect(await third.userRow(alice)).toMatchObject({ quota: 700 })
    expect(third.said).toEqual([])
  })

  it('is not written again when the database has it too', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    settled(till, alice, 30)
    const stale = till.killed()
    await till.ledger.flush()
    const folder = till.killed()
    copyFileSync(journalOf(stale), journalOf(folder))
    const again = await aTill(folder)
    expect(await again.userRow(alice)).toEqual({ quota: 700, used_quota: 300, request_count: 30 })
    expect(await again.logRows()).toHaveLength(30)
    expect(again.said).toEqual([])
  })

  it('is written once even if the start that writes it is killed as well', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    settled(till, alice, 5)
    const journal = readFileSync(journalOf(till.killed()))
    const again = await aTill(till.killed())
    const folder = again.killed()
    writeFileSync(journalOf(folder), journal)
    const third = await aTill(folder)
    expect(await third.userRow(alice)).toEqual({ quota: 950, used_quota: 50, request_count: 5 })
    expect(await third.wrong()).toEqual([])
  })

  it('leaves no reservation: everything that was not charged can be spent', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const token = await till.token(alice, 600)
    till.hold('running', { user: alice, token, quota: 600 })
    const again = await aTill(till.killed())
    again.hold('next', { user: alice, token, quota: 600 }).settle(charge(600))
    expect(await again.wrong()).toEqual([])
    expect(await again.tokenRow(token)).toEqual({ remain_quota: 0, used_quota: 600 })
  })

  it('charges nothing for a checkpoint that was withdrawn, and the one after it', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const [one, two, three] = ['one', 'two', 'three'].map((id) => till.hold(id, { user: alice }))
    for (const hold of [one, two, three]) hold?.checkpoint(charge(10))
    one?.withdraw()
    two?.withdraw()
    two?.checkpoint(charge(25))
    const again = await aTill(till.killed())
    expect((await again.ledgerRows()).map(({ ref_id, amount }) => [ref_id, amount]).slice(1)).toEqual([
      ['three', -10],
      ['two', -25],
    ])
    expect(again.said).toMatchObject([{ level: 'warn', fields: { charges: 2 } }])
    one?.release()
    expect(await till.userRow(alice)).toMatchObject({ quota: 1000, request_count: 0 })
    expect(await till.wrong()).toEqual([])
  })

  it('charges a running request its last checkpoint, once', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const token = await till.token(alice, 1000)
    const unlimited = await till.token(alice)
    const one = till.hold('one', { user: alice, token })
    const two = till.hold('two', { user: alice, token: unlimited })
    const three = till.hold('three', { user: alice })
    one.checkpoint(charge(10))
    two.checkpoint(charge(20))
    three.checkpoint(charge(30))
    one.checkpoint(charge(15))
    three.settle(charge(31))
    const again = await aTill(till.killed())
    expect(await again.userRow(alice)).toEqual({ quota: 934, used_quota: 66, request_count: 3 })
    expect(await again.tokenRow(token)).toEqual({ remain_quota: 985, used_quota: 15 })
    expect(await again.tokenRow(unlimited)).toEqual({ remain_quota: 0, used_quota: 20 })
    expect(await again.wrong()).toEqual([])
    const third = await aTill(again.killed())
    expect(await third.userRow(alice)).toMatchObject({ quota: 934 })

    await till.ledger.flush()
    const later = await aTill(till.killed())
    expect(await later.userRow(alice)).toMatchObject({ quota: 934 })
  })

  it('continues counting from its position, so that the next crash loses nothing either', async () => {
    const till = await aTill()
    const alice = await till.user(10_000)
    till.hold('streaming', { user: alice }).checkpoint(charge(1))
    let folder = till.folder
    let current = till
    for (let round = 0; round < 5; round += 1) {
      settled(current, alice, 20, round * 20)
      if (round % 2 === 0) await current.ledger.flush()
      current.hold(`s${round}`, { user: alice }).checkpoint(charge(1))
      settled(current, alice, 3, 1000 + round * 20)
      folder = current.killed()
      current = await aTill(folder)
    }
    expect(await current.userRow(alice)).toEqual({ quota: 10_000 - 1150 - 6, used_quota: 1156, request_count: 121 })
    expect(await current.wrong()).toEqual([])
  })

  it('preserves a journal with damaged lines, reports it, and charges the lines it can read', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    settled(till, alice, 3)
    till.hold('running', { user: alice }).checkpoint(charge(5))
    const folder = till.killed()
    const damaged = readFileSync(journalOf(folder))
    damaged[Math.floor(damaged.length / 2)] = 0x7f
    writeFileSync(journalOf(folder), damaged)
    const spoilt = Buffer.concat([Buffer.from('nonsense\n'), readFileSync(progressOf(folder))])
    writeFileSync(progressOf(folder), spoilt)

    const again = await aTill(folder)
    expect(await again.userRow(alice)).toMatchObject({ quota: 975, request_count: 3 })
    expect(again.said).toMatchObject([{ level: 'error', fields: { lines: 2 } }, { level: 'warn' }])
    const kept = keptIn(folder).map((name) => readFileSync(join(folder, name)))
    expect(kept).toEqual(expect.arrayContaining([damaged, spoilt]))

    await again.close()
    writeFileSync(journalOf(folder), 'more nonsense\n')
    const third = await aTill(folder)
    expect(third.said).toMatchObject([{ level: 'error', fields: { lines: 1 } }])
    const still = keptIn(folder).map((name) => readFileSync(join(folder, name)))
    expect(still).toEqual(expect.arrayContaining([...kept, Buffer.from('more nonsense\n')]))
    for (const name of keptIn(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  it('charges nothing for the journal of another installation', async () => {
    const other = await aTill()
    settled(other, await other.user(1000), 4)
    const foreign = other.killed()
    const till = await aTill()
    const alice = await till.user(1000)
    await till.close()
    copyFileSync(journalOf(foreign), journalOf(till.folder))
    const again = await aTill(till.folder)
    expect(await again.userRow(alice)).toEqual({ quota: 1000, used_quota: 0, request_count: 0 })
    expect(again.said).toMatchObject([{ level: 'error', fields: { lines: 4 } }])
    expect(keptIn(till.folder)).toHaveLength(1)
  })

  it('limits the size of the checkpoint file, which contains the last checkpoint of every running request', async () => {
    const till = await aTill()
    const alice = await till.user(100_000)
    const holds = Array.from({ length: 40 }, (_, index) => till.hold(`r${index}`, { user: alice }))
    const long = { content: 'x'.repeat(2000) }
    let max = 0
    for (let round = 0; round < 60; round += 1) {
      for (const hold of holds) hold.checkpoint(charge(round, long))
      max = Math.max(max, statSync(progressOf(till.folder)).size)
    }
    expect(max).toBeLessThan(2_000_000)
    const again = await aTill(till.killed())
    expect(await again.userRow(alice)).toMatchObject({ used_quota: 40 * 59, request_count: 40 })
    for (const hold of holds) hold.release()
    expect(statSync(progressOf(till.folder)).size).toBe(0)
    expect(await till.wrong()).toEqual([])
  })

  it('writes each checkpoint about once, however many requests run', () => {
    let written = 0
    const counted = (...[descriptor, bytes, from, length]: [number, Buffer, number, number]) => {
      written += length
      return writeSync(descriptor, bytes, from, length)
    }
    const journal = openJournal(progressOf(aFolder()), counted as typeof writeSync)
    onTestFinished(journal.close)
    const running = createCheckpoints(journal, 'here', (error) => expect.unreachable(String(error)))
    const long = { content: 'x'.repeat(2000) }
    for (let round = 0; round < 5; round += 1)
      for (let place = 0; place < 1000; place += 1) {
        const request = { requestId: `r${place}`, userId: 1, tokenId: 0, quota: 100 }
        running.checkpoint({ request, limited: false, charge: charge(round, long) })
      }
    // The file is rewritten each time its size has about doubled.
    const once = 5 * 1000 * 2000
    expect(written).toBeGreaterThan(once)
    expect(written).toBeLessThan(3 * once)
  })
})

describe('a new folder', () => {
  it('gets owner-only journals and nothing to report', async () => {
    const till = await aTill()
    for (const file of [journalOf(till.folder), progressOf(till.folder)])
      expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(till.said).toEqual([])
    expect(existsSync(join(till.folder, 'rejected.journal'))).toBe(false)
  })
})
