import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import type { ChangedNames, Topic } from '../../../../gateway/shared-state/changes.ts'
import { openPolledChanges } from '../../../../gateway/shared-state/postgres/changes.ts'
import type { Connections } from '../../../../gateway/store/postgres/connections.ts'
import { type Node, twoNodes } from './two-nodes.ts'

const TOPICS: readonly Topic[] = ['answers', 'channels', 'cooldowns', 'endings', 'options', 'setup', 'tokens', 'users']

/** Changes that are read only on request, and what was delivered since the last look. */
async function aFollower(run: Connections['run'], node = 'a') {
  const changes = await openPolledChanges({ run, node, log: silentLogger, everyMs: 86_400_000 })
  onTestFinished(changes.stop)
  const delivered: (readonly [Topic, ChangedNames])[] = []
  for (const topic of TOPICS) changes.follow(topic, (names) => void delivered.push([topic, names]))
  const seen = async () => {
    await changes.poll()
    await sleep(1)
    return delivered.splice(0)
  }
  return { changes, seen }
}

const USER = `insert into users (username, created_at) values ('ann', 1)`
const option = (key: string) =>
  `insert into options (key, value) values ('${key}', '1') on conflict (key) do update set value = options.value || '1'`

/** A transaction that stays open until its connection is released. */
async function begun({ connections }: Node, ...statements: string[]) {
  const client = await connections.connect()
  await client.query('begin', [])
  for (const statement of statements) await client.query(statement, [])
  return client
}

it('a change is seen by another node though the one that committed it is killed at once', async () => {
  const [one, other] = await twoNodes()
  const { seen } = await aFollower(other.run)
  const client = await begun(one, option('RetryTimes'))
  await client.query('commit', [])
  client.release(true)
  expect(await seen()).toEqual([['options', ['RetryTimes']]])
  expect(await seen()).toEqual([])
})

it('a change is not seen if its transaction was not committed', async () => {
  const [one, other] = await twoNodes()
  const { seen } = await aFollower(other.run)
  const client = await begun(one, option('RetryTimes'))
  client.release(true)
  await sleep(50)
  expect(await seen()).toEqual([])
})

it('changes are seen in any order of their ids and commits, and one open transaction delays no other', async () => {
  const [one, other] = await twoNodes()
  const { seen } = await aFollower(other.run)
  const early = await begun(one, option('early'))
  await one.run(option('late'))
  expect(await seen()).toEqual([['options', ['late']]])
  const middle = await begun(one, option('middle'))
  await early.query('commit', [])
  expect(await seen()).toEqual([['options', ['early']]])
  await middle.query('commit', [])
  await one.run(option('late'))
  expect(await seen()).toEqual([['options', ['late', 'middle']]])
  for (const client of [early, middle]) client.release()
})

it('changes of accounts, tokens, channels and settings are seen, those by charges are not', async () => {
  const [one, other] = await twoNodes()
  await one.run(USER)
  await one.run(`insert into tokens (user_id, key_hash, key, created_time) values (1, 'old', '', 1)`)
  await one.run(`insert into channels (key, created_time) values ('', 1)`)
  const { seen } = await aFollower(other.run)
  await one.run('update users set quota = 5, used_quota = 5, request_count = 1, password = $1', ['new'])
  await one.run('update tokens set used_quota = 1, accessed_time = 1, remain_quota = 7')
  await one.run('update channels set used_quota = 1, balance = 1, test_time = 1, response_time = 1')
  await one.run('update users set status = status, role = role')
  expect(await seen()).toEqual([])
  await one.run('update users set status = 2')
  await one.run(`update tokens set key_hash = 'new'`)
  await one.run('update channels set status = 2')
  expect(Object.fromEntries(await seen())).toEqual({ users: ['1'], tokens: ['new', 'old'], channels: ['1'] })
  await one.run(`insert into channel_keys (channel_id, key_id, status) values (1, 'k', 2)`)
  await one.run('delete from tokens')
  await one.run(`insert into setups (id, version, initialized_at) values (1, '', 1)`)
  expect(Object.fromEntries(await seen())).toEqual({ channels: ['1'], tokens: ['new'], setup: [''] })
})

it('a change without a row is published to the others, and not to the node itself', async () => {
  const [one, other] = await twoNodes()
  const first = await aFollower(one.run, 'one')
  const second = await aFollower(other.run, 'other')
  await first.changes.publish('answers', ['7'])
  await first.changes.publish('options', ['RetryTimes'])
  expect([await first.seen(), await second.seen()]).toEqual([[], [['answers', ['7']]]])
  await first.changes.publish('answers', 'all')
  expect(await second.seen()).toEqual([['answers', 'all']])
})

it('a change before a topic has its follower waits for it, and one that fails is followed again', async () => {
  const [one, other] = await twoNodes()
  const changes = await openPolledChanges({ run: other.run, node: 'a', log: silentLogger, everyMs: 20 })
  onTestFinished(changes.stop)
  await one.run(option('RetryTimes'))
  await changes.poll()
  const calls: ChangedNames[] = []
  changes.follow('options', (names) => {
    calls.push(names)
    if (calls.length === 1) throw new Error('no database')
  })
  await expect.poll(() => calls).toEqual([['RetryTimes'], ['RetryTimes']])
})

it('anything may have changed after a minute without polls, and after the server was another one', async () => {
  const [, other] = await twoNodes()
  let shift: Readonly<{ at?: number; server?: string }> = {}
  const shifted = async <R>(text: string, values?: readonly unknown[]) => {
    const rows = await other.run<R & { at: number; server: string }>(text, values)
    return rows.map((row) => ({ ...row, at: row.at + (shift.at ?? 0), server: shift.server ?? row.server }))
  }
  const { seen } = await aFollower(shifted as Connections['run'])
  const all = TOPICS.map((topic) => [topic, 'all'])
  shift = { at: 40 }
  expect(await seen()).toEqual([])
  shift = { at: 120 }
  expect(await seen()).toEqual(all)
  shift = { at: 120, server: 'restarted' }
  expect(await seen()).toEqual(all)
  expect(await seen()).toEqual([])
})

it('removes changes ten minutes after they were written, and those of a restored database', async () => {
  const [one, other] = await twoNodes()
  let minutes = 0
  const shifted = async <R>(text: string, values?: readonly unknown[]) =>
    (await other.run<R & { at: number }>(text, values)).map((row) => ({ ...row, at: row.at + minutes * 60 }))
  const { seen } = await aFollower(shifted as Connections['run'])
  const left = async () => (await one.run<{ name: string }>('select name from changes')).map(({ name }) => name)
  await one.run(option('old'))
  await one.run(`update changes set at = at - interval '11 minutes'`)
  await one.run(option('new'))
  await one.run(`insert into changes (xid, topic, name) values ('9000000000', 'options', 'restored')`)
  expect(await seen()).toEqual([['options', ['new', 'old']]])
  minutes = 2
  await seen()
  expect(await left()).toEqual(['old', 'new'])
  // Transactions of other databases of the server may be open.
  const afterMore = async () => {
    minutes += 2
    await seen()
    return left()
  }
  await expect.poll(afterMore).toEqual(['new'])
})
