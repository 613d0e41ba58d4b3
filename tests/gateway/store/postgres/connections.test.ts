import { connect, createServer, type Socket } from 'node:net'
import { expect, inject, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { openConnections } from '../../../../gateway/store/postgres/connections.ts'
import { aPostgresDatabase } from '../../../support/tables.ts'

/** A connection to a database that passes through a relay, which can drop everything without closing anything. */
async function stallable(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isStalled = false
  const relay = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const pairs = [
      [near, far],
      [far, near],
    ] as const
    for (const [from, to] of pairs) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('data', (bytes) => void (isStalled || to.write(bytes)))
      from.on('close', () => void (isStalled || to.destroy()))
    }
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => relay.once('listening', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    relay.close()
  })
  const address = relay.address()
  const through = new URL(url)
  through.port = String(typeof address === 'object' && address ? address.port : 0)
  return {
    url: through.href,
    stall(stalled: boolean) {
      isStalled = stalled
    },
  }
}

it('a connection whose packets are dropped is noticed, and the next statement uses another one', async () => {
  const relay = await stallable(await aPostgresDatabase(inject('postgres') ?? ''))
  const connections = openConnections({ url: relay.url, max: 1, statementMs: 60_000 }, silentLogger)
  onTestFinished(() => connections.end())
  expect(await connections.run('select 1 as one')).toEqual([{ one: 1 }])
  relay.stall(true)
  await expect(connections.run('select 2 as two')).rejects.toMatchObject({ code: '08006' })
  relay.stall(false)
  expect(await connections.named('three', 'select 3 as three', [])).toEqual([{ three: 3 }])
})

it('a reset ends the statements of all connections, so that no transaction waits for a server that is away', async () => {
  const relay = await stallable(await aPostgresDatabase(inject('postgres') ?? ''))
  const connections = openConnections({ url: relay.url, max: 2, statementMs: 60_000 }, silentLogger)
  onTestFinished(() => connections.end())
  const client = await connections.connect()
  await client.query('begin', [])
  relay.stall(true)
  const waiting = client.query('select pg_sleep(0)', [])
  connections.reset()
  await expect(waiting).rejects.toMatchObject({ code: '08006' })
  client.release(true)
  relay.stall(false)
  expect(await connections.run('select 1 as one')).toEqual([{ one: 1 }])
})
