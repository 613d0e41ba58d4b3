import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { openPostgresStore } from '../../../gateway/store/postgres/postgres-store.ts'
import { aChild, GATEWAY } from '../../process/child.ts'
import { aFolder, aHouse, PROMPT, question, seenBy } from '../../process/house.ts'
import { type Cut, hasMachines, type Machine, someNetworks } from '../../support/machines.ts'
import { hasRedis, startRedis } from '../../support/redis-server.ts'
import { leasedIn, unequal } from '../billing/postgres/node.ts'

/** How long each cut lasts: shorter and longer than the time that a node serves from its slices. */
const CUTS_S = [5, 40, 120]
/** A read that hangs is given up after this time (docs/growth.md#charges-and-faults). */
const KEY_READ_S = 5
const SERVED_FROM_SLICES_S = 30
/** Nodes that begin to use an account at the same moment pass its quota around for some seconds. */
const SETTLED_MS = 10_000

/** A status, or 0 if there was no response in time; `at` in seconds of this process. */
type Sample = Readonly<{ at: number; status: number }>
type Period = Readonly<{ from: number; to: number }>
type Node = Readonly<{
  machine: Machine
  url: string
  requests: Sample[]
  /** Of `/readyz`. */
  ready: Sample[]
  /** Ends it normally. */
  stop(): Promise<void>
}>

const seconds = () => performance.now() / 1000

/** The calls that began in a period and whose status is not one of these. */
const unlike = (samples: readonly Sample[], { from, to }: Period, ...wanted: number[]) =>
  samples.filter(({ at, status }) => at >= from && at < to && !wanted.includes(status))

describe.runIf(hasMachines() && hasRedis())('a node whose network fails (docs/growth.md#charges-and-faults)', () => {
  it('serves what it can, works again directly afterwards, and loses no charge', { timeout: 900_000 }, async () => {
    const { networks, machine } = someNetworks(['database', 'redis', 'vendors', 'clients'])
    const house = await aHouse()
    const database = new URL(house.config.DATABASE_URL ?? '')
    const { store } = await openPostgresStore(database.href, 0, silentLogger)
    const redis = await startRedis()
    const vendor = await networks.vendors.forward(Number(new URL(house.upstream.url).port))
    await store.db
      .updateTable('channels')
      .set({ base_url: `http://${vendor}` })
      .execute()
    database.host = await networks.database.forward(Number(database.port))
    const config = {
      ...house.config,
      DATABASE_URL: database.href,
      REDIS_URL: `redis://${await networks.redis.forward(redis.port)}`,
      HOST: '0.0.0.0',
      PORT: '6411',
    }

    const acknowledged = new Map<string, number>()
    const aNode = async (): Promise<Node> => {
      const own = machine()
      const child = await aChild({ folder: await aFolder(), config, command: [...own.prefix, ...GATEWAY] })
      const url = `http://${own.address('clients')}:6411`
      const stop = async () => {
        child.kill('SIGTERM')
        expect(await child.ended).toMatchObject({ code: 0, err: '' })
      }
      return { machine: own, url, requests: [], ready: [], stop }
    }
    let isOver = false
    const repeat = async (samples: Sample[], call: (count: number) => Promise<number>) => {
      for (let count = 0; !isOver; count += 1) {
        const at = seconds()
        samples.push({ at, status: await call(count) })
        await sleep(200)
      }
    }
    const request = async (url: string, count: number) => {
      const pieces = 2 + (count % 7)
      const asked = { key: house.keys[count % 3], content: question(pieces, 3), body: { max_tokens: 20 } }
      const seen = await Promise.race([seenBy(url, asked), sleep(10_000)])
      if (seen?.done) acknowledged.set(seen.requestId, PROMPT + pieces)
      return seen?.status ?? 0
    }
    const readiness = (url: string) =>
      fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
        ({ status }) => status,
        () => 0,
      )
    const load = (nodes: readonly Node[]) =>
      nodes.flatMap(({ url, requests, ready }) => [
        repeat(requests, (count) => request(url, count)),
        repeat(ready, () => readiness(url)),
      ])

    const undisturbed = await aNode()
    const cut: (readonly [network: string, how: Cut, node: Node])[] = []
    for (const network of ['database', 'redis', 'clients'])
      for (const how of ['taken off', 'pulled'] as const) cut.push([network, how, await aNode()])
    const nodes = [undisturbed, ...cut.map(([, , node]) => node)]
    const loading = load(nodes)
    const works = () => nodes.map(({ requests, ready }) => [requests.at(-1)?.status, ready.at(-1)?.status])
    const allWork = () => expect.poll(works).toEqual(nodes.map(() => [200, 200]))
    const periods: Period[] = []
    await allWork()
    for (const lasts of CUTS_S) {
      await sleep(SETTLED_MS)
      for (const [network, how, node] of cut) node.machine.cut(network, how)
      const from = seconds()
      await sleep(lasts * 1000)
      periods.push({ from, to: seconds() })
      for (const [network, , node] of cut) node.machine.mend(network)
      await allWork()
    }
    isOver = true
    await Promise.all(loading)
    for (const node of nodes) await node.stop()

    const begin = periods[0]?.from ?? 0
    const always = { from: begin, to: Number.POSITIVE_INFINITY }
    expect(unlike(undisturbed.requests, always, 200), 'undisturbed').toEqual([])
    for (const [network, how, { requests, ready }] of cut) {
      const name = `${network}, ${how}, from ${begin}`
      if (network === 'redis') {
        expect(unlike(requests, always, 200), name).toEqual([])
        expect(unlike(ready, always, 200), name).toEqual([])
      }
      if (network !== 'database') continue
      expect(unlike([...requests, ...ready], always, 200, 503), name).toEqual([])
      for (const { from, to } of periods) {
        const refusesAt = from + SERVED_FROM_SLICES_S
        expect(unlike(requests, { from, to: Math.min(refusesAt - 2, to) }, 200), name).toEqual([])
        // A request whose key is being read when the network is mended is served.
        if (to > refusesAt)
          expect(unlike(requests, { from: refusesAt + 1, to: to - KEY_READ_S }, 503), name).toEqual([])
        if (to - from > 7) expect(unlike(ready, { from: from + 6, to }, 503), name).toEqual([])
      }
    }
    expect([await unequal(store.db), await leasedIn(store.db)]).toEqual([[], 0])
    await store.close()
    const { wrong, charges } = await house.books()
    const charged = new Map(charges)
    expect(wrong).toEqual([])
    expect(charged.size).toBe(charges.length)
    expect([...acknowledged].filter(([id, quota]) => charged.get(id) !== quota)).toEqual([])
  })
})
