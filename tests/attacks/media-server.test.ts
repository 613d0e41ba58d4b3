import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { imageTypes } from '../../gateway/relay/media/accepted-types.ts'
import { aFetcher, aFileServer, aRawServer, PNG, patient } from '../gateway/relay/media/file-server.ts'
import { stayOnLoopback } from '../support/loopback.ts'

stayOnLoopback()

const MIB = 1024 * 1024
const small = { limits: { maxBytes: MIB } }

/** Writes for as long as the client reads; counts the bytes sent. */
function pour(response: ServerResponse, chunk: Buffer, sent: { bytes: number }): void {
  const more = () => {
    while (!response.destroyed) {
      sent.bytes += chunk.length
      if (!response.write(chunk)) return
    }
  }
  response.on('drain', more)
  more()
}

describe('a hostile file server', () => {
  it('that never stops sending is left at the limit', async () => {
    const sent = { bytes: 0 }
    const closed = Promise.withResolvers<void>()
    const server = await aFileServer((_, response) => {
      response.on('close', () => closed.resolve())
      response.writeHead(200, { 'content-type': 'image/png' })
      pour(response, Buffer.alloc(64 * 1024), sent)
    })
    const { fetch } = await aFetcher(small)
    await expect(fetch(server.url, patient)).rejects.toMatchObject({ kind: 'invalid', key: 'relay.mediaTooLarge' })
    await closed.promise
    expect(sent.bytes).toBeLessThan(32 * MIB)
  })

  it('that announces too much is left before its body', async () => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: ${MIB + 1}\r\n\r\n`
    const server = await aRawServer(head, false)
    const { fetch } = await aFetcher(small)
    await expect(fetch(server.url, patient)).rejects.toMatchObject({ key: 'relay.mediaTooLarge' })
    const [socket] = server.sockets
    if (socket && !socket.destroyed) await once(socket, 'close')
  })

  it('that sends a page for a picture is left before its body', async () => {
    const server = await aRawServer('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99\r\n\r\n', false)
    const { fetch } = await aFetcher()
    await expect(fetch(server.url, patient, imageTypes)).rejects.toMatchObject({ key: 'relay.mediaType' })
  })

  it.each([
    ['nothing at all', ''],
    ['half of its headers', 'HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n'],
    ['half of its body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'],
    ['chunks without an end', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n'],
    ['interim answers only', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3)],
  ])('that sends %s and then waits is left in time', async (_, answer) => {
    const server = await aRawServer(answer, false)
    const { fetch } = await aFetcher({ limits: { totalMs: 200 } })
    await expect(fetch(server.url, patient)).rejects.toMatchObject({
      kind: 'invalid',
      key: 'relay.mediaTimeout',
      params: { seconds: 1 },
    })
    for (const socket of server.sockets) if (!socket.destroyed) await once(socket, 'close')
  })

  it('that sends its body slowly is abandoned in time, however long it would continue', async () => {
    const server = await aFileServer((_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    })
    const { fetch } = await aFetcher({ limits: { totalMs: 200 } })
    await expect(fetch(server.url, patient)).rejects.toMatchObject({ key: 'relay.mediaTimeout' })
  })

  it.each(['gzip', 'br', 'deflate', 'zstd', 'x-gzip', 'gzip, gzip'])(
    'that sends %s unasked is refused; no bomb is ever unpacked',
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(4 * MIB))
      const headers = { 'content-type': 'image/png', 'content-encoding': encoding }
      const server = await aFileServer((_, response) => void response.writeHead(200, headers).end(bomb))
      const { fetch } = await aFetcher(small)
      await expect(fetch(server.url, patient)).rejects.toMatchObject({ kind: 'invalid', key: 'relay.mediaFailed' })
      expect(server.asked[0]?.headers['accept-encoding']).toBe('identity')
    },
  )

  it.each([
    ['a longer length than it sends', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'],
    ['no number for its length', 'HTTP/1.1 200 OK\r\ncontent-length: ten\r\n\r\n1234567890'],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n12345'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n123456'],
    [
      'a length beside chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n\r\n',
    ],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n12345\r\n0\r\n\r\n'],
    ['chunks without an end', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n'],
    ['an answer to a question not asked', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n12345'],
    ['another protocol', '220 mail.test ESMTP\r\n'],
    ['nothing', ''],
    ['headers beyond measure', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n12345`],
  ])('that sends %s gives no file', async (_, answer) => {
    const server = await aRawServer(answer)
    const { fetch } = await aFetcher()
    await expect(fetch(server.url, patient)).rejects.toMatchObject({ kind: 'invalid', key: 'relay.mediaFailed' })
  })

  it('that sends more than it announces provides only the announced bytes', async () => {
    const server = await aRawServer('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\n12345HTTP')
    const { fetch } = await aFetcher()
    expect(await fetch(server.url, patient)).toEqual({ mime: 'text/plain', data: btoa('12345') })
  })

  it('that sends a million tiny chunks costs their bytes, not their number', async () => {
    const chunks = '1\r\nx\r\n'.repeat(1_000_000)
    const server = await aRawServer(
      `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
    )
    const { fetch } = await aFetcher()
    const { data } = await fetch(server.url, patient)
    expect(Buffer.from(data, 'base64')).toHaveLength(1_000_000)
  })

  it.each([
    ['text/html; charset="', 'text/html'],
    ['image/png\t;x=<script>', 'image/png'],
    ['<script>alert(1)</script>', 'application/octet-stream'],
    [`image/${'x'.repeat(500)}`, 'application/octet-stream'],
    ['constructor/prototype', 'constructor/prototype'],
  ])('that calls its file %j is believed only where that is a type', async (type, mime) => {
    const server = await aFileServer((_, response) => void response.writeHead(200, { 'content-type': type }).end('x'))
    const { fetch } = await aFetcher()
    expect((await fetch(`${server.url}/__proto__.constructor`, patient)).mime).toBe(mime)
  })

  it('that redirects in a circle is left after three', async () => {
    const server = await aFileServer(
      (_, response) => void response.writeHead(302, { location: '/' }).end('x'.repeat(9)),
    )
    const { fetch } = await aFetcher()
    await expect(fetch(server.url, patient)).rejects.toMatchObject({
      key: 'relay.mediaStatus',
      params: { status: 302 },
    })
    expect(server.asked).toHaveLength(4)
  })

  it('that redirects with a body without end is not read there', async () => {
    const sent = { bytes: 0 }
    const server = await aFileServer((request, response) => {
      if (request.url === '/end') return void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
      response.writeHead(302, { location: '/end' })
      pour(response, Buffer.alloc(64 * 1024), sent)
    })
    const { fetch } = await aFetcher(small)
    expect(await fetch(server.url, patient)).toMatchObject({ mime: 'image/png' })
    expect(sent.bytes).toBeLessThan(32 * MIB)
  })
})
