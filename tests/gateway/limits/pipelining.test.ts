import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createVault } from '../../../gateway/base/secrets/ciphers.ts'
import { createBoundServer } from '../../../gateway/composition/listen.ts'
import { MAX_PIPELINED } from '../../../gateway/limits/pipelining.ts'
import { openCertificates } from '../../../gateway/share/certificates.ts'
import { aClock } from '../../support/clock.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

describe.each(['http', 'https'])(
  'a connection over %s that pipelines (docs/reference/limits.md#connections)',
  (scheme) => {
    it(`gets ${MAX_PIPELINED} responses in order`, async () => {
      const { socket, received } = await connected(scheme)
      socket.write(REQUEST.repeat(MAX_PIPELINED))
      await expect.poll(() => received().match(/number \d+/g)?.length).toBe(MAX_PIPELINED)
      expect(received().match(/\d+(?=;)/g)).toEqual(Array.from({ length: MAX_PIPELINED }, (_, index) => `${index + 1}`))
      socket.write(REQUEST.repeat(MAX_PIPELINED))
      await expect.poll(() => received().match(/number \d+/g)?.length).toBe(2 * MAX_PIPELINED)
    })

    it('ends at one more, and none of the following requests is handled', async () => {
      const { socket, handled } = await connected(scheme)
      const closed = once(socket, 'close')
      socket.write(REQUEST.repeat(2000))
      await closed
      expect(handled()).toBe(1)
    })

    it('has one request handled at a time', async () => {
      const { socket, received, busiest } = await connected(scheme)
      socket.write(REQUEST.repeat(5))
      await expect.poll(() => received().match(/number \d+/g)?.length).toBe(5)
      expect(busiest()).toBe(1)
    })
  },
)

async function connected(scheme: string) {
  let [handled, running, busiest] = [0, 0, 0]
  const handler = async (_: unknown, response: ServerResponse) => {
    handled += 1
    running += 1
    busiest = Math.max(busiest, running)
    const number = handled
    await pause(1)
    running -= 1
    response.end(`number ${number};`)
  }
  const tls = scheme === 'https' ? await certificate() : undefined
  const server = createBoundServer({ handler }, tls)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const socket = tls ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }) : connect(port, '127.0.0.1')
  await once(socket, tls ? 'secureConnect' : 'connect')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.on('data', (part) => {
    received += part
  })
  return { socket, received: () => received, handled: () => handled, busiest: () => busiest }
}

async function certificate() {
  const file = { ca: () => undefined, keep() {} }
  const certificates = await openCertificates({ file, vault: createVault(randomBytes(32)), clock: aClock(Date.now()) })
  const { key, pem } = await certificates.for(['127.0.0.1'])
  return { key, cert: pem }
}
