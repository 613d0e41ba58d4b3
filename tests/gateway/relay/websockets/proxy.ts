import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy on loopback, and every tunnel that was asked of it as `user:password@host:port`. */
export type TunnelProxy = Readonly<{ port: number; tunnels: string[]; stop(): Promise<void> }>

type Manner = (socket: Socket, tunnels: string[]) => Promise<void>

/** A proxy that takes CONNECT. */
export const anHttpProxy = (): Promise<TunnelProxy> =>
  aProxy(async (socket, tunnels) => {
    const [head] = await once(socket, 'data')
    const [, place = ''] = /^CONNECT (\S+) /.exec(String(head)) ?? []
    const [, basic = ''] = /proxy-authorization: Basic (\S+)/i.exec(String(head)) ?? []
    tunnels.push(`${Buffer.from(basic, 'base64')}@${place}`)
    if (place.includes('forbidden')) return void socket.end('HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n')
    const [host = '', port = ''] = place.split(':')
    await join(socket, host, Number(port), 'HTTP/1.1 200 OK\r\n\r\n')
  })

/** A proxy of SOCKS5 that wants a user and a password. */
export const aSocksProxy = (): Promise<TunnelProxy> =>
  aProxy(async (socket, tunnels) => {
    await once(socket, 'data')
    socket.write(Buffer.from([5, 2]))
    const [signIn] = await once(socket, 'data')
    const user = signIn.subarray(2, 2 + signIn[1])
    const password = signIn.subarray(3 + signIn[1])
    socket.write(Buffer.from([1, 0]))
    const [ask] = await once(socket, 'data')
    const host = ask[3] === 1 ? [...ask.subarray(4, 8)].join('.') : String(ask.subarray(5, 5 + ask[4]))
    const port = ask.readUInt16BE(ask.length - 2)
    tunnels.push(`${user}:${password}@${host}:${port}`)
    await join(socket, host, port, Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]))
  })

async function join(socket: Socket, host: string, port: number, greeting: Buffer | string): Promise<void> {
  const far = connect(port, host === 'localhost' ? '127.0.0.1' : host)
  await once(far, 'connect')
  socket.write(greeting)
  socket.pipe(far).pipe(socket)
  far.on('error', () => socket.destroy())
  socket.on('close', () => far.destroy())
}

async function aProxy(manner: Manner): Promise<TunnelProxy> {
  const tunnels: string[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    manner(socket, tunnels).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    port,
    tunnels,
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
