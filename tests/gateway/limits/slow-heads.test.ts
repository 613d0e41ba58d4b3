import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createBoundServer } from '../../../gateway/composition/listen.ts'

/** The gateway's server, but with checks for slow heads a hundred times as often. */
async function aBoundServer() {
  const server = createBoundServer({ handler: (_, response) => response.end('served') })
  expect(server).toMatchObject({
    headersTimeout: 15_000,
    requestTimeout: 300_000,
    connectionsCheckingInterval: 5_000,
  })
  Object.assign(server, { connectionsCheckingInterval: 50 })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port } // it listens on a port, not on a pipe
}

/**
 * Sends the head of a request one character at a time, without its end; returns the data received before the server cut
 * it off.
 */
async function slowHead(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  const drip = setInterval(() => socket.write('x'), 10)
  onTestFinished(() => {
    clearInterval(drip)
    socket.destroy()
  })
  await once(socket, 'close')
  return text
}

it('a head that comes too slowly is answered 408 and cut off, however steadily it comes, and others are served meanwhile (docs/reference/limits.md#connections)', async () => {
  const { server, port } = await aBoundServer()
  const slow = Promise.all(Array.from({ length: 50 }, () => slowHead(port)))
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('served')
  // The limit is fifteen seconds, too long for a test.
  server.headersTimeout = 1
  for (const text of await slow) expect(text).toMatch(/^HTTP\/1\.1 408 .*\r\nConnection: close\r\n\r\n$/)
})
