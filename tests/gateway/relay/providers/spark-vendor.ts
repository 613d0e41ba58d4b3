import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** The request that opened a socket, and the JSON that was sent over it. */
export type Visit = Readonly<{
  path: string
  query: URLSearchParams
  host: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent
  json: any
  closed: Promise<unknown>
}>

/** The frames that the vendor sends, or its refusal of the handshake. */
export type Telling = Readonly<{
  frames?: readonly object[]
  refusal?: Readonly<{ status: number; body: object }>
  cut?: boolean
}>

/** A fake Spark on loopback; it responds to the single request of each socket with the given frames. */
export async function aSparkVendor() {
  const visits: Visit[] = []
  let telling: Telling = {}
  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    const { refusal } = telling
    if (refusal) {
      const body = JSON.stringify(refusal.body)
      socket.end(`HTTP/1.1 ${refusal.status} No\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const url = new URL(request.url ?? '', 'http://loopback')
      const visit = { path: url.pathname, query: url.searchParams, host: request.headers.host ?? '' }
      opened.on('message', (data) => {
        visits.push({ ...visit, json: JSON.parse(String(data)), closed: once(opened, 'close') })
        report(opened, telling)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    visits,
    tells(next: Telling) {
      telling = next
    },
    stop() {
      for (const client of sockets.clients) client.terminate()
      server.close()
      server.closeAllConnections()
    },
  }
}

function report(socket: WebSocket, { frames = [], cut }: Telling): void {
  for (const frame of frames) socket.send(JSON.stringify(frame))
  if (cut) socket.terminate()
}

/** A frame in Spark's form; status 0 starts, 1 continues, 2 ends. */
export const frame = (status: number, content: string, text?: object) => ({
  header: { code: 0, message: 'Success', sid: 'cht1', status },
  payload: {
    choices: { status, seq: status, text: [{ content, role: 'assistant', index: 0 }] },
    ...(text ? { usage: { text } } : {}),
  },
})

/** An error frame. */
export const failure = (code: number) => ({ header: { code, message: 'no such luck', sid: 'cht1', status: 2 } })
