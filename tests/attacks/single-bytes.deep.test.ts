import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { stayOnLoopback } from '../support/loopback.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/** The size of bodies that arrive byte by byte; each byte stored as a separate chunk would take a hundred. */
const BYTES = 1_000_000
/** A hundred bytes each would be 100 MB; the test itself holds 6 MB. */
const MAX = 80_000_000
let world: World
let alice: Person

stayOnLoopback()

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { m: 1 }, RetryTimes: 0 } })
  await world.channel({ models: 'm' })
  alice = await world.user({ quota: 1_000_000 })
})

/** The peak growth of memory during `work`. */
async function growthIn(work: () => Promise<unknown>): Promise<number> {
  const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external
  const before = used()
  let max = before
  const timer = setInterval(() => {
    max = Math.max(max, used())
  }, 50)
  await work()
  clearInterval(timer)
  return Math.max(max, used()) - before
}

describe('a body of single bytes', () => {
  it.each(['/v1/chat/completions', '/api/user/login'])('counts by its content: %s', async (path) => {
    const head = [
      `POST ${path} HTTP/1.1`,
      `host: ${new URL(world.url).host}`,
      `authorization: Bearer sk-${await alice.key()}`,
      'content-type: application/json',
      'new-api-user: -1',
      'transfer-encoding: chunked',
    ]
    const piece = Buffer.from('1\r\n \r\n'.repeat(10_000))
    const growth = await growthIn(async () => {
      const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      for (let sent = 0; sent < BYTES && !socket.destroyed; sent += 10_000)
        if (!socket.write(piece))
          await Promise.race([once(socket, 'drain'), once(socket, 'close'), sleep(5000)]).catch(() => undefined)
      socket.destroy()
    })
    expect(growth).toBeLessThan(MAX)
  })
})
