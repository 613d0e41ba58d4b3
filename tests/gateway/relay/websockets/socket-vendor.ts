import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** The vendor's side of a session. */
export type Session = Readonly<{
  path: string
  headers: IncomingHttpHeaders
  socket: WebSocket
  /** All received frames, parsed if they are JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent
  frames: any[]
  /** The close code; resolves when the session has ended. */
  closed: Promise<number>
}>

/** A vendor's behaviour: called when a session opens, and for every frame. */
export type Manner = (session: Session, frame: unknown) => void

/** A fake vendor of realtime sessions on loopback. */
export interface SocketVendor {
  readonly url: string
  readonly sessions: readonly Session[]
  last(): Session
  /** Resolves with the newest session since the last reset, or with the next one. */
  opened(): Promise<Session>
  /** Sets the behaviour; `frame` is undefined when the session opens. */
  behaves(manner: Manner): void
  refuses(...answers: readonly Readonly<{ status: number; body?: object }>[]): void
  reset(): void
  stop(): Promise<void>
}

/** Starts a vendor whose sessions send only `session.created`. */
export async function aSocketVendor(): Promise<SocketVendor> {
  const sessions: Session[] = []
  let manner: Manner = greets
  let refusals: Readonly<{ status: number; body?: object }>[] = []
  let report: ((session: Session) => void) | undefined
  const server = createServer((_, response) => response.writeHead(404).end())
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: ([first]) => first ?? false })
  server.on('upgrade', (request, wire, head) => {
    const refusal = refusals.shift()
    if (refusal) {
      const body = JSON.stringify(refusal.body ?? {})
      const lines = [
        `HTTP/1.1 ${refusal.status} No`,
        'content-type: application/json',
        `content-length: ${body.length}`,
      ]
      return void wire.end(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`)
    }
    sockets.handleUpgrade(request, wire, head, (socket) => {
      const closed = once(socket, 'close').then(([code]) => Number(code))
      const session: Session = { path: request.url ?? '', headers: request.headers, socket, frames: [], closed }
      sessions.push(session)
      socket.on('error', () => {})
      socket.on('message', (data, isBinary) => {
        const frame = isBinary ? data : jsonIn(String(data))
        session.frames.push(frame)
        manner(session, frame)
      })
      manner(session, undefined)
      report?.(session)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    sessions,
    last: () => sessions.at(-1) ?? fail(),
    opened: async () =>
      sessions.at(-1) ??
      new Promise((resolve) => {
        report = resolve
      }),
    behaves(next) {
      manner = next
    },
    refuses: (...answers) => void refusals.push(...answers),
    reset() {
      for (const { socket } of sessions) socket.terminate()
      sessions.length = 0
      refusals = []
      manner = greets
      report = undefined
    },
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      for (const { socket } of sessions) socket.terminate()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Sends events of a session. */
export function say({ socket }: Pick<Session, 'socket'>, ...events: readonly object[]): void {
  for (const event of events) socket.send(JSON.stringify(event))
}

const greets: Manner = (session, frame) => {
  if (frame === undefined) say(session, { type: 'session.created', event_id: 'event_1', session: { id: 'sess_1' } })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function fail(): never {
  throw new Error('no session was opened')
}
