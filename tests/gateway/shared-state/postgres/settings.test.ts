import { expect, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { createVault } from '../../../../gateway/base/secrets/ciphers.ts'
import { openSettings } from '../../../../gateway/settings/settings.ts'
import { optionTable } from '../../../../gateway/store/options.ts'
import { openPostgresStore } from '../../../../gateway/store/postgres/postgres-store.ts'
import { aClock } from '../../../support/clock.ts'
import { aDatabase } from './two-nodes.ts'

const by = (username: string) => ({ id: 1, username, origin: 'edit' }) as const

/** The settings of a node to which no change of another one is published. */
async function aNode(url: string) {
  const { store } = await openPostgresStore(url, 1_700_000_000, silentLogger)
  const vault = createVault(Buffer.alloc(32, 7))
  const table = optionTable({ db: store.db, vault, clock: aClock(), log: silentLogger })
  const settings = await openSettings({ store: table, listenAddress: () => '', warn: () => {}, defaults: {} })
  return { settings, table, store }
}

it('of two operators on two nodes, the later one gets the conflict, and the history is right', async () => {
  const url = await aDatabase()
  const [one, other] = [await aNode(url), await aNode(url)]
  const change = (node: typeof one, value: string, base: string, name: string) =>
    node.settings.change([{ key: 'RetryTimes', value, base }], by(name))
  expect(await change(one, '3', one.settings.defaultOf('RetryTimes'), 'ann')).toEqual([])
  expect(await change(other, '4', other.settings.defaultOf('RetryTimes'), 'bob')).toEqual(['RetryTimes'])
  expect(other.settings.get('RetryTimes')).toBe(3)
  await other.settings.set('RetryTimes', '5', by('bob'))
  const rows = await one.store.db
    .selectFrom('option_changes')
    .select(['before', 'after', 'username'])
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { before: one.settings.defaultOf('RetryTimes'), after: '3', username: 'ann' },
    { before: '3', after: '5', username: 'bob' },
  ])
  for (let round = 6; round <= 10; round += 1) {
    const base = String(round - 1)
    const results = await Promise.all([one, other].map((node) => change(node, String(round), base, 'both')))
    expect(results.flat()).toEqual(['RetryTimes'])
  }
  for (const { store } of [one, other]) await store.close()
})

it('a change of another node that a check depends on is not overlooked', async () => {
  const url = await aDatabase()
  const [one, other] = [await aNode(url), await aNode(url)]
  await one.settings.set('SystemName', 'first', by('ann'))
  const read = await other.table.load()
  await one.settings.set('SystemName', 'second', by('ann'))
  const writes = [{ key: 'RetryTimes', before: '0', value: '7' }] as const
  expect(await other.table.save(writes, by('bob'), read)).toBe(false)
  expect(await other.table.save(writes, by('bob'), await other.table.load())).toBe(true)
  for (const { store } of [one, other]) await store.close()
})
