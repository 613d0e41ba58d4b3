import { createServer as createHttpServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient, isProxyUrl, metadataAddress } from '../../../gateway/base/network/http-client.ts'
import { guardedLookup, metadataHost } from '../../../gateway/base/network/metadata-address.ts'
import { upstream } from './workshop.ts'

const ask = { timeoutMs: 2_000, maxBytes: 10_000 }

describe('metadata addresses', () => {
  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fe80::a9fe:a9fe%eth0',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '[::ffff:a9fe:a9fe]',
  ])('%s is one', (ip) => expect(metadataAddress(ip)).toBe(true))

  it.each(['127.0.0.1', '10.0.0.1', '192.168.1.20', '100.100.100.201', '::1', 'fd00::1', '2001:db8::1', 'example', ''])(
    '%s is not one',
    (ip) => expect(metadataAddress(ip)).toBe(false),
  )

  it.each([
    'http://2852039166/',
    'http://0xa9.0xfe.0xa9.0xfe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://169.254.169.254./',
    'http://[::ffff:169.254.169.254]/',
    'http://METADATA.google.internal/',
    'http://metadata.google.internal./',
    'http://instance-data/',
    'http://①⑥⑨.254.169.254/',
  ])('%s names one', (url) => expect(metadataHost(new URL(url).hostname)).toBe(true))

  it('are refused when a name resolves to one', async () => {
    const resolved = (name: string) =>
      new Promise((done) => guardedLookup(name, { all: false }, (error, address) => done(error?.name ?? address)))
    expect(await resolved('169.254.169.254')).toBe('MetadataAddressRefused')
    expect(await resolved('127.0.0.1')).toBe('127.0.0.1')
  })
})

describe('the trusted client', () => {
  const client = createHttpClient(1_000)
  let server: Awaited<ReturnType<typeof upstream>>
  beforeAll(async () => {
    server = await upstream({
      '/ok': { body: { ok: true }, headers: { 'x-mark': 'yes' } },
      '/moved': { status: 302, body: '', headers: { location: '/ok' } },
      '/long': { body: 'x'.repeat(10_001) },
      '/exact': { body: 'x'.repeat(10_000) },
      '/late': { body: 'late', delayMs: 3_000 },
    })
  })
  beforeEach(() => {
    server.heard.length = 0
  })
  afterAll(async () => {
    await client.close()
    await server.close()
  })

  it('returns status, headers and text, and sends what it is given', async () => {
    const answer = await client.fetchTrusted(`${server.base}/ok`, {
      ...ask,
      method: 'POST',
      headers: { authorization: 'Bearer sk' },
      body: '{"a":1}',
    })
    expect(answer).toMatchObject({ status: 200, text: '{"ok":true}', headers: { 'x-mark': 'yes' } })
    expect(server.heard[0]).toMatchObject({ method: 'POST', body: '{"a":1}', headers: { authorization: 'Bearer sk' } })
  })

  it('shows a redirect and does not follow it', async () => {
    expect(await client.fetchTrusted(`${server.base}/moved`, ask)).toMatchObject({ status: 302 })
    expect(server.heard).toHaveLength(1)
  })

  it('takes an answer up to the cap and not one byte more', async () => {
    expect((await client.fetchTrusted(`${server.base}/exact`, ask)).text).toHaveLength(10_000)
    await expect(client.fetchTrusted(`${server.base}/long`, ask)).rejects.toMatchObject({ kind: 'upstream' })
  })

  it('gives up in time', async () => {
    const late = client.fetchTrusted(`${server.base}/late`, { ...ask, timeoutMs: 100 })
    await expect(late).rejects.toMatchObject({ kind: 'timeout', key: 'relay.upstreamTimeout' })
  })

  it('reports a server that does not respond, without the address', async () => {
    const closed = await upstream({})
    await closed.close()
    const error = await client.fetchTrusted(closed.base, ask).catch((refusal: Error) => refusal)
    expect(error).toMatchObject({ kind: 'upstream', message: 'relay.upstreamFailed' })
  })

  it.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'no url',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:a9fe:a9fe]/',
  ])('refuses %s', async (url) => {
    await expect(client.fetchTrusted(url, ask)).rejects.toMatchObject({ kind: 'invalid', key: 'input.invalid' })
  })

  it.each(['ftp://127.0.0.1', 'http://169.254.169.254:80', 'nonsense'])('refuses the proxy %s', async (proxy) => {
    await expect(client.fetchTrusted(`${server.base}/ok`, { ...ask, proxy })).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('knows a proxy address', () => {
    expect(
      ['http://127.0.0.1:1', 'https://u:p@proxy', 'socks5://127.0.0.1', 'socks5h://127.0.0.1:1'].every(isProxyUrl),
    ).toBe(true)
    expect(['', 'socks4://127.0.0.1', '127.0.0.1:80', 'http://'].some(isProxyUrl)).toBe(false)
  })

  it('goes through an HTTP proxy', async () => {
    const proxy = await httpProxy()
    const answer = await client.fetchTrusted(`${server.base}/ok`, {
      ...ask,
      proxy: proxy.url.replace('//', '//user:word@'),
    })
    expect(answer.text).toBe('{"ok":true}')
    expect(proxy.asked).toEqual([`Basic ${btoa('user:word')}`])
    await proxy.close()
  })

  it.each(['socks5', 'socks5h'])('goes through a %s proxy', async (scheme) => {
    const proxy = await socksProxy()
    const answer = await client.fetchTrusted(`${server.base}/ok`, {
      ...ask,
      proxy: `${scheme}://127.0.0.1:${proxy.port}`,
    })
    expect(answer.text).toBe('{"ok":true}')
    expect(proxy.dialled).toEqual([server.port])
    await proxy.close()
  })
})

/** A proxy that forwards plain HTTP and records requests. */
async function httpProxy() {
  const asked: (string | undefined)[] = []
  const server = createHttpServer((incoming, outgoing) => {
    asked.push(incoming.headers['proxy-authorization'])
    httpRequest(incoming.url ?? '', { method: incoming.method, headers: { connection: 'close' } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    }).end()
  })
  const port = await listening(server)
  const close = () => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  }
  return { url: `http://127.0.0.1:${port}`, asked, close }
}

/** A SOCKS5 proxy without authentication, for IPv4 addresses and names (RFC 1928). */
async function socksProxy() {
  const dialled: number[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', (order: Buffer) => {
        const port = order.readUInt16BE(order.length - 2)
        dialled.push(port)
        const target = connect(port, '127.0.0.1', () => {
          socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]))
          socket.pipe(target).pipe(socket)
        })
        sockets.add(target)
        target.on('error', () => socket.destroy())
      })
    })
  })
  const port = await listening(server)
  const close = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise((done) => server.close(done))
  }
  return { port, dialled, close }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}
