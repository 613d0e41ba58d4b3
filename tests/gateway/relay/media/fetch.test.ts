import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { geminiTypes, imageTypes } from '../../../../gateway/relay/media/accepted-types.ts'
import { CancellationSource, withAbortSignal } from '../../../../gateway/relay/model/cancellation.ts'
import { stayOnLoopback } from '../../../support/loopback.ts'
import { aFetcher, aFileServer, JPEG, PNG, patient } from './file-server.ts'

stayOnLoopback()

const png = { mime: 'image/png', data: PNG.toString('base64') }
const answer = (type: string | undefined, body: Buffer | string, headers: Record<string, string> = {}) => {
  const sent = type === undefined ? headers : { 'content-type': type, ...headers }
  return (_: unknown, response: ServerResponse) => void response.writeHead(200, sent).end(body)
}

describe('a file named by URL (docs/reference/limits.md#files-named-by-url)', () => {
  it('is requested with GET and nothing of the caller', async () => {
    const server = await aFileServer(answer('image/png', PNG))
    const { fetch } = await aFetcher()
    expect(await fetch(`${server.url}/cat.png?size=1#top`, patient)).toEqual(png)
    const [{ method, url, headers } = { method: '', url: '', headers: {} }] = server.asked
    expect([method, url]).toEqual(['GET', '/cat.png?size=1'])
    expect(headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      connection: 'close',
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'Switchyard/test',
    })
  })

  it.each([
    ['the type declared, without parameters', 'Text/Plain; charset=utf-8', 'hello', '/a', {}, 'text/plain'],
    ['the bytes where none is declared', undefined, PNG, '/a.jpg', {}, 'image/png'],
    ['the bytes of octets', 'application/octet-stream', JPEG, '/a.png', {}, 'image/jpeg'],
    ['the bytes of an image declared as another', 'image/png', JPEG, '/a.png', {}, 'image/jpeg'],
    ['the declared image where the bytes say nothing', 'image/svg+xml', '<svg/>', '/a', {}, 'image/svg+xml'],
    ['the ending of the address', 'binary/octet-stream', 'a,b', '/table.CSV?x=.png', {}, 'text/csv'],
    [
      'the name of the attachment',
      'application/octet-stream',
      'hello',
      '/download',
      { 'content-disposition': 'attachment; filename="notes.txt"' },
      'text/plain',
    ],
    [
      'the encoded name of the attachment',
      'application/octet-stream',
      'hello',
      '/download',
      { 'content-disposition': "attachment; filename*=UTF-8''caf%C3%A9.md" },
      'text/markdown',
    ],
    ['octets where nothing tells', 'no type at all', 'hello', '/a', {}, 'application/octet-stream'],
  ])('has the type of %s', async (_, type, body, path, headers, mime) => {
    const server = await aFileServer(answer(type, body, headers))
    const { fetch } = await aFetcher()
    expect(await fetch(server.url + path, patient)).toEqual({ mime, data: Buffer.from(body).toString('base64') })
  })

  it('is found through three redirects and no more, each checked again', async () => {
    const server = await aFileServer((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) return answer(undefined, 'a,b')(request, response)
      response.writeHead(302, { location: `../${left - 1}`, 'set-cookie': 'a=b' }).end('moved')
    })
    const { fetch } = await aFetcher()
    expect(await fetch(`${server.url}/3`, patient)).toMatchObject({ data: 'YSxi' })
    expect(server.asked.map(({ url, headers }) => [url, headers.cookie])).toEqual([
      ['/3', undefined],
      ['/2', undefined],
      ['/1', undefined],
      ['/0', undefined],
    ])
    await expect(fetch(`${server.url}/4`, patient)).rejects.toMatchObject({
      key: 'relay.mediaStatus',
      params: { status: 302 },
    })
  })

  it('preserves the file extension of the caller’s URL when a redirect leads to one without', async () => {
    const server = await aFileServer((request, response) => {
      if (request.url !== '/notes.md') return answer('application/octet-stream', '# hi')(request, response)
      response.writeHead(301, { location: '/blob/7' }).end()
    })
    const { fetch } = await aFetcher()
    expect(await fetch(`${server.url}/notes.md`, patient)).toMatchObject({ mime: 'text/markdown' })
  })

  it('is refused with the status of its server', async () => {
    const server = await aFileServer((_, response) => void response.writeHead(404).end('secret words'))
    const { fetch } = await aFetcher()
    await expect(fetch(server.url, patient)).rejects.toMatchObject({
      kind: 'invalid',
      key: 'relay.mediaStatus',
      code: 'invalid_image_url',
      params: { host: `127.0.0.1:${server.port}`, status: 404 },
    })
  })

  it('is refused when its type cannot be used, cached or not', async () => {
    const server = await aFileServer((request, response) => {
      const type = request.url === '/page' ? 'text/html' : 'image/gif'
      answer(type, request.url === '/page' ? '<html>' : 'GIF89a')(request, response)
    })
    const { fetch } = await aFetcher()
    const refused = { kind: 'invalid', key: 'relay.mediaType', code: 'invalid_image_url' }
    await expect(fetch(`${server.url}/page`, patient, imageTypes)).rejects.toMatchObject(refused)
    expect((await fetch(`${server.url}/gif`, patient, imageTypes)).mime).toBe('image/gif')
    await expect(fetch(`${server.url}/gif`, patient, geminiTypes)).rejects.toMatchObject({
      ...refused,
      params: { type: 'image/gif' },
    })
    expect(server.asked).toHaveLength(2)
  })

  it('may be as long as the limit and not one byte longer', async () => {
    const server = await aFileServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.flushHeaders()
      response.end('x'.repeat(Number(request.url?.slice(1))))
    })
    const { fetch } = await aFetcher({ limits: { maxBytes: 1024 * 1024 } })
    const { data } = await fetch(`${server.url}/1048576`, patient)
    expect(Buffer.from(data, 'base64').equals(Buffer.alloc(1_048_576, 'x'))).toBe(true)
    await expect(fetch(`${server.url}/1048577`, patient)).rejects.toMatchObject({
      key: 'relay.mediaTooLarge',
      params: { limit: '1 MiB' },
    })
  })

  it('is refused when the server does not respond, or sends nothing', async () => {
    const server = await aFileServer((request, response) => {
      if (request.url === '/empty') answer('image/png', '')(request, response)
      else response.destroy()
    })
    const { fetch } = await aFetcher()
    const failed = { kind: 'invalid', key: 'relay.mediaFailed', code: 'invalid_image_url' }
    await expect(fetch(`${server.url}/empty`, patient)).rejects.toMatchObject(failed)
    await expect(fetch(`${server.url}/gone`, patient)).rejects.toMatchObject(failed)
  })
})

