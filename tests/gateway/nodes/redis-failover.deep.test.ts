import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { aCommand } from '../../process/child.ts'
import { aFolder } from '../../process/house.ts'
import { chatAnswer } from '../../support/chat.ts'
import { hasRedis, startRedis } from '../../support/redis-server.ts'
import { aSwitchedAddress } from '../../support/switched-address.ts'
import { aWorld, type Person } from '../../support/world.ts'
import { aCertificate } from '../channels/testing/certificate.ts'

const AWAY = 'Redis does not respond: each node counts its share of limits'
const BACK = 'Redis responds: the nodes count limits together'

describe.runIf(hasRedis())('a Redis server (docs/growth.md#redis)', () => {
  it('that becomes a replica is left for the new primary at the same address, and no request fails', async () => {
    const [first, second] = [await startRedis(), await startRedis()]
    await second.run('REPLICAOF', '127.0.0.1', String(first.port))
    await expect.poll(async () => String(await second.run('INFO', 'replication'))).toContain('master_link_status:up')
    const address = await aSwitchedAddress(first.port)
    const lines: string[] = []
    const note = (text: string) => void lines.push(text)
    const times = (line: string) => lines.filter((text) => text === line).length
    const one = await aWorld({
      log: { ...silentLogger, info: note, warn: note },
      config: { REDIS_URL: `redis://127.0.0.1:${address.port}` },
      options: { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 }, RetryTimes: 0 },
    })
    await one.channel({ models: 'm', key: 'first', priority: 9 })
    await one.channel({ models: 'm', key: 'second' })
    const two = await one.node()
    await expect.poll(() => times(BACK) - times(AWAY)).toBe(2)
    const here = await one.user({ quota: 10_000_000 })
    const { key } = await one.token(here, { requests_per_minute: 1_000_000 })
    const there = await two.same(here)
    const status = async (person: Person) => (await person.asks('m', 'hi', { key })).status
    expect([await status(here), await status(there)]).toEqual([200, 200])

    // New connections lead to the new primary; open ones stay with the old one, which refuses writes.
    address.switchTo(second.port, { staysOpen: true })
    await first.run('FAILOVER')
    await expect.poll(async () => String(await second.run('INFO', 'replication'))).toContain('role:master')
    const statuses: number[] = []
    await expect
      .poll(async () => {
        statuses.push(await status(here), await status(there))
        return times(BACK)
      })
      .toBeGreaterThanOrEqual(4)
    expect(times(AWAY)).toBeGreaterThanOrEqual(2)
    expect(new Set(statuses)).toEqual(new Set([200]))

    const limited = { status: 429, headers: { 'retry-after': '600' }, body: { error: { message: 'slow down' } } }
    one.upstream.answers(({ headers }) =>
      headers.authorization === 'Bearer first' ? limited : { body: chatAnswer('hi') },
    )
    expect(await status(here)).toBe(429)
    await expect
      .poll(async () => {
        await status(there)
        return one.upstream.last().headers.authorization
      })
      .toBe('Bearer second')
  })

  it('is reached over TLS, if its certificate is trusted', async () => {
    const certificate = aCertificate()
    const trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, certificate.cert])
    onTestFinished(() => setDefaultCACertificates(trusted))
    const redis = await startRedis(certificate)
    const world = await aWorld()
    const folder = await aFolder()
    const keys = { DATABASE_URL: world.databaseUrl, SWITCHYARD_MASTER_KEY: Buffer.alloc(32).toString('base64') }
    const checked = async () => {
      const { out } = await aCommand({ folder, config: { ...keys, REDIS_URL: redis.url }, args: ['doctor', '--json'] })
      const found: { check: string; state: string }[] = JSON.parse(out).findings
      return found.find(({ check }) => check === 'redis')?.state
    }
    expect(await checked()).toBe('ok')
    setDefaultCACertificates(trusted)
    expect(await checked()).toBe('problem')
  })
})
