import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../../../gateway/composition/listen.ts'
import { letGoOfStalled } from '../../../gateway/limits/slow-readers.ts'

const STALLED_MS = 100
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x')

/** A client that sends a request and reads nothing of the response. */
async function asking(handler: RequestListener) {
  const { server, bound } = await listen({ handler }, '127.0.0.1', 0)
  letGoOfStalled(server, STALLED_MS)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const socket = connect({ port: bound.port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  return socket
}

/** A promise of how a response ended: complete, or aborted. */
const ends = () => Promise.withResolvers<'whole' | 'given up'>()

describe('a caller that reads nothing more of its answer', () => {
  it.each([
    ['at once', 0],
    ['after a long silence', 3 * STALLED_MS],
  ])('is disconnected: one that is answered %s', async (_, silenceMs) => {
    const over = ends()
    await asking((_, response) => {
      response.once('close', () => over.resolve(response.writableFinished ? 'whole' : 'given up'))
      setTimeout(() => response.end(LARGE), silenceMs)
    })
    expect(await over.promise).toBe('given up')
  })

  it('is disconnected in the middle of a stream', async () => {
    const over = ends()
    await asking((_, response) => {
      response.once('close', () => over.resolve(response.writableFinished ? 'whole' : 'given up'))
      response.write(LARGE)
    })
    expect(await over.promise).toBe('given up')
  })

  it('is waited for where there is nothing to read yet', async () => {
    const socket = await asking((_, response) => {
      response.write('begun')
      setTimeout(() => response.end('done'), 5 * STALLED_MS)
    })
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => parts.push(part))
    while (!Buffer.concat(parts).includes('done')) await once(socket, 'data')
    expect(socket.destroyed).toBe(false)
  })
})

it('a connection without a request is closed after a separate wait', async () => {
  const socket = await asking((_, response) => void response.end('done'))
  socket.resume()
  await once(socket, 'end')
})
