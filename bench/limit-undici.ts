import { createServer, type ServerResponse } from 'node:http'
import { type Dispatcher, Pool } from 'undici'
import { listen, upstreamUrl } from './listen.ts'

/**
 * The bare undici `dispatch` proxy ("limit-undici" of docs/reference/performance.md#targets): it buffers the request
 * and relays the response's bytes.
 */
const pool = new Pool(upstreamUrl().origin, { connections: null, pipelining: 1, bodyTimeout: 0 })

listen(
  createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const { method = 'GET', url: path = '/', headers } = incoming
      const { host: _host, connection: _connection, ...forwarded } = headers
      pool.dispatch({ method, path, headers: forwarded, body: Buffer.concat(parts) }, relayTo(outgoing))
    })
  }),
)

function relayTo(outgoing: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      outgoing.on('close', () => {
        if (!outgoing.writableFinished) controller.abort(new Error('the client left'))
      })
      outgoing.on('drain', () => controller.resume())
    },
    onResponseStart(_controller, status, { connection: _connection, ...headers }) {
      outgoing.writeHead(status, headers)
    },
    onResponseData(controller, chunk) {
      if (!outgoing.write(chunk)) controller.pause()
    },
    onResponseEnd() {
      outgoing.end()
    },
    onResponseError() {
      outgoing.destroy()
    },
  }
}
