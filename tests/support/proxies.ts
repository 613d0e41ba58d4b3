import { once } from 'node:events'
import { createServer as createHttpServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy on loopback, and every target requested from it. */
export type LoopbackProxy = Readonly<{ port: number; asked: string[]; stop(): Promise<void> }>

/** Credentials that the proxy requires; none if absent. */
type Manner = Readonly<{ user?: string; password?: string }>

/**
 * An HTTP proxy that forwards plain requests and opens tunnels, except to `forbidden.example`; 502 when the target is
 * unreachable.
 */
export async function aHttpProxy({ user, password }: Manner = {}): Promise<LoopbackProxy> {
  const asked: string[] = []
  const wanted = user === undefined ? undefined : `Basic ${btoa(`${user}:${password}`)}`
  const isKnown = ({ headers }: IncomingMessage) => wanted === undefined || headers['proxy-authorization'] === wanted
  const server = createHttpServer((incoming, outgoing) => {
    asked.push(incoming.url ?? '')
    if (!isKnown(incoming)) return void outgoing.writeHead(407, { 'proxy-authenticate': 'Basic' }).end()
    const onward = httpRequest(incoming.url ?? '', { method: incoming.method }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, { connection: 'close' })
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.writeHead(502).end()).end()
  })
  server.on('connect', (incoming, socket: Socket) => {
    asked.push(incoming.url ?? '')
    if (!isKnown(incoming)) return void socket.end('HTTP/1.1 407 Who are you\r\ncontent-length: 0\r\n\r\n')
    const [host = '', port] = (incoming.url ?? '').split(':')
    if (host === 'forbidden.example') return void socket.end('HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n')
    join(socket, host, Number(port), 'HTTP/1.1 200 OK\r\n\r\n', 'HTTP/1.1 502 No\r\ncontent-length: 0\r\n\r\n')
  })
  return running(server, asked)
}

const [NOT_ALLOWED, REFUSED] = [2, 5]

/** A SOCKS5 proxy (RFC 1928, RFC 1929) that refuses `forbidden.example` and never reaches `silent.example`. */
export async function aSocksProxy({ user, password }: Manner = {}): Promise<LoopbackProxy> {
  const asked: string[] = []
  const converse = async (socket: Socket) => {
    const [greeting] = await once(socket, 'data')
    const needed = user === undefined ? 0 : 2
    const isOffered = [...greeting.subarray(2)].includes(needed)
    socket.write(Buffer.from([5, isOffered ? needed : 255]))
    if (!isOffered) return void socket.end()
    if (needed === 2) {
      const [signIn] = await once(socket, 'data')
      const said = [signIn.subarray(2, 2 + signIn[1]), signIn.subarray(3 + signIn[1])].join(':')
      socket.write(Buffer.from([1, said === `${user}:${password}` ? 0 : 1]))
      if (said !== `${user}:${password}`) return void socket.end()
    }
    const [order] = await once(socket, 'data')
    const host = order[3] === 1 ? [...order.subarray(4, 8)].join('.') : String(order.subarray(5, 5 + order[4]))
    const port = order.readUInt16BE(order.length - 2)
    asked.push(`${host}:${port}`)
    const reply = (code: number) => Buffer.from([5, code, 0, 1, 127, 0, 0, 1, 0, 0])
    if (host === 'forbidden.example') return void socket.end(reply(NOT_ALLOWED))
    if (host !== 'silent.example') join(socket, host, port, reply(0), reply(REFUSED))
  }
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    converse(socket).catch(() => socket.destroy())
  })
  return running(server, asked)
}

/** A server that sends the same text to every client and closes the connection. */
export function aSpeaker(words: string): Promise<LoopbackProxy> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.end(words))
  })
  return running(server, [])
}

function join(socket: Socket, host: string, port: number, welcome: Buffer | string, regret: Buffer | string): void {
  const far = connect(port, host === 'localhost' ? '127.0.0.1' : host)
  far.once('connect', () => {
    socket.write(welcome)
    socket.pipe(far).pipe(socket)
  })
  far.on('error', () => socket.end(regret))
  socket.on('error', () => far.destroy()).on('close', () => far.destroy())
}

async function running(server: Server, asked: string[]): Promise<LoopbackProxy> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => open.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    port,
    asked,
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
