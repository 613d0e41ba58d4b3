import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { dataOf } from '../../../support/client.ts'
import { aWorld, type Person } from '../../../support/world.ts'

const ACCOUNTS = 3000
const CHARGES = 6

it('a check on one node and a clean-up on another run one after the other, so that the sums stay right', async () => {
  const one = await aWorld({ options: { LedgerRetentionDays: 400 } })
  const two = await one.node()
  const there = await two.same(one.admin)
  const { db } = one.gateway.inner
  const rows = async () =>
    Number(
      (
        await db
          .selectFrom('ledger')
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    )
  await sql`insert into users (id, username, password, role, display_name, "group", created_at, quota, used_quota, request_count)
    select 100 + g, 'u' || g, '', 1, '', 'default', 1, ${sql.lit(1000 - CHARGES)}, ${sql.lit(CHARGES)}, ${sql.lit(CHARGES)}
    from generate_series(1, ${sql.lit(ACCOUNTS)}) g`.execute(db)
  await sql`insert into ledger (created_at, user_id, kind, amount, ref_type, ref_id, balance_after)
    select 1000, 100 + g, 'grant', 1000, 'test', 'g' || g, 1000
    from generate_series(1, ${sql.lit(ACCOUNTS)}) g`.execute(db)
  await sql`insert into ledger (created_at, user_id, kind, amount, ref_type, ref_id, balance_after)
    select 1000, 100 + g, 'consume', -1, 'request', g || '-' || n, 0
    from generate_series(1, ${sql.lit(ACCOUNTS)}) g, generate_series(1, ${sql.lit(CHARGES)}) n`.execute(db)
  const ledger = async (person: Person) => dataOf(await person.get('/api/ledger'))
  const checked = async (person: Person, scope: string) => {
    dataOf(await person.post('/api/ledger/check', { scope }))
    await expect.poll(async () => (await ledger(person)).running, { timeout: 30_000 }).toBe(null)
    const [{ state, differences }] = (await ledger(person)).checks
    return [state, differences]
  }
  expect(await checked(one.admin, 'new')).toEqual(['done', 0])
  const before = await rows()
  dataOf(await there.post('/api/ledger/cleanup', {}))
  await expect.poll(rows, { interval: 5 }).toBeLessThan(before)
  expect(await checked(one.admin, 'all')).toEqual(['done', 0])
  await expect.poll(async () => (await ledger(there)).is_cleaning, { timeout: 30_000 }).toBe(false)
  expect(await checked(there, 'new')).toEqual(['done', 0])
})
