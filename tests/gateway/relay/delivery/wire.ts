import { type IncomingHttpHeaders, request } from 'node:http'
import type { World } from '../../../support/world.ts'

/** A response byte for byte, with the error object if there is one. */
export type WireAnswer = Readonly<{
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was answered
  error: any
  /** Why the connection broke before the response was complete. */
  broke: Error | undefined
}>

export type WireAsk = Readonly<{
  method?: string
  key?: string
  headers?: Record<string, string>
  body?: Buffer | string
}>

export const CHAT = '/v1/chat/completions'

/** Sends exactly these bytes and headers; does not decompress or decode the response, or follow redirects. */
export function onTheWire(world: World, path: string, { method = 'POST', key, headers, body }: WireAsk) {
  const all = {
    ...(key === undefined ? {} : { authorization: `Bearer sk-${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
  return new Promise<WireAnswer>((resolve, reject) => {
    const outgoing = request(world.url + path, { method, headers: all, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      const answer = (broke?: Error) => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          bytes,
          text,
          error: errorIn(text),
          broke,
        })
      }
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => answer())
      incoming.on('error', answer)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** The body of a chat request with additional fields. */
export const chat = (model: string, more: object = {}): string =>
  JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }], ...more })

export const errorEvent = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/^data: ?/, ''))
    .map(errorIn)
    .find((error) => error !== undefined)

// biome-ignore lint/suspicious/noExplicitAny: whatever the gateway answered
function errorIn(text: string): any {
  try {
    return JSON.parse(text).error
  } catch {
    return undefined
  }
}
