import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Notice } from '../../../gateway/notify/notice.ts'
import { dataOf } from '../../support/client.ts'
import { aWorld } from '../../support/world.ts'

it('root is notified once of a node that is silent, or that cannot write its charges, by one node', async () => {
  const sent: Notice[] = []
  const onNotice = (_: unknown, notice: Notice) => void sent.push(notice)
  const world = await aWorld({ onNotice })
  await world.node()
  const { db } = world.gateway.inner
  const aNode = async (name: string, seenAt: string, uncommittedSeconds: number) => {
    await sql`insert into nodes (id, version, epoch, batch, entries, sequence, grants)
      values (${name}, '1', 1, 0, 0, 0, 0)`.execute(db)
    await sql`insert into node_beats (node, seen_at, uncommitted, uncommitted_s)
      values (${name}, ${sql.raw(seenAt)}, 3, ${uncommittedSeconds})`.execute(db)
  }
  const typesSent = () => sent.map(({ type }) => type).sort()
  await aNode('restarting', `clock_timestamp() - interval '5 s'`, 0)
  await aNode('stopped', `'-infinity'`, 0)
  await aNode('lost', `clock_timestamp() - interval '1 hour'`, 0)
  await expect.poll(typesSent).toEqual(['node_silent_lost'])
  await aNode('late', 'clock_timestamp()', 12)
  await expect.poll(typesSent).toEqual(['node_late_late', 'node_silent_lost'])
  expect(sent.find(({ type }) => type === 'node_late_late')?.values).toEqual(['late', '12', '3'])
  const events = async () =>
    dataOf(await world.admin.get('/api/log?type=4')).items.map((row: { content: string }) => row.content)
  await expect
    .poll(async () => (await events()).join('\n'))
    .toMatch(/Node late has not written[\s\S]*Node lost has not reported/)
  // It has been well again meanwhile.
  await sql`update node_beats set alarmed = false where node = 'lost'`.execute(db)
  await expect.poll(typesSent).toEqual(['node_late_late', 'node_silent_lost', 'node_silent_lost'])
})
