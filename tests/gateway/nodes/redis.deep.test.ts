import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { aCommand } from '../../process/child.ts'
import { aFolder } from '../../process/house.ts'
import { chatAnswer } from '../../support/chat.ts'
import { aClient, dataOf } from '../../support/client.ts'
import { hasRedis, type RedisServer, startRedis } from '../../support/redis-server.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../support/world.ts'

const AWAY = 'Redis does not respond: each node counts its share of limits'
const BACK = 'Redis responds: the nodes count limits together'

describe.runIf(hasRedis())('two nodes that share a Redis server (docs/growth.md#redis)', () => {
  const lines: string[] = []
  const log = {
    ...silentLogger,
    info: (text: string) => void lines.push(text),
    warn: (text: string) => void lines.push(text),
  }
  const times = (line: string) => lines.filter((text) => text === line).length
  let redis: RedisServer
  let one: World
  let two: World

  beforeAll(async () => {
    redis = await startRedis()
    one = await aWorld({
      log,
      config: { REDIS_URL: redis.url, CRITICAL_RATE_LIMIT: '1000' },
      options: { ModelRatio: { m: 1, pair: 1, later: 1, known: 1 }, CompletionRatio: { m: 1 }, RetryTimes: 0 },
    })
    await one.channel({ models: 'm' })
    two = await one.node()
    await vi.waitFor(() => expect(times(BACK) - times(AWAY)).toBe(2), 30_000)
  })
  beforeEach(() => {
    one.upstream.reset()
    one.upstream.answers({ body: chatAnswer('hi') })
  })

  /** An account on both nodes, and its statuses for `count` requests that alternate between them. */
  async function someone(fields: object = {}) {
    const here = await one.user({ quota: 1_000_000 })
    const { key } = await one.token(here, fields)
    const there = await two.same(here)
    const statuses = async (count: number, model = 'm') => {
      const found: number[] = []
      for (let at = 0; at < count; at += 1)
        found.push((await (at % 2 === 0 ? here : there).asks(model, 'hi', { key })).status)
      return found
    }
    return { here, there, key, statuses }
  }
  /** Repeats work during which a node lost Redis: this process runs both nodes, and may be too busy for 20 ms. */
  async function undisturbed<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 0; tries < 20; tries += 1) {
      const [away, back] = [times(AWAY), times(BACK)]
      const result = await work()
      const lost = times(AWAY) - away
      if (lost === 0) return result
      await expect.poll(() => times(BACK)).toBeGreaterThanOrEqual(back + lost)
    }
    throw new Error('Redis was lost in every attempt')
  }
  const served = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length

  it('count requests per minute of a token together', async () => {
    const found = await undisturbed(async () => (await someone({ requests_per_minute: 5 })).statuses(12))
    expect(found).toEqual([...Array(5).fill(200), ...Array(7).fill(429)])
  })

  it('count requests that arrive at both at the same moment', async () => {
    const answers = await undisturbed(async () => {
      const { here, there, key } = await someone({ requests_per_minute: 10 })
      return Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? here : there).asks('m', 'hi', { key })))
    })
    expect(served(answers.map(({ status }) => status))).toBe(10)
  })

  it('count tokens per minute together', async () => {
    one.upstream.reset()
    one.upstream.answers({ body: chatAnswer('hi', { prompt: 900, completion: 200 }) })
    const { here, there, key } = await someone({ tokens_per_minute: 1000 })
    expect((await here.asks('m', 'hi', { key })).status).toBe(200)
    await expect.poll(async () => (await there.asks('m', 'hi', { key })).status).toBe(429)
    expect((await here.asks('m', 'hi', { key })).status).toBe(429)
  })

  it('count model requests of an account together, those that fail not among the successful', async () => {
    await one.option('ModelRequestRateLimitSuccessCount', 4)
    await one.option('ModelRequestRateLimitEnabled', true)
    await expect.poll(() => two.gateway.inner.settings.get('ModelRequestRateLimitEnabled')).toBe(true)
    const found = await undisturbed(async () => {
      const { statuses } = await someone()
      one.upstream.reset()
      one.upstream.answers({ status: 400, body: { error: { message: 'no' } } })
      const failed = await statuses(6)
      one.upstream.reset()
      one.upstream.answers({ body: chatAnswer('hi') })
      return [...failed, ...(await statuses(6))]
    })
    expect(found).toEqual([...Array(6).fill(400), 200, 200, 200, 200, 429, 429])
    await one.option('ModelRequestRateLimitEnabled', false)
  })

  it('count wrong passwords of an account together', async () => {
    const codes = await undisturbed(async () => {
      const { here } = await someone()
      const wrong = ({ url }: World) =>
        aClient(url).post('/api/user/login', { username: here.username, password: `${PASSWORD}!` })
      const messages: string[] = []
      for (let at = 0; at < 12; at += 1) messages.push((await wrong(at % 2 === 0 ? one : two)).message)
      return messages
    })
    expect(new Set(codes.slice(0, 10)).size).toBe(1)
    expect(codes.slice(10).some((code) => code === codes[0])).toBe(false)
  })

  /** Two channels of a model, of which the first is limited by its vendor on one node: the key that others use. */
  const limitedOnOne = async (model: string) => {
    const limited = { status: 429, headers: { 'retry-after': '600' }, body: { error: { message: 'slow down' } } }
    await one.channel({ models: model, key: 'first', priority: 9 })
    await one.channel({ models: model, key: 'second' })
    const { here, there, key } = await someone()
    await expect.poll(async () => (await there.asks(model, 'hi', { key })).status).toBe(200)
    one.upstream.reset()
    one.upstream.answers(({ headers }) =>
      headers.authorization === 'Bearer first' ? limited : { body: chatAnswer('hi') },
    )
    expect((await here.asks(model, 'hi', { key })).status).toBe(429)
    /** Refused by the vendor if the node does not know the cooldown. */
    const keyOf = async (person: Person) => {
      expect((await person.asks(model, 'hi', { key })).status).toBe(200)
      return one.upstream.last().headers.authorization
    }
    return { here, there, keyOf }
  }
  const sharedCooldowns = async () => Number(await redis.run('HLEN', 'switchyard:cooldowns'))
  /** Waits until one more cooldown is in Redis, and the nodes have had the time to hear of it. */
  const shared = async (before: number) => {
    await expect.poll(sharedCooldowns).toBeGreaterThan(before)
    await sleep(200)
  }

  it('know the cooldowns that a vendor requested, also a node that starts later', async () => {
    const before = await sharedCooldowns()
    const { here, there, keyOf } = await limitedOnOne('pair')
    await shared(before)
    expect(await keyOf(there)).toBe('Bearer second')
    const back = times(BACK)
    const three = await one.node()
    await expect.poll(() => times(BACK)).toBeGreaterThan(back)
    await sleep(200)
    expect(await keyOf(await three.same(here))).toBe('Bearer second')
  })

  it('send a conversation to the channel that served it on another node', async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await one.channel({ models: 'known', key })
    const { here, there, key } = await someone()
    const keyOf = async (person: Person, prompt_cache_key: string) => {
      expect((await person.asks('known', 'hi', { key, body: { prompt_cache_key } })).status).toBe(200)
      return one.upstream.last().headers.authorization
    }
    await expect.poll(async () => (await there.asks('known', 'hi', { key })).status).toBe(200)
    const conversations = async () => ((await redis.run('KEYS', 'switchyard:served:*')) as string[]).length
    const pairs = await undisturbed(async () => {
      const found: unknown[][] = []
      for (let talk = 0; talk < 8; talk += 1) {
        const name = `talk ${talk} ${found.length} ${times(AWAY)}`
        const before = await conversations()
        const first = await keyOf(here, name)
        await expect.poll(conversations).toBeGreaterThan(before)
        found.push([first, await keyOf(there, name)])
      }
      return found
    })
    for (const [first, second] of pairs) expect(second).toBe(first)
  })

  it('serve every request while Redis is killed, each with its share of a limit, and count together again', async () => {
    const [away, back] = [times(AWAY), times(BACK)]
    const { statuses } = await someone({ requests_per_minute: 6 })
    expect(await statuses(2)).toEqual([200, 200])
    await redis.kill()
    const found = await statuses(20)
    expect(found.every((status) => status === 200 || status === 429)).toBe(true)
    // The limit, and one share of it.
    expect(served(found)).toBeLessThanOrEqual(6 + 3)
    expect(served(found)).toBeGreaterThan(0)
    expect(times(AWAY)).toBeGreaterThan(away)
    await redis.start()
    await expect.poll(() => times(BACK)).toBeGreaterThanOrEqual(back + 2)
    const next = async () => (await someone({ requests_per_minute: 5 })).statuses(12)
    expect(served(await undisturbed(next))).toBe(5)
    const before = await sharedCooldowns()
    const { there, keyOf } = await limitedOnOne('later')
    await shared(before)
    expect(await keyOf(there)).toBe('Bearer second')
  })

  it('do not wait for a Redis server that hangs, nor fail when it is emptied', async () => {
    const { statuses } = await someone()
    const [away, back] = [times(AWAY), times(BACK)]
    redis.pause()
    expect(served(await statuses(20))).toBe(20)
    // Repeated: nodes of a busy process may hear too late of each other, and a node by itself counts the whole limit.
    await expect
      .poll(async () => served(await (await someone({ requests_per_minute: 4 })).statuses(12)))
      .toBeLessThanOrEqual(4 + 2)
    expect(times(AWAY)).toBeGreaterThan(away)
    redis.resume()
    await expect.poll(() => times(BACK)).toBeGreaterThanOrEqual(back + 2)
    await redis.run('FLUSHALL')
    await redis.run('SCRIPT', 'FLUSH')
    const next = async () => (await someone({ requests_per_minute: 5 })).statuses(12)
    expect(served(await undisturbed(next))).toBe(5)
  })

  it('store neither names nor addresses in Redis', async () => {
    await someone({ requests_per_minute: 5 }).then(({ statuses }) => statuses(2))
    const keys = (await redis.run('KEYS', '*')) as string[]
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) expect(key).toMatch(/^switchyard:(cooldowns|probe|served:[\w-]{27}|[\w-]{27})$/)
  })
  it('show on their page whether they count together, and the charges that are not written', async () => {
    type Shown = { state: string; redis: string; uncommitted: number; uncommitted_seconds: number }
    const listed = async (): Promise<Shown[]> =>
      dataOf(await one.admin.get('/api/node')).filter(({ state }: Shown) => state === 'alive')
    await expect.poll(async () => (await listed()).map(({ redis }) => redis)).toEqual(['up', 'up'])
    const { here, key } = await someone()
    await one.gateway.inner.db.transaction().execute(async (transaction) => {
      await sql`lock table users in share mode`.execute(transaction)
      expect((await here.asks('m', 'hi', { key })).status).toBe(200)
      await expect.poll(async () => (await listed()).some(({ uncommitted }) => uncommitted > 0)).toBe(true)
    })
    await expect.poll(async () => (await listed()).some(({ uncommitted }) => uncommitted > 0)).toBe(false)
  })

  it('are checked by the doctor, Redis included, whose password is not shown', async () => {
    const folder = await aFolder()
    const keys = { DATABASE_URL: one.databaseUrl, SWITCHYARD_MASTER_KEY: Buffer.alloc(32).toString('base64') }
    const findings = async (url: string) => {
      const { out } = await aCommand({ folder, config: { ...keys, REDIS_URL: url }, args: ['doctor', '--json'] })
      expect(out).not.toContain('a-secret')
      const found: { check: string; state: string; found: string }[] = JSON.parse(out).findings
      return found.filter(({ check }) => check === 'database' || check === 'redis')
    }
    const database = { check: 'database', found: expect.stringMatching(/^PostgreSQL \d+\.\d+, \d+\.\d ms away$/) }
    expect(await findings(redis.url)).toMatchObject([
      database,
      { check: 'redis', state: 'ok', found: expect.stringMatching(/^Redis \d+\.\d+\.\d+, \d+\.\d ms away$/) },
    ])
    expect((await findings('redis://:a-secret@127.0.0.1:1')).at(1)).toMatchObject({ check: 'redis', state: 'problem' })
  })
})
