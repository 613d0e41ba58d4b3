import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { limitInterimOf } from '../../base/network/interim-limit.ts'
import type { Cancellation } from '../model/cancellation.ts'
import type { Pools } from './connection-pools.ts'
import { paceFrames } from './frame-pace.ts'
import { transportError } from './gather.ts'
import { answerPings, openWire, SOCKET_OPTIONS } from './socket-wire.ts'
import { readError, type UpstreamError } from './upstream-error.ts'

/** A socket to open: an http or https address that is used as ws or wss. */
type Dialling = Readonly<{
  pools: Pick<Pools, 'proxyFor'>
  address: string
  headers: Readonly<Record<string, string>>
  proxy: string
  /** Timeout in milliseconds, for the connection and for the handshake separately. */
  waitMs: number
  cancellation: Cancellation
}>

/**
 * Opens a socket to an upstream. Rejects with an `UpstreamError`: the vendor's error if it refused the handshake,
 * otherwise a transport error, including on cancellation.
 */
export async function dial({ pools, address, headers, proxy, waitMs, cancellation }: Dialling): Promise<WebSocket> {
  const url = URL.parse(address.replace(/^http/, 'ws'))
  if (!url || !/^wss?:$/.test(url.protocol)) throw transportError(new Error('the address of the channel is not valid'))
  const taken = await pools.proxyFor(url.origin.replace(/^ws/, 'http'), proxy)
  const wire = await openWire(url, taken, waitMs).catch((cause: unknown) => {
    throw transportError(cause)
  })
  if (cancellation.over) {
    wire.destroy()
    throw transportError(new Error('nobody waits any more'))
  }
  return opened(wire, url, headers, waitMs, cancellation)
}

function opened(wire: Socket, url: URL, headers: Dialling['headers'], waitMs: number, cancellation: Cancellation) {
  return new Promise<WebSocket>((resolve, reject) => {
    const socket = new WebSocket(url, {
      createConnection: () => wire,
      headers,
      handshakeTimeout: waitMs,
      followRedirects: false,
      finishRequest(request) {
        limitInterimOf(request)
        request.end()
      },
      ...SOCKET_OPTIONS,
    })
    answerPings(socket)
    cancellation.listener = { abandon: () => socket.terminate() }
    const leave = () => {
      cancellation.listener = undefined
    }
    const fail = (cause: Error) => {
      leave()
      wire.destroy()
      reject(transportError(cause))
    }
    socket.once('open', () => {
      leave()
      // Data that arrives with the handshake waits until there is a listener.
      socket.pause()
      paceFrames(socket, wire)
      socket.off('error', fail)
      resolve(socket)
    })
    socket.once('unexpected-response', (_, response) => {
      cancellation.listener = { abandon: () => wire.destroy() }
      const timer = setTimeout(() => wire.destroy(), waitMs)
      void refusalIn(response).then((error) => {
        clearTimeout(timer)
        leave()
        reject(error)
        wire.destroy()
      }, fail)
    })
    socket.on('error', fail)
  })
}

const MAX_ERROR_BYTES = 64 * 1024

async function refusalIn(response: IncomingMessage): Promise<UpstreamError> {
  let text = ''
  try {
    for await (const chunk of response) {
      text += chunk
      if (text.length > MAX_ERROR_BYTES) break
    }
  } catch {
    // The connection broke: ignore the partial text.
    text = ''
  }
  return readError(response.statusCode ?? 502, text, response.headers['retry-after'])
}
