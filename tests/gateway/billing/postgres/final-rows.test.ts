import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { verifyLedger } from '../../../../gateway/billing/verify.ts'
import { lockedBy } from '../../../../gateway/store/postgres/dialect.ts'
import { aNode, someone } from './node.ts'

const verified = (node: Awaited<ReturnType<typeof aNode>>) =>
  verifyLedger(node.db, { scope: 'new', progress: { rows: 0, accounts: 0 }, clock: node.clock })

it('verification waits for rows with lower ids that other nodes have not committed yet', async () => {
  const node = await aNode()
  const idOf = async (username: string) =>
    (
      await node.db
        .insertInto('users')
        .values({ ...someone, username })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const [ann, bob] = [await idOf('ann'), await idOf('bob')]
  const charge = (id: number) => `with paid as (update users set quota = quota - 5 where id = ${id})
    insert into ledger (created_at, user_id, kind, amount, ref_type, ref_id, balance_after)
    values (1, ${id}, 'grant', -5, 'test', '${id}', -5) returning id`
  const slow = new Client(node.address)
  await slow.connect()
  onTestFinished(() => slow.end())
  await slow.query('begin')
  // As a group of charges of another node does.
  await slow.query(`select pg_advisory_xact_lock_shared(${lockedBy('commits')})`)
  const early = await slow.query<{ id: string }>(charge(ann))
  const [late] = await node.connections.named<{ id: number }>('late', charge(bob), [])
  expect(late?.id).toBeGreaterThan(Number(early.rows[0]?.id))
  const verifying = verified(node)
  await sleep(300)
  await slow.query('commit')
  expect(await verifying).toEqual([])
  expect(await verified(node)).toEqual([])
  await node.store.close()
})

it('a vacuum of the ledger makes no node wait, also while budgets are read', async () => {
  const node = await aNode()
  const { id } = await node.db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
  const ledger = await node.open()
  await ledger.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId: '1' })
  const vacuum = new Client(node.address)
  await vacuum.connect()
  onTestFinished(() => vacuum.end())
  await vacuum.query('begin')
  await vacuum.query('lock table ledger in share update exclusive mode')
  expect(await node.store.charges.newest()).toBeGreaterThan(0)
  expect(await verified(node)).toEqual([])
  const hold = await ledger.hold({ requestId: 'one', userId: id, tokenId: 0, quota: 10 })
  hold.settle({ quota: 10, channelId: 0, at: 1, log: null })
  await ledger.flush()
  const rows = await node.db.selectFrom('ledger').select('amount').where('kind', '=', 'consume').execute()
  expect(rows).toEqual([{ amount: -10 }])
  await vacuum.query('rollback')
  await ledger.close()
  await node.store.close()
})
