import { expect, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { onOneNode } from '../../../../gateway/shared-state/job-locks.ts'
import { createRowLocks } from '../../../../gateway/shared-state/postgres/job-locks.ts'
import { type Node, twoNodes } from './two-nodes.ts'

const locksOf = ({ run }: Node, node: string, log: Parameters<typeof createRowLocks>[0]['log'] = silentLogger) =>
  createRowLocks({ run, node, log, extendEveryMs: 20 })

const expire = ({ run }: Node) => run('update locks set until = extract(epoch from clock_timestamp())::bigint - 1')

it('of two nodes that take a lock at once, one gets it, and the other once it is released', async () => {
  const [one, other] = await twoNodes()
  const nodes = [locksOf(one, 'one'), locksOf(other, 'other')] as const
  for (let round = 0; round < 20; round += 1) {
    const taken = await Promise.all(nodes.map((locks) => locks.take('retention')))
    expect(taken.toSorted()).toEqual([false, true])
    await nodes[taken[0] ? 0 : 1].leave('retention')
  }
  expect(await nodes[1].take('retention')).toBe(true)
  await nodes[0].leave('retention')
  expect(await nodes[0].take('retention')).toBe(false)
  expect(await nodes[0].take('sessions')).toBe(true)
  await Promise.all([nodes[1].leave('retention'), nodes[0].leave('sessions')])
})

it('a lock is extended while its job runs, and passes to another node only after it has expired', async () => {
  const [one, other] = await twoNodes()
  const warnings: string[] = []
  const first = locksOf(one, 'one', { warn: (message) => void warnings.push(message) })
  const second = locksOf(other, 'other')
  expect(await first.take('retention')).toBe(true)
  await expire(other)
  await expect
    .poll(async () => (await other.run('select 1 from locks where until > extract(epoch from now()) + 20')).length)
    .toBe(1)
  expect(await second.take('retention')).toBe(false)
  await other.run(`update locks set owner = 'dead', until = 0`)
  expect(await second.take('retention')).toBe(true)
  await expect.poll(() => warnings).toEqual(['the lock of a background job was lost to another node'])
  await first.leave('retention')
  expect(await other.run('select owner from locks')).toEqual([{ owner: 'other' }])
  await second.leave('retention')
})

it('a lock that cannot be released does not hide the result of its job', async () => {
  const [one] = await twoNodes()
  const locks = createRowLocks({
    node: 'one',
    log: silentLogger,
    run: (text, values) =>
      text.startsWith('delete') ? Promise.reject(new Error('no database')) : one.run(text, values),
  })
  await onOneNode(locks, 'retention', () => {})()
  await expect(onOneNode(locks, 'sessions', () => Promise.reject(new Error('no disk')))()).rejects.toThrow('no disk')
})
