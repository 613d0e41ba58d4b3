import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export type Answering = (response: ServerResponse, request: IncomingMessage) => unknown

/** A vendor on loopback whose bytes are all written by the test; it stops at the end of the test file. */
export interface HeldVendor {
  readonly url: string
  asked: number
  /** Sets the handlers of the next requests, one each; the last one is reused. */
  answers(...answering: Answering[]): void
}

export async function aHeldVendor(): Promise<HeldVendor> {
  let queue: Answering[] = []
  const server = createServer((request, response) => {
    vendor.asked += 1
    const next = queue.length > 1 ? queue.shift() : queue[0]
    request.resume()
    response.on('error', () => {})
    request.on('end', () => void next?.(response, request))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  const vendor: HeldVendor = {
    url: `http://127.0.0.1:${port}`,
    asked: 0,
    answers(...answering) {
      queue = answering
      vendor.asked = 0
    },
  }
  return vendor
}

export function begins(response: ServerResponse, text = ''): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  if (text !== '') response.write(text)
  return response
}

export const says = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** A response that is read as it arrives. */
export type Heard = Readonly<{
  status: number
  headers: Headers
  /** Resolves with all text received so far, once it matches the pattern. */
  hears(pattern: RegExp): Promise<string>
  /** The complete text; resolves when the response has ended. */
  whole: Promise<string>
  leave(): void
}>

/** Posts a body and reads the response as it arrives; resolves once its head has arrived. */
export async function listening(url: string, key: string, body: object): Promise<Heard> {
  const leaving = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json', 'accept-language': 'en' },
    body: JSON.stringify(body),
    signal: leaving.signal,
  })
  let text = ''
  const waiting = new Set<() => void>()
  const read = async () => {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8')
      for (const look of waiting) look()
    }
    return text
  }
  const whole = read()
  whole.catch(() => {})
  return {
    status: response.status,
    headers: response.headers,
    hears: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => pattern.test(text) && resolve(text)
        waiting.add(look)
        look()
        whole.then(
          () => reject(new Error(`it ended without ${pattern}: ${text}`)),
          () => reject(new Error(`it broke without ${pattern}: ${text}`)),
        )
      }),
    whole,
    leave: () => leaving.abort(),
  }
}