describe('files just fetched', () => {
  it('are not fetched again for a minute', async () => {
    const server = await aFileServer(answer('image/png', PNG))
    const { fetch, clock } = await aFetcher()
    await fetch(`${server.url}/a#one`, patient)
    clock.advance(59_999)
    expect(await fetch(`${server.url}/a#two`, patient)).toEqual(png)
    expect(server.asked).toHaveLength(1)
    clock.advance(1)
    await fetch(`${server.url}/a`, patient)
    expect(server.asked).toHaveLength(2)
  })

  it('go when there are too many, the longest unused first', async () => {
    const server = await aFileServer(answer('image/png', PNG))
    const { fetch } = await aFetcher({ limits: { cached: 2 } })
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await fetch(`${server.url}/${name}`, patient)
    expect(server.asked.map(({ url }) => url)).toEqual(['/a', '/b', '/c', '/b'])
  })

  it('are dropped when they are too large together, and one that is too large is not cached', async () => {
    const server = await aFileServer((request, response) =>
      answer('text/plain', 'x'.repeat(Number(request.url?.slice(2))))(request, response),
    )
    const { fetch } = await aFetcher({ limits: { cachedBytes: 400 } })
    for (const name of ['a150', 'b150', 'c90', 'a150', 'd301', 'd301', 'a150'])
      await fetch(`${server.url}/${name}`, patient)
    expect(server.asked.map(({ url }) => url)).toEqual(['/a150', '/b150', '/c90', '/a150', '/d301', '/d301'])
  })

  it('do not include refused files', async () => {
    let status = 500
    const server = await aFileServer((_, response) => {
      response.writeHead(status, { 'content-type': 'image/png' }).end(PNG)
      status = 200
    })
    const { fetch } = await aFetcher()
    await expect(fetch(server.url, patient)).rejects.toMatchObject({ params: { status: 500 } })
    expect(await fetch(server.url, patient)).toEqual(png)
  })
})

describe('many files', () => {
  it('are fetched a few at a time for one account, half of all at most, and no more wait than fit', async () => {
    const held: ServerResponse[] = []
    const arrivals = new EventTarget()
    const server = await aFileServer((_, response) => {
      held.push(response)
      arrivals.dispatchEvent(new Event('file'))
    })
    const { fetch } = await aFetcher({ limits: { atOnce: 4, waiting: 4 } })
    const leaver = new AbortController()
    const first = fetch(`${server.url}/1`, patient)
    const second = fetch(`${server.url}/2`, patient)
    const third = fetch(`${server.url}/3`, leaver.signal)
    const fourth = fetch(`${server.url}/4`, patient)
    await expect(fetch(`${server.url}/5`, patient)).rejects.toMatchObject({
      kind: 'unavailable',
      key: 'relay.overloaded',
    })
    leaver.abort(new Error('left'))
    await expect(third).rejects.toThrow('left')
    while (held.length < 3) {
      held.find((response) => !response.writableEnded)?.end(PNG)
      await new Promise((resolve) => arrivals.addEventListener('file', resolve, { once: true }))
    }
    for (const response of held) response.end(PNG)
    expect(await Promise.all([first, second, fourth])).toEqual([png, png, png])
    expect(server.asked.map(({ url }) => url).toSorted()).toEqual(['/1', '/2', '/4'])
  })
})

describe('a caller who leaves', () => {
  it('ends the download', async () => {
    let gone: Promise<unknown> = Promise.reject(new Error('never asked'))
    gone.catch(() => {})
    const cancellation = new CancellationSource()
    const server = await aFileServer((_, response) => {
      gone = new Promise((resolve) => response.on('close', resolve))
      response.writeHead(200, { 'content-type': 'image/png' }).write(PNG)
      cancellation.end()
    })
    const { fetch } = await aFetcher()
    const fetching = withAbortSignal(cancellation, (signal) => fetch(server.url, signal))
    await expect(fetching).rejects.toMatchObject({ name: 'AbortError' })
    expect(cancellation.listener).toBeUndefined()
    await gone
  })

  it('causes no request when gone before', async () => {
    const server = await aFileServer(answer('image/png', PNG))
    const { fetch } = await aFetcher()
    const cancellation = new CancellationSource()
    cancellation.end()
    await expect(withAbortSignal(cancellation, (signal) => fetch(server.url, signal))).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(server.asked).toEqual([])
  })
})
