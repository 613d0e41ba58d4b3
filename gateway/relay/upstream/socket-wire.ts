import { isIP, type Socket } from 'node:net'
import { SocksClient } from 'socks'
import { Client } from 'undici'
import type { WebSocket } from 'ws'
import type { Connector } from '../../base/network/address-guard.ts'
import { guardedConnector, isProxyUrl } from '../../base/network/http-client.ts'
import { MetadataAddressRefused, metadataHost } from '../../base/network/metadata-address.ts'

const MIB = 1024 * 1024

/** The longest frame either side may send (docs/reference/streams.md#realtime-sessions). */
const MAX_PAYLOAD = 16 * MIB
/** So much may wait in one direction before its sender is asked to stop, and so much is left when it may go on. */
const HIGH_WATER = MIB
const LOW_WATER = MIB / 4
/** How many frames may wait, and are left when the sender may go on: each takes some hundred bytes besides its own. */
const HIGH_FRAMES = 1000
const LOW_FRAMES = HIGH_FRAMES / 4

/**
 * What all sockets have, on either side: no compression, and others between any two of their frames, before which nothing
 * more is read (docs/reference/limits.md#sockets).
 */
export const SOCKET_OPTIONS = {
  perMessageDeflate: false,
  maxPayload: MAX_PAYLOAD,
  autoPong: false,
  allowSynchronousEvents: false,
} as const

/** What is on its way to a socket. */
export interface Outflow {
  isOpen(): boolean
  /** Sends a frame, where anybody can still read it. */
  send(data: string | Buffer, options?: Readonly<{ binary: boolean }>): void
  /** So much waits that nothing more should be sent until there is room again. */
  isFull(): boolean
}

/** What is on its way to `socket`; `room` is called whenever little of it is left. */
export function createOutflow(socket: WebSocket, room: () => void): Outflow {
  let frames = 0
  const isOpen = () => socket.readyState === socket.OPEN
  const sent = () => {
    frames -= 1
    if (frames === 0 || (frames < LOW_FRAMES && socket.bufferedAmount < LOW_WATER)) room()
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

/** Reads a socket on that was held back; one that closes is left as it is. */
export function readOn(socket: WebSocket): void {
  if (socket.isPaused && socket.readyState === socket.OPEN) socket.resume()
}

/**
 * The first error listener of a socket, whatever goes wrong on which ends in its close, and its answers to pings: none
 * for one who asks and asks and does not read them, since they would pile up here.
 */
export function answerPings(socket: WebSocket): void {
  socket.on('error', () => {})
  socket.on('ping', (data) => {
    if (socket.readyState === socket.OPEN && socket.bufferedAmount < HIGH_WATER) socket.pong(data)
  })
}

/**
 * A connection to the host of a ws or wss address, with TLS where the address asks for it, through the channel's proxy
 * where it has one. Metadata addresses are refused as for every other call
 * (docs/reference/security.md#outgoing-calls).
 */
export async function openWire(address: URL, proxy: string, waitMs: number): Promise<Socket> {
  if (metadataHost(address.hostname)) throw new MetadataAddressRefused(`${address.hostname} may not be used`)
  const connect = guardedConnector(waitMs)
  const isSecure = address.protocol === 'wss:'
  const port = address.port || (isSecure ? '443' : '80')
  const place = { hostname: address.hostname, host: address.host, protocol: isSecure ? 'https:' : 'http:', port }
  if (!proxy) return connected(connect, place)
  const tunnel = await tunnelThrough(proxy, connect, address.hostname, port, waitMs)
  if (!isSecure) return tunnel
  return connected(connect, { ...place, servername: address.hostname, httpSocket: tunnel })
}

type ConnectOptions = Parameters<Connector>[0]

/** The connector as a promise; undici's own answers once. */
const connected = (connect: Connector, place: ConnectOptions): Promise<Socket> =>
  new Promise((resolve, reject) => {
    connect(place, (error, socket) => {
      if (!socket) return reject(error)
      // Whoever uses it adds listeners of its own; between two of them nobody else would hear of an error.
      resolve(socket.on('error', ignore))
    })
  })

const ignore = () => {}

/** A connection to `host:port` that a proxy makes. Rejects with what the proxy refused. */
async function tunnelThrough(proxy: string, connect: Connector, host: string, port: string, waitMs: number) {
  const url = URL.parse(proxy)
  if (!url || !isProxyUrl(proxy)) throw new Error('the address of the proxy is not valid')
  const user = decodeURIComponent(url.username)
  const password = decodeURIComponent(url.password)
  if (url.protocol.startsWith('http')) return httpTunnel(url, connect, `${host}:${port}`, user, password)
  const place = { hostname: url.hostname, host: url.host, protocol: 'http:', port: url.port || '1080' }
  const socket = await connected(connect, place)
  try {
    await socksTunnel(socket, { host, port: Number(port), user, password }, waitMs)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return socket
}

/** Asks an HTTP proxy for a tunnel (CONNECT, RFC 9110 §9.3.6). */
async function httpTunnel(proxy: URL, connect: Connector, path: string, user: string, password: string) {
  // The name is the proxy's own, not that of the place behind it, which undici would take from the request.
  const servername = isIP(proxy.hostname) ? '' : proxy.hostname
  const client = new Client(proxy.origin, { connect: (options, then) => connect({ ...options, servername }, then) })
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  const headers = { host: path, ...(user === '' ? {} : { 'proxy-authorization': `Basic ${basic}` }) }
  const { statusCode, socket } = await client.connect({ path, headers }).catch(async (error) => {
    await client.destroy()
    throw error
  })
  if (statusCode === 200) {
    // The connection is a socket of the network: the proxy is spoken to in HTTP/1.1.
    return (socket as Socket).on('error', ignore)
  }
  socket.destroy()
  throw new Error(`the proxy refused the tunnel (${statusCode})`)
}

/** Where a tunnel leads, and who asks for it. */
type Tunnel = Readonly<{ host: string; port: number; user: string; password: string }>

/** The version of SOCKS, and the longest text that it has room for (RFC 1929 §2). */
const VERSION = 5
const MAX_LENGTH = 255

/**
 * Asks a SOCKS5 proxy (RFC 1928, passwords by RFC 1929) for a tunnel over a connection to it; the proxy resolves names.
 * Rejects with what the proxy refused, or when it says nothing within `waitMs`; the connection is closed then.
 */
async function socksTunnel(socket: Socket, tunnel: Tunnel, waitMs: number): Promise<void> {
  const { host, port, user, password } = tunnel
  if ([user, password].some((text) => Buffer.byteLength(text) > MAX_LENGTH))
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
