import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { fenceNode } from '../../../gateway/billing/postgres/membership.ts'
import { openPostgresStore } from '../../../gateway/store/postgres/postgres-store.ts'
import { aChild, type Listening } from '../../process/child.ts'
import { aFolder, aHouse, PROMPT, question, seenBy } from '../../process/house.ts'
import { leasedIn, unequal } from '../billing/postgres/node.ts'

const ROUNDS = 20
const LOOPS = 12

it.each([
  ['its folder is kept', {}],
  ['its folder is lost, and it is fenced, with SETTLE=commit', { SETTLE: 'commit' }],
])('a node of three that is killed under load loses no charge, and none is charged twice: %s', async (_, settle) => {
  const house = await aHouse()
  const isLost = 'SETTLE' in settle
  const folders = [house.folder, await aFolder(), await aFolder()]
  const start = (at: number) => aChild({ folder: folders[at] ?? '', config: { ...house.config, ...settle, PORT: '0' } })
  const nodes: Listening[] = []
  for (const at of folders.keys()) nodes.push(await start(at))
  const { store, connections } = await openPostgresStore(house.config.DATABASE_URL ?? '', 0, silentLogger)
  const acknowledged = new Map<string, number>()
  const served = [0, 0, 0]
  const samples: unknown[] = []
  let sampled = 0
  let isOver = false
  const load = Array.from({ length: LOOPS }, async (_, loop) => {
    for (let count = 0; !isOver; count += 1) {
      const at = (loop + count) % nodes.length
      const pieces = 2 + ((loop + count) % 7)
      const content = question(pieces, 3)
      const seen = await seenBy(nodes[at]?.url ?? '', { key: house.keys[count % 3], content, body: { max_tokens: 20 } })
      if (seen.done) {
        acknowledged.set(seen.requestId, PROMPT + pieces)
        served[at] = (served[at] ?? 0) + 1
      } else await sleep(20)
    }
  })
  const sampling = (async () => {
    while (!isOver) {
      samples.push(...(await unequal(store.db)))
      sampled += 1
      await sleep(100)
    }
  })()
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = (round * 7) % 3
    await sleep(200 + ((round * 37) % 400))
    nodes[at]?.kill('SIGKILL')
    await nodes[at]?.ended
    if (isLost) {
      const name = readFileSync(join(folders[at] ?? '', 'node'), 'utf8')
      expect(await fenceNode(connections, name, 0)).toBe('fenced')
      folders[at] = await aFolder()
    }
    nodes[at] = await start(at)
  }
  isOver = true
  await Promise.all([...load, sampling])
  for (const node of nodes) {
    node.kill('SIGTERM')
    expect(await node.ended).toMatchObject({ code: 0, err: '' })
  }
  expect([await unequal(store.db), await leasedIn(store.db)]).toEqual([[], 0])
  const { rows } = await sql`select deadlocks from pg_stat_database where datname = current_database()`.execute(
    store.db,
  )
  expect(rows).toEqual([{ deadlocks: 0 }])
  await store.close()
  const { wrong, charges, logged } = await house.books()
  const charged = new Map(charges)
  expect(wrong).toEqual([])
  // Nodes commit at the same time: the rows of log and ledger are in different orders.
  expect(new Map(logged)).toEqual(charged)
  expect(logged.length).toBe(charges.length)
  expect(charged.size).toBe(charges.length)
  expect([...acknowledged].filter(([id, quota]) => charged.get(id) !== quota)).toEqual([])
  expect(samples).toEqual([])
  expect(sampled).toBeGreaterThan(ROUNDS)
  expect(Math.min(...served)).toBeGreaterThan(20)
})
