import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { aChild } from '../process/child.ts'
import { aFolder } from '../process/house.ts'
import { aWorld, type World } from '../support/world.ts'

async function reach(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

const upgradeTo = (path: string, host: string, more: readonly string[] = []): string =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...more,
    '',
    '',
  ].join('\r\n')

const plain = (path: string, host: string): string => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`

const breaking: readonly (readonly [name: string, request: (host: string) => string])[] = [
  ['an upgrade under a foreign Host', () => upgradeTo('/v1/realtime', 'evil.example')],
  ['an upgrade without a key', (host) => upgradeTo('/v1/realtime?model=m', host)],
  ['an upgrade to a path that is not there', (host) => upgradeTo('/api/status', host)],
  ['an upgrade over a sub-protocol', (host) => upgradeTo('/v1/responses', host, ['Sec-WebSocket-Protocol: a'])],
  ['an upgrade under two Hosts', (host) => upgradeTo('/v1/realtime', host, [`Host: ${host}`])],
  ['an upgrade behind a request', (host) => plain('/api/status', host) + upgradeTo('/v1/realtime', host)],
  ['a foreign upgrade behind one', (host) => plain('/api/status', host) + upgradeTo('/v1/realtime', 'evil.example')],
  ['a request under a foreign Host', () => plain('/v1/models', 'evil.example')],
  ['many requests at once', (host) => plain('/api/status', host).repeat(200)],
  ['a tunnel', (host) => `CONNECT elsewhere:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  ['half a request', (host) => `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 99\r\n\r\n{`],
  ['no HTTP at all', () => '\x16\x03\x01\x02\x00\x01\x00\x01'],
]

describe('connections that break', () => {
  it('before, while and after they are answered leave the gateway running, and log no fault', async () => {
    const gateway = await aChild({ folder: await aFolder() })
    const { host } = new URL(gateway.url)
    for (const [name, request] of breaking) {
      for (let turn = 0; turn < 12; turn += 1) {
        const socket = await reach(gateway.url)
        socket.write(request(host))
        if (turn % 3 === 1) await sleep(turn)
        if (turn % 3 === 2) await once(socket, 'readable')
        socket.resetAndDestroy()
      }
      const answer = await fetch(`${gateway.url}/api/status`).catch((error: Error) => error)
      expect(answer, name).toMatchObject({ status: 200 })
    }
    expect(gateway.out()).not.toContain('"level":"error"')
  })
})

describe('requests that are not quite HTTP', () => {
  const told = async (lines: readonly string[], body = ''): Promise<string> => {
    const socket = await reach(world.url)
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
    await once(socket, 'close')
    return Buffer.concat(parts).toString()
  }
  let world: World
  let host = ''

  beforeAll(async () => {
    world = await aWorld()
    host = `Host: ${new URL(world.url).host}`
  })

  it.each([
    ['two Hosts', () => ['GET /api/status HTTP/1.1', host, host], 400],
    ['two Hosts, one of them foreign', () => ['GET /v1/models HTTP/1.1', host, 'Host: evil.example'], 400],
    ['a foreign Host before ours', () => ['GET /v1/models HTTP/1.1', 'hOST: evil.example', host], 421],
    ['no Host', () => ['GET /api/status HTTP/1.1'], 400],
    ['a whole address', () => [`GET http://${host.slice(6)}/api/status HTTP/1.1`, host], 400],
    ['an address that is none', () => ['GET http://[/api/status HTTP/1.1', host], 400],
    ['TRACE', () => ['TRACE /api/status HTTP/1.1', host], 405],
    ['two lengths', () => ['POST /api/user/login HTTP/1.1', host, 'Content-Length: 1', 'Content-Length: 2'], 400],
    [
      'a length and chunks',
      () => ['POST /api/user/login HTTP/1.1', host, 'Content-Length: 3', 'Transfer-Encoding: chunked'],
      400,
    ],
    ['chunks under an alias', () => ['POST /api/user/login HTTP/1.1', host, 'Transfer-Encoding: xchunked'], 400],
    ['a line folded', () => ['GET /api/status HTTP/1.1', host, 'X-A: b', ' c'], 400],
    ['a name with a space', () => ['GET /api/status HTTP/1.1', host, 'X-A : b'], 400],
    ['a bare carriage return', () => ['GET /api/status HTTP/1.1', host, 'X-A: b\rX-B: c'], 400],
  ])('are refused: %s', async (_, lines, status) => {
    expect(await told(lines(), '0\r\n\r\n')).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])(
    'are answered as without it: a %s that requests a WebSocket',
    async (method) => {
      for (const path of ['/v1/chat/completions', '/v1/realtime', '/v1/responses', '/api/status', '/v1/nowhere']) {
        const plainly = [`${method} ${path} HTTP/1.1`, host, 'Content-Length: 2', 'Connection: close']
        const wishing = [...upgradeTo(path, '').split('\r\n').slice(3, -2), 'Connection: Upgrade, close']
        const lines = [...plainly.slice(0, 3), 'Authorization: Bearer sk-nobody', ...wishing]
        const [wished, expected] = [await told(lines, '{}'), await told(plainly, '{}')]
        expect(wished.split('\r\n')[0], path).toBe(expected.split('\r\n')[0])
      }
    },
  )

  it('are relayed: a POST that requests a WebSocket', async () => {
    const { key } = await world.token(world.admin)
    await world.channel({ models: 'gpt-4o' })
    const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })
    const head = ['POST /v1/chat/completions HTTP/1.1', host, `Authorization: Bearer ${key}`]
    const length = `Content-Length: ${body.length}`
    const wish = ['Connection: Upgrade, close', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
    const socket = await reach(world.url)
    socket.write(`${[...head, 'Content-Type: application/json', length, ...wish].join('\r\n')}\r\n\r\n${body}`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 /)
  })

  it('are refused: CONNECT, without an answer', async () => {
    expect(await told(['CONNECT evil.example:443 HTTP/1.1', host])).toBe('')
  })

  it('get the signal to send their body only once it is needed', async () => {
    const asks = (key: string) => [
      'POST /v1/chat/completions HTTP/1.1',
      host,
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      'Content-Length: 2',
      'Expect: 100-continue',
      'Connection: close',
    ]
    expect(await told(asks('sk-nobody'), '{}')).toMatch(/^HTTP\/1.1 401 /)
    const answer = await told(asks((await world.token(world.admin)).key), '{}')
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 /)
  })
})
