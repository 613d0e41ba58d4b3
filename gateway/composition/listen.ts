import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Logger, silentLogger } from '../base/log/logger.ts'
import { nearUrl } from '../base/network/own-urls.ts'
import { answerBroken } from '../limits/broken-requests.ts'
import { boundPipelining, oneAtATime } from '../limits/pipelining.ts'
import { letGoOfStalled } from '../limits/slow-readers.ts'
import { boundSockets, type SocketBounds } from '../limits/socket-limits.ts'
import { CannotStart, EXIT } from '../store/sqlite/database.ts'

/** Timeouts of the HTTP server, in milliseconds (docs/reference/limits.md#connections). */
const waits = {
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  // Longer than clients and proxies keep an idle connection, so that they close it: a call on a closing one is lost.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
}

/** `head` holds the bytes after the request's headers. */
type UpgradeListener = (request: IncomingMessage, wire: Duplex, head: Buffer) => void

export type ListenOptions = Readonly<{
  handler: RequestListener
  /** Handles requests that wait for `100 Continue` before they send their body. */
  expecting?: RequestListener
  upgrade?: UpgradeListener
  sockets?: Omit<SocketBounds, 'log'>
  log?: Pick<Logger, 'warn' | 'error'>
}>

/** A server with all limits, not listening yet; over TLS if there is a certificate. */
export function createBoundServer(
  { handler, expecting, upgrade, sockets, log = silentLogger }: ListenOptions,
  tls?: TlsOptions,
) {
  // Other protocols in `Upgrade` (such as h2c, which some clients always send) are ignored, as HTTP allows (RFC 9110
  // §7.8), and so is a WebSocket request other than GET (RFC 6455 §4.1).
  const shouldUpgradeCallback = ({ method, headers }: IncomingMessage) =>
    method === 'GET' && /^websocket$/i.test(headers.upgrade ?? '')
  const options = { ...waits, shouldUpgradeCallback, insecureHTTPParser: false }
  const listener = oneAtATime(handler)
  const server = tls ? createTlsServer({ ...options, ...tls }, listener) : createServer(options, listener)
  answerBroken(server)
  letGoOfStalled(server)
  boundPipelining(server)
  if (expecting) server.on('checkContinue', oneAtATime(expecting))
  if (upgrade) server.on('upgrade', upgrade)
  if (sockets) boundSockets(server, { ...sockets, log })
  return server
}

/** Starts listening; port 0 takes a free one. Throws `CannotStart` (exit code 2) if the port cannot be used. */
export async function listen(
  options: ListenOptions,
  host: string,
  port: number,
): Promise<{ server: Server; bound: AddressInfo }> {
  const { log = silentLogger } = options
  const server = createBoundServer(options)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new CannotStart(EXIT.portInUse, reasonOf(cause, host, port), cause)))
    server.listen(port, host, resolve)
  })
  // Later errors concern single connections that could not be accepted, for example for lack of file descriptors.
  server.on('error', (error) => log.error('a connection could not be taken', { error }))
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new CannotStart(EXIT.portInUse, `port ${port} cannot be used`)
  return { server, bound }
}

/** A server that does not listen, for a gateway that runs a single shell command. */
export const listenNowhere = async (): Promise<{ server: Server; bound: AddressInfo | undefined }> => ({
  server: createServer(),
  bound: undefined,
})

export const urlOf = ({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string => nearUrl(address, port)

/** Stops accepting connections, closes idle ones, and resolves once all have ended. */
export const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })

function reasonOf(cause: Error, host: string, port: number): string {
  const code = 'code' in cause ? cause.code : ''
  if (code === 'EADDRINUSE') return `port ${port} is in use; stop the other program or choose another port with --port`
  if (code === 'EACCES') return `port ${port} cannot be opened by this user; choose a port above 1023 with --port`
  return `cannot listen on ${host}:${port} (${String(code || cause.message)})`
}
