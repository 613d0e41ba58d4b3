import type { Socket } from 'node:net'
import { SocksClient } from 'socks'

/** Where a tunnel leads, and who asks for it. */
export type Tunnel = Readonly<{ host: string; port: number; user: string; password: string }>

/** The version of SOCKS, and the longest text that it has room for (RFC 1929 §2). */
const VERSION = 5
const LONGEST = 255

/**
 * Asks a SOCKS5 proxy (RFC 1928, passwords by RFC 1929) for a tunnel over a connection to it; the proxy resolves names.
 * Rejects with what the proxy refused, or when it says nothing within `waitMs`; the connection is closed then.
 */
export async function socksTunnel(socket: Socket, tunnel: Tunnel, waitMs: number): Promise<void> {
  const { host, port, user, password } = tunnel
  if ([user, password].some((text) => Buffer.byteLength(text) > LONGEST))
    throw new Error('the proxy has no room for such a sign-in')
  await SocksClient.createConnection({
    command: 'connect',
    existing_socket: socket,
    // Nobody is dialled: the connection is there.
    proxy: { host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0, type: VERSION, ...signIn(user, password) },
    destination: { host: host.replace(/^\[|\]$/g, ''), port },
    timeout: waitMs,
  })
}

const signIn = (user: string, password: string) => (user === '' ? {} : { userId: user, password })
