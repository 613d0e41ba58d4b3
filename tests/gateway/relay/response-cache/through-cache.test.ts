import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { writeInSteps } from '../../../../gateway/relay/response-cache/through-cache.ts'

const KIB = 1024
const bytes = Buffer.from('0123456789abcdef'.repeat(128 * KIB)) // 2 MiB

/** A response over HTTP to a client that reads nothing at first; the connection has no system buffers. */
async function anAnswer(): Promise<{ caller: Duplex; response: ServerResponse }> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  const server = createServer((_, response) => resolve(response))
  const [caller, far] = duplexPair({ highWaterMark: 16 * KIB })
  caller.on('error', () => {}).once('close', () => far.destroy())
  far.on('error', () => {})
  server.emit('connection', far)
  caller.write('GET / HTTP/1.0\r\n\r\n')
  return { caller, response: await promise }
}

describe('a stream from the cache (docs/reference/cache.md#contents)', () => {
  it('goes out no faster than its caller takes it, to the last byte', async () => {
    const { caller, response } = await anAnswer()
    const written = writeInSteps(response, bytes)
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    expect([response.writableNeedDrain, response.writableEnded, response.writableLength < 64 * KIB]).toEqual([
      true,
      false,
      true,
    ])
    const all = await buffer(caller)
    await written
    expect(all.subarray(all.indexOf('\r\n\r\n') + 4).equals(bytes)).toBe(true)
  })

  it('ends with a caller that leaves', async () => {
    const { caller, response } = await anAnswer()
    const written = writeInSteps(response, bytes)
    await new Promise(setImmediate)
    const closed = once(response, 'close')
    caller.destroy()
    await Promise.all([closed, written])
    expect(response.writableFinished).toBe(false)
  })
})
