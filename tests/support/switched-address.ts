import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atFileEnd } from './file-end.ts'

/**
 * A port that leads to one server on loopback, then to another, as a name or a virtual address does after a failover;
 * open connections break unless they are to stay.
 */
export async function aSwitchedAddress(port: number, listening = { host: '127.0.0.1', port: 0 }) {
  let target = port
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }).listen(listening)
  await once(server, 'listening')
  atFileEnd(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port, // it listens on a port, not on a pipe
    switchTo(next: number, { staysOpen = false } = {}) {
      target = next
      if (staysOpen) return
      for (const socket of sockets) socket.destroy()
    },
  }
}
