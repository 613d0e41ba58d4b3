import { expect, it } from 'vitest'
import { ledgerCheckStore } from '../../../../gateway/store/ledger/ledger-checks.ts'
import type { Difference } from '../../../../gateway/store/ledger/ledger-sums.ts'
import { onEachDatabase } from '../../../support/databases.ts'

onEachDatabase('the tables of ledger checks', (db) => {
  const store = () => ledgerCheckStore(db())
  const difference = (id: number, summed: string): Difference => ({
    account: 'user',
    id,
    column: 'quota',
    recorded: '9007199254740993',
    summed,
  })

  it('recognizes a known gap, counts unacknowledged ones, and acknowledges each once', async () => {
    expect(await store().found([], 5)).toBe(0)
    const many = Array.from({ length: 150 }, (_, id) => difference(id, '1'))
    expect(await store().found(many, 10)).toBe(150)
    expect(await store().found([difference(0, '1'), difference(0, '2')], 20)).toBe(2)
    const [newest, ...others] = await store().unacknowledged(200)
    expect(others).toHaveLength(150)
    expect(newest).toMatchObject({ account_id: 0, gap: '9007199254740991', found_at: 20, seen_at: 20 })
    const known = others.find(({ account_id }) => account_id === 0)
    expect(known).toMatchObject({ recorded: '9007199254740993', gap: '9007199254740992', found_at: 10, seen_at: 20 })
    const id = Number(newest?.id)
    expect(await store().acknowledge(id, 30, 'root')).toMatchObject({ acknowledged_by: 'root', acknowledged_at: 30 })
    expect(await store().acknowledge(id, 31, 'root')).toBeUndefined()
    expect(await store().found([difference(0, '1'), difference(0, '2')], 40)).toBe(1)
  })

  it('deletes the oldest checks', async () => {
    const check = { scope: 'new', started_by: 'schedule', state: 'equal', ended_at: 0 }
    for (let number = 0; number < 203; number += 1) await store().add({ ...check, started_at: number })
    const kept = await store().newest(500)
    expect([kept.length, kept[0]?.started_at, kept.at(-1)?.started_at]).toEqual([200, 202, 3])
  })
})
