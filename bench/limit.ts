import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { listen, upstreamUrl } from './listen.ts'

/**
 * The bare node:http reverse proxy all ratios are measured against ("limit" of docs/reference/performance.md#targets):
 * it only forwards bytes.
 */
const { hostname, port } = upstreamUrl()
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 4096 })

listen(createServer(forward))

function forward(incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method, url: path, headers } = incoming
  const upstream = request({ agent, hostname, port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.on('error', () => outgoing.destroy())
    answer.pipe(outgoing)
  })
  upstream.on('error', () => outgoing.destroy())
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) upstream.destroy()
  })
  incoming.pipe(upstream)
}
