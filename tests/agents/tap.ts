import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request of an agent to the gateway and its response. */
export type Exchange = Readonly<{
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  status: number
  dropped: string | undefined
  answer: string
}>

/** A listener between agents and a gateway that records all traffic unchanged. */
export async function aTap(gatewayUrl: string) {
  let heard: Exchange[] = []
  const { host, hostname, port } = new URL(gatewayUrl)
  const server = createServer(async (asked, answered) => {
    const body = await buffer(asked)
    const { method = '', url: path = '', headers } = asked
    const passed = request({ hostname, port, method, path, headers: { ...headers, host } })
    passed.on('error', () => answered.destroy())
    answered.on('close', () => passed.destroy())
    passed.end(body)
    passed.on('response', (answer) => {
      const parts: Buffer[] = []
      const { statusCode: status = 0 } = answer
      answered.writeHead(status, answer.headers)
      const note = () => {
        const dropped = answer.headers['x-switchyard-dropped']
        heard.push({
          method,
          path,
          headers,
          body: body.toString(),
          status,
          dropped: dropped === undefined ? undefined : String(dropped),
          answer: Buffer.concat(parts).toString(),
        })
      }
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        answered.write(part)
      })
      answer.once('end', () => {
        note()
        answered.end()
      })
      answer.once('error', () => answered.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port, not on a pipe
    /** Everything recorded since the last call. */
    take(): readonly Exchange[] {
      const taken = heard
      heard = []
      return taken
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
