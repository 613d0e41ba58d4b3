import { isIP, type Socket } from 'node:net'
import { SocksClient } from 'socks'
import { Client } from 'undici'
import type { WebSocket } from 'ws'
import type { Connector } from '../../base/network/address-guard.ts'
import { guardedConnector, isProxyUrl } from '../../base/network/http-client.ts'
import { MetadataAddressRefused, metadataHost } from '../../base/network/metadata-address.ts'

const MIB = 1024 * 1024

/** Longest frame that either side may send (docs/reference/streams.md#realtime-sessions). */
const MAX_PAYLOAD = 16 * MIB
/** Bytes waiting in one direction at which the sender is paused and resumed. */
const HIGH_WATER = MIB
const LOW_WATER = MIB / 4
/** Frames waiting at which the sender is paused and resumed: each takes about a hundred bytes of overhead. */
const HIGH_FRAMES = 1000
const LOW_FRAMES = HIGH_FRAMES / 4

/**
 * Options of all sockets, on both sides: no compression, and one message in each turn of the event loop, so that a
 * burst does not starve other sockets (docs/reference/limits.md#sockets).
 */
export const SOCKET_OPTIONS = {
  perMessageDeflate: false,
  maxPayload: MAX_PAYLOAD,
  autoPong: false,
  allowSynchronousEvents: false,
} as const

export interface Outflow {
  isOpen(): boolean
  send(data: string | Buffer, options?: Readonly<{ binary: boolean }>): void
  /** Whether too much is waiting; sending should pause until it has drained. */
  isFull(): boolean
}

/** `onDrain` is called when little is left to send. */
export function createOutflow(socket: WebSocket, onDrain: () => void): Outflow {
  let frames = 0
  const isOpen = () => socket.readyState === socket.OPEN
  const sent = () => {
    frames -= 1
    if (frames === 0 || (frames < LOW_FRAMES && socket.bufferedAmount < LOW_WATER)) onDrain()
  }
  return {
    isOpen,
    send(data, options = { binary: false }) {
      if (!isOpen()) return
      frames += 1
      socket.send(data, options, sent)
    },
    isFull: () => frames > 0 && (socket.bufferedAmount > HIGH_WATER || frames >= HIGH_FRAMES),
  }
}

/** Resumes a paused socket; does nothing if it is closing. */
export function readOn(socket: WebSocket): void {
  if (socket.isPaused && socket.readyState === socket.OPEN) socket.resume()
}

/**
 * Adds the first error listener of a socket (its errors all end in `close`), and responds to pings, but not to those of
 * a peer that does not read the pongs, since they would pile up.
 */
export function answerPings(socket: WebSocket): void {
  socket.on('error', () => {})
  socket.on('ping', (data) => {
    if (socket.readyState === socket.OPEN && socket.bufferedAmount < HIGH_WATER) socket.pong(data)
  })
}

/**
 * Connects to the host of a ws or wss address, with TLS for wss, through the channel's proxy if it has one. Metadata
 * addresses are refused as for every other call (docs/reference/security.md#outgoing-calls).
 */
export async function openWire(address: URL, proxy: string, waitMs: number): Promise<Socket> {
  if (metadataHost(address.hostname)) throw new MetadataAddressRefused(`${address.hostname} may not be used`)
  const connect = guardedConnector(waitMs)
  const isSecure = address.protocol === 'wss:'
  const port = address.port || (isSecure ? '443' : '80')
  const target = { hostname: address.hostname, host: address.host, protocol: isSecure ? 'https:' : 'http:', port }
  if (!proxy) return connected(connect, target)
  const tunnel = await tunnelThrough(proxy, connect, address.hostname, port, waitMs)
  if (!isSecure) return tunnel
  return connected(connect, { ...target, servername: address.hostname, httpSocket: tunnel })
}

type ConnectOptions = Parameters<Connector>[0]

/** Wraps undici's connector in a promise; its callback runs once. */
const connected = (connect: Connector, options: ConnectOptions): Promise<Socket> =>
  new Promise((resolve, reject) => {
    connect(options, (error, socket) => {
      if (!socket) return reject(error)
      // Users add their own listeners; an error between two of them would have no listener.
      resolve(socket.on('error', ignore))
    })
  })

const ignore = () => {}

async function tunnelThrough(proxy: string, connect: Connector, host: string, port: string, waitMs: number) {
  const url = URL.parse(proxy)
  if (!url || !isProxyUrl(proxy)) throw new Error('the address of the proxy is not valid')
  const user = decodeURIComponent(url.username)
  const password = decodeURIComponent(url.password)
  if (url.protocol.startsWith('http')) return httpTunnel(url, connect, `${host}:${port}`, user, password)
  const target = { hostname: url.hostname, host: url.host, protocol: 'http:', port: url.port || '1080' }
  const socket = await connected(connect, target)
  try {
    await socksTunnel(socket, { host, port: Number(port), user, password }, waitMs)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return socket
}

/** Requests a tunnel from an HTTP proxy (CONNECT, RFC 9110 §9.3.6). */
async function httpTunnel(proxy: URL, connect: Connector, path: string, user: string, password: string) {
  // The proxy's name, not that of the destination, which undici would take from the request.
  const servername = isIP(proxy.hostname) ? '' : proxy.hostname
  const client = new Client(proxy.origin, { connect: (options, then) => connect({ ...options, servername }, then) })
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  const headers = { host: path, ...(user === '' ? {} : { 'proxy-authorization': `Basic ${basic}` }) }
  const { statusCode, socket } = await client.connect({ path, headers }).catch(async (error) => {
    await client.destroy()
    throw error
  })
  if (statusCode === 200) {
    // The connection is a network socket: the proxy is used with HTTP/1.1.
    return (socket as Socket).on('error', ignore)
  }
  socket.destroy()
  throw new Error(`the proxy refused the tunnel (${statusCode})`)
}

type Tunnel = Readonly<{ host: string; port: number; user: string; password: string }>

/** The SOCKS version, and the longest username or password (RFC 1929 §2). */
const VERSION = 5
const MAX_LENGTH = 255

/**
 * Requests a tunnel from a SOCKS5 proxy (RFC 1928, passwords by RFC 1929) over a connection to it; the proxy resolves
 * names. On an error of the proxy or a timeout of `waitMs`, rejects and closes the connection.
 */
async function socksTunnel(socket: Socket, tunnel: Tunnel, waitMs: number): Promise<void> {
  const { host, port, user, password } = tunnel
  if ([user, password].some((text) => Buffer.byteLength(text) > MAX_LENGTH))
    throw new Error('the proxy has no room for such a sign-in')
  await SocksClient.createConnection({
    command: 'connect',
    existing_socket: socket,
    // Not dialled: the connection exists.
    proxy: { host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0, type: VERSION, ...signIn(user, password) },
    destination: { host: host.replace(/^\[|\]$/g, ''), port },
    timeout: waitMs,
  })
}

const signIn = (user: string, password: string) => (user === '' ? {} : { userId: user, password })
