import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import type { Person, World } from '../../../support/world.ts'

/** The caller's side of a socket. */
export interface Caller {
  readonly socket: WebSocket
  /** All received frames, parsed if they are JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent
  readonly frames: any[]
  send(event: object | string): void
  /** Resolves with the first frame of this type at or after the given index, including past ones. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  gets(type: string, from?: number): Promise<any>
  readonly closed: Promise<Readonly<{ code: number; reason: string }>>
}

export type Opening = Readonly<{ key?: string; headers?: Record<string, string>; protocols?: string[] }>

/** Opens a socket with a user's key; rejects with the gateway's HTTP response if there is one. */
export async function aCaller(world: World, path: string, person: Person, opening: Opening = {}): Promise<Caller> {
  const { protocols = [] } = opening
  const key = opening.key ?? (await person.key())
  const headers = { ...(protocols.length > 0 ? {} : { authorization: `Bearer sk-${key}` }), ...opening.headers }
  return callerOn(new WebSocket(world.url.replace('http', 'ws') + path, protocols, { headers }))
}

/** The HTTP response that was received instead of a socket. */
export class NoSocket extends Error {
  override readonly name = 'NoSocket'
  readonly status: number
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was answered
  readonly error: any

  constructor({ statusCode = 0, headers }: IncomingMessage, text: string) {
    super(`answered with ${statusCode}`)
    this.status = statusCode
    this.headers = headers
    this.error = JSON.parse(text || '{}').error
  }
}

/** Expects an HTTP response instead of a socket, and returns it. */
export const refused = (opening: Promise<unknown>): Promise<NoSocket> =>
  opening.then(
    () => Promise.reject(new Error('it opened')),
    (error) => (error instanceof NoSocket ? error : Promise.reject(error)),
  )

function callerOn(socket: WebSocket): Promise<Caller> {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const frames: any[] = []
  const waiting = new Set<() => void>()
  socket.on('message', (data, isBinary) => {
    frames.push(isBinary ? data : jsonIn(String(data)))
    for (const look of waiting) look()
  })
  const closed = new Promise<Readonly<{ code: number; reason: string }>>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  const caller: Caller = {
    socket,
    frames,
    send: (event) => socket.send(typeof event === 'string' ? event : JSON.stringify(event)),
    gets: (type, from = 0) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = frames.slice(from).find((frame) => frame?.type === type)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
        void closed.then(({ code }) => reject(new Error(`closed with ${code} before ${type}`)))
      }),
    closed,
  }
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(caller))
    socket.on('error', reject)
    socket.once('unexpected-response', (_, response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => reject(new NoSocket(response, text)))
    })
  })
}

/** Polls for a result, with a timeout long enough for slow machines. */
export const eventually = <T>(look: () => T): ReturnType<typeof expect.poll<T>> => expect.poll(look)

/** Requests an upgrade without a WebSocket client; returns the status and the text of the response. */
export function rawUpgrade(world: World, path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<Readonly<{ status: number; text: string }>>((resolve, reject) => {
    const outgoing = httpRequest(world.url + path, { method, headers, agent: false }, (incoming) => {
      let text = ''
      incoming.on('data', (chunk) => {
        text += chunk
      })
      incoming.once('close', () => resolve({ status: incoming.statusCode ?? 0, text }))
    })
    outgoing.on('error', reject)
    outgoing.on('upgrade', (incoming, wire) => {
      wire.destroy()
      resolve({ status: incoming.statusCode ?? 0, text: '' })
    })
    outgoing.end()
  })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
