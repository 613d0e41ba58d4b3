import { setImmediate as nextCommit } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { aTill, charge } from './till.ts'

describe('a load that never lets up', () => {
  it('is written as fast as it comes: whoever waits is answered, and the journal is emptied', async () => {
    const till = await aTill(undefined, { synced: () => Promise.resolve() })
    const alice = await till.user(1_000_000)
    let [settled, isWritten, max] = [0, false, 0]
    const written = () => till.database.reader.prepare('select count(*) from ledger').pluck().get() as number
    for (let turn = 0; turn < 300; turn += 1) {
      for (let one = 0; one < 150; one += 1) till.hold(`r${turn}-${one}`, { user: alice }).settle(charge(1))
      settled += 150
      if (turn === 10)
        void till.ledger.flush().then(() => {
          isWritten = true
        })
      await nextCommit()
      max = Math.max(max, settled - written())
    }
    expect(isWritten).toBe(true)
    expect(max).toBeLessThan(20_000)
    expect(await till.wrong()).toEqual([])
  })
})
