import { type IncomingHttpHeaders, request } from 'node:http'
import { holdAnswer } from '../../support/held-answers.ts'

export type RawAsk = Readonly<{
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}>

export type RawReply = Readonly<{
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  json: any
}>

/** Sends a request with exactly these headers, Host included, which `fetch` does not allow. */
export const ask = (url: string, { method = 'GET', headers = {}, body }: RawAsk = {}): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, headers: { 'accept-language': 'en', ...headers }, agent: false },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const { pathname, search } = new URL(url)
          const type = incoming.headers['content-type'] ?? ''
          const isPlain = type.startsWith('application/json') && !incoming.headers['content-encoding']
          if (incoming.headers['x-oneapi-request-id'] && isPlain && method !== 'HEAD')
            holdAnswer({ method, path: pathname + search, status: incoming.statusCode ?? 0, type, text })
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parsed(text) })
        })
        incoming.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })

export const askJson = (
  url: string,
  body: unknown,
  { method = 'POST', headers = {} }: RawAsk = {},
): Promise<RawReply> =>
  ask(url, { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
