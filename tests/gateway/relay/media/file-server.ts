import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  createMediaFetcher,
  type FetchMedia,
  type MediaFetcher,
  type MediaFetcherDeps,
} from '../../../../gateway/relay/media/fetch.ts'
import { openSettings, type Settings } from '../../../../gateway/settings/settings.ts'
import { aClock, type MovableClock } from '../../../support/clock.ts'
import { optionRows } from '../../../support/option-rows.ts'

export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
export const JPEG = Buffer.from('ffd8ffe000104a464946000101', 'hex')

type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** A server on loopback that sends the given responses and records requests. */
export async function aFileServer(answering: Answering) {
  const asked: Readonly<{ method: string; url: string; headers: IncomingMessage['headers'] }>[] = []
  const server = createServer((request, response) => {
    asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers })
    answering(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, asked }
}

/** A server that sends these bytes after the first request on each connection; `hangUp`: then closes it. */
export async function aRawServer(answer: string, hangUp = true) {
  const sockets: Socket[] = []
  const server = createSocketServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', () => (hangUp ? socket.end(answer, 'latin1') : socket.write(answer, 'latin1')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets }
}

export type Fetching = Readonly<{
  /** Fetches for account 1. */
  fetch: FetchMedia
  fetchFor: MediaFetcher['fetchFor']
  clock: MovableClock
  settings: Settings
}>

/** A fetcher that may also connect to 127.0.0.1 on any port; name servers are never queried. */
export async function aFetcher(
  deps: Partial<MediaFetcherDeps> = {},
  options: Record<string, string> = {},
): Promise<Fetching> {
  const store = optionRows(options)
  const settings = await openSettings({ store, listenAddress: () => '', warn: () => {}, defaults: {} })
  const clock = aClock(0)
  const media = createMediaFetcher({
    settings,
    clock,
    userAgent: 'Switchyard/test',
    isAllowed: (address) => address === '127.0.0.1',
    resolve: async (hostname) => Promise.reject(new Error(`no such name: ${hostname}`)),
    ...deps,
  })
  onTestFinished(() => media.close())
  return { fetch: media.fetchFor(1), fetchFor: media.fetchFor, clock, settings }
}

/** A signal that is never aborted. */
export const patient = new AbortController().signal
