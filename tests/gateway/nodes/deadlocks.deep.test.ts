import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { openPostgresStore } from '../../../gateway/store/postgres/postgres-store.ts'
import { aChild, type Listening } from '../../process/child.ts'
import { aFolder } from '../../process/house.ts'
import { aClient } from '../../support/client.ts'
import { reconcile } from '../../support/reconcile.ts'
import { aWorld } from '../../support/world.ts'
import { leasedIn, unequal } from '../billing/postgres/node.ts'

/** `NODE_MINUTES=60` for a long run. */
const MINUTES = Number(process.env.NODE_MINUTES ?? 1)
const [NODES, ACCOUNTS, CHANNELS, CALLERS, OPERATORS] = [3, 20, 5, 9, 2]

it(
  'three nodes charge and credit the same accounts without a deadlock (docs/growth.md#nodes)',
  async () => {
    const masterKey = randomBytes(32).toString('base64')
    const options = { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 } }
    const world = await aWorld({ options, config: { SWITCHYARD_MASTER_KEY: masterKey } })
    for (let channel = 0; channel < CHANNELS; channel += 1) await world.channel({ models: 'm' })
    const keys: string[] = []
    const ids: number[] = []
    for (let account = 0; account < ACCOUNTS; account += 1) {
      const person = await world.user({ quota: 1e9 })
      const limited = { unlimited_quota: false, remain_quota: 1e9 }
      keys.push(account % 2 === 0 ? await person.key() : (await world.token(person, limited)).key)
      ids.push(person.id)
    }
    const identity = world.admin.identity()
    await world.gateway.stop()
    const config = { SWITCHYARD_MASTER_KEY: masterKey, DATABASE_URL: world.databaseUrl }
    const nodes: Listening[] = []
    for (let node = 0; node < NODES; node += 1) nodes.push(await aChild({ folder: await aFolder(), config }))

    let isOver = false
    const urlOf = (count: number) => nodes[count % NODES]?.url ?? ''
    const statuses = new Map<string, number>()
    const count = (outcome: string) => void statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
    const repeat = async (first: number, work: (count: number) => Promise<string>) => {
      for (let at = first; !isOver; at += 1) {
        count(await work(at))
        await sleep(10)
      }
    }
    const call = async (at: number) => {
      const response = await fetch(`${urlOf(at)}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys[(at * 7) % ACCOUNTS]}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 20 }),
      })
      await response.text()
      return `call ${response.status}`
    }
    // Adds quota to some accounts and takes it from others, in one transaction for each list.
    const operate = async (at: number) => {
      const some = Array.from({ length: 8 }, (_, index) => ids[(at * 13 + index * 3) % ACCOUNTS])
      const amount = at % 2 === 0 ? 100 : -100
      const { success } = await aClient(urlOf(at), identity).put('/api/user/batch', { ids: [...new Set(some)], amount })
      await sleep(20)
      return `operation ${success}`
    }
    const load = [
      ...Array.from({ length: CALLERS }, (_, at) => repeat(at, call)),
      ...Array.from({ length: OPERATORS }, (_, at) => repeat(at, operate)),
    ]
    await sleep(MINUTES * 60_000)
    isOver = true
    await Promise.all(load)
    for (const node of nodes) {
      node.kill('SIGTERM')
      expect(await node.ended).toMatchObject({ code: 0, err: '' })
    }
    const { store } = await openPostgresStore(world.databaseUrl, 0, silentLogger)
    const { rows } = await sql<{ deadlocks: number; rollbacks: number }>`
    select deadlocks, xact_rollback as rollbacks from pg_stat_database where datname = current_database()`.execute(
      store.db,
    )
    console.log(`${MINUTES} min:`, Object.fromEntries(statuses), rows[0])
    expect(rows[0]?.deadlocks).toBe(0)
    expect([...statuses.keys()].sort()).toEqual(['call 200', 'operation true'])
    expect(statuses.get('operation true')).toBeGreaterThan(20)
    expect([await unequal(store.db), await leasedIn(store.db), await reconcile(store.db)]).toEqual([[], 0, []])
    await store.close()
  },
  MINUTES * 60_000 + 120_000,
)
