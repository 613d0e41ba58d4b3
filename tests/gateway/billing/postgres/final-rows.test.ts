import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { verifyLedger } from '../../../../gateway/billing/verify.ts'
import { aNode, someone } from './node.ts'

const verified = (node: Awaited<ReturnType<typeof aNode>>) =>
  verifyLedger(node.db, { scope: 'new', progress: { rows: 0, accounts: 0 }, clock: node.clock })

it('verification and budgets wait for rows with lower ids that other nodes have not committed yet', async () => {
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
  const early = await slow.query<{ id: string }>(charge(ann))
  const [late] = await node.connections.named<{ id: number }>('late', charge(bob), [])
  expect(late?.id).toBeGreaterThan(Number(early.rows[0]?.id))
  const verifying = verified(node)
  const newest = Promise.resolve(node.store.charges.newest())
  await sleep(300)
  await slow.query('commit')
  expect(await verifying).toEqual([])
  expect(await newest).toBe(late?.id)
  expect(await verified(node)).toEqual([])
  await node.store.close()
})
