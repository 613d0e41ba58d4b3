import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createBodyPace } from '../../../gateway/limits/body-pace.ts'
import { answerBroken } from '../../../gateway/limits/broken-requests.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type World } from '../../support/world.ts'

const MIB = 1024 * 1024

/** Sends the head of a long request with `connection: close`, and reads the response, which is sent before the body. */
async function answeredEarly(url: string, line: string, more: readonly string[] = []) {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  const heard = { text: '', error: '', isEnded: false }
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', (error) => {
    heard.error = error.message
  })
  socket.once('end', () => {
    heard.isEnded = true
  })
  const lines = [
    `${line} HTTP/1.1`,
    ...(more.length > 0 ? more : [`Host: ${host}`]),
    'Content-Type: application/json',
    `Content-Length: ${4 * MIB}`,
    'Connection: close',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n{`)
  const [first] = await once(socket, 'data')
  heard.text = String(first)
  socket.on('data', (part: Buffer) => {
    heard.text += part
  })
  return { heard, socket, closed }
}

describe('a request that is answered before its body has come, and ends its connection', () => {
  let world: World

  beforeAll(async () => {
    world = await aWorld()
  })

  it.each([
    ['a relayed call without a key', 'POST /v1/chat/completions', [], 401],
    ['a call of the console by nobody', 'POST /api/channel', [], 401],
    ['a path that is not there', 'POST /v1/nowhere', [], 404],
    ['a foreign Host', 'POST /v1/chat/completions', ['Host: evil.example'], 421],
  ] as const)('%s: a client that is still sending is not cut off', async (_, line, more, status) => {
    const { heard, socket, closed } = await answeredEarly(world.url, line, more)
    const sent = await new Promise<Error | null | undefined>((resolve) =>
      socket.write(Buffer.alloc(4 * MIB - 1, 'x'), resolve),
    )
    socket.end()
    await closed
    expect(heard.text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(heard).toMatchObject({ error: '', isEnded: true })
    expect(sent ?? null).toBeNull()
  })
})

describe('a request whose body is never read to its end', () => {
  /** A server that watches bodies, and a function that sends it a request's head and part of its body. */
  const watching = async (handler: RequestListener) => {
    const pace = createBodyPace({ clock: aClock() })
    const server = createServer((request, response) => {
      pace.watch(request, response)
      handler(request, response)
    })
    answerBroken(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      pace.close()
      server.close()
      server.closeAllConnections()
    })
    const begin = async (more: readonly string[] = []) => {
      // it listens on a port, not on a pipe
      const { port } = server.address() as AddressInfo
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {})
      socket.write(['POST / HTTP/1.1', 'Host: here', 'Content-Length: 100', ...more, '', 'x'.repeat(50)].join('\r\n'))
      await once(socket, 'data')
      return socket
    }
    return { pace, begin }
  }
  const unread: RequestListener = (_, response) => void response.writeHead(404).end('nothing')
  const givenUp: RequestListener = (request, response) => {
    request.once('data', () => {
      request.pause()
      response.writeHead(408).end('too slow')
    })
  }

  it.each([
    ['thrown away', unread],
    ['given up', givenUp],
  ])('is no longer tracked after its connection ends: one that is %s', async (_, handler) => {
    const { pace, begin } = await watching(handler)
    const sockets = await Promise.all(Array.from({ length: 5 }, () => begin()))
    expect(pace.watched).toBe(5)
    for (const socket of sockets) socket.resetAndDestroy()
    await expect.poll(() => pace.watched, { timeout: 5000 }).toBe(0)
  })

  it('ends its connection when it has arrived nevertheless, if that was to end', async () => {
    const { pace, begin } = await watching(givenUp)
    const socket = await begin(['Connection: close'])
    socket.resume()
    await once(socket, 'end')
    socket.write('x'.repeat(50))
    const drip = setInterval(() => socket.write('x'), 20)
    onTestFinished(() => clearInterval(drip))
    await new Promise((resolve) => socket.once('close', resolve))
    expect(pace.watched).toBe(0)
  })

  it('is no longer tracked when it has arrived, if its connection continues', async () => {
    const { pace, begin } = await watching(givenUp)
    const socket = await begin()
    socket.write('x'.repeat(50))
    await expect.poll(() => pace.watched, { timeout: 5000 }).toBe(0)
    expect(socket.destroyed).toBe(false)
  })
})
