import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Dispatcher, request } from 'undici'
import type { SystemProxy } from './http-client.ts'
import { guardedConnector, openAgent, proxyDispatcher } from './http-client.ts'
import { parsedAddress } from './web-address.ts'

/** A file to download, with its expected hash. */
export type WantedFile = Readonly<{
  /** Base64. */
  sha512: string
  maxBytes: number
  /** Called with the bytes received so far, and the total if the server sends it. */
  onProgress?: (bytes: number, total: number | undefined) => void
}>

/**
 * Downloads over HTTPS only: other addresses are rejected, even as redirect targets. Never connects to metadata
 * addresses. A text may take a minute in total, a file two hours. Rejects with an `Error` that describes the problem in
 * English, and as soon as `signal` is aborted.
 */
export interface HttpsReader {
  text(address: URL, maxBytes: number, signal?: AbortSignal): Promise<string>
  /** Writes a file. It is usable only if this resolves, which means that its hash matches. */
  file(address: URL, destination: string, wanted: WantedFile, signal?: AbortSignal): Promise<void>
}

const CONNECT_MS = 10_000
/** Max time until a response begins, and between two parts of it. */
const SILENCE_MS = 30_000
const MAX_REDIRECTS = 5
/**
 * Max time of a text and of a file, from the DNS lookup to the last byte, so that a server that sends a byte now and
 * then cannot stall the download forever.
 */
const MAX_TEXT_MS = 60_000
const MAX_FILE_MS = 7_200_000

/**
 * Each download opens its own connections and closes them at its end. `after` returns a signal that aborts after this
 * many milliseconds.
 */
export function createHttpsReader(
  systemProxy: SystemProxy,
  userAgent: string,
  after: (ms: number) => AbortSignal = AbortSignal.timeout,
): HttpsReader {
  const requestOnce = async (dispatcher: Dispatcher, target: URL, signal: AbortSignal) =>
    request(target, {
      dispatcher,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': userAgent },
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      signal,
    })
  const openFinal = async <T>(address: URL, signal: AbortSignal, read: (answer: Opened) => Promise<T>) => {
    let target = address
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      if (target.protocol !== 'https:')
        throw new Error(`${target.origin} is not reached over HTTPS, so no request was sent`)
      const proxy = await systemProxy(target.origin)
      signal.throwIfAborted()
      const dispatcher = proxy
        ? proxyDispatcher(proxy, CONNECT_MS)
        : openAgent({ connect: guardedConnector(CONNECT_MS) })
      try {
        const answer = await requestOnce(dispatcher, target, signal)
        const next = nextIn(answer, target)
        if (next === undefined) {
          if (answer.statusCode !== 200) throw new Error(`${target.origin} answered with status ${answer.statusCode}`)
          return await read(answer)
        }
        target = next
      } finally {
        await dispatcher.destroy()
      }
    }
    throw new Error(`${address.origin} redirects more than ${MAX_REDIRECTS} times`)
  }
  const withLimit = async <T>(
    maxMs: number,
    address: URL,
    signal: AbortSignal | undefined,
    read: (answer: Opened) => Promise<T>,
  ): Promise<T> => {
    const limit = after(maxMs)
    try {
      return await openFinal(address, signal ? AbortSignal.any([signal, limit]) : limit, read)
    } catch (error) {
      if (signal?.aborted || !limit.aborted) throw error
      throw new Error(`${address.origin} took longer than ${maxMs / 1000} s in all`, { cause: error })
    }
  }
  return {
    text: (address, maxBytes, signal) =>
      withLimit(MAX_TEXT_MS, address, signal, async ({ body }) => {
        const parts: Buffer[] = []
        for await (const part of bounded(body, maxBytes)) parts.push(part)
        return Buffer.concat(parts).toString('utf8')
      }),
    file: (address, destination, { sha512, maxBytes, onProgress }, signal) =>
      withLimit(MAX_FILE_MS, address, signal, async ({ body, headers }) => {
        const sum = createHash('sha512')
        const total = Number(headers['content-length']) || undefined
        let bytes = 0
        const counted = async function* () {
          for await (const part of bounded(body, maxBytes)) {
            sum.update(part)
            bytes += part.length
            onProgress?.(bytes, total)
            yield part
          }
        }
        await pipeline(counted, createWriteStream(destination, { mode: 0o600 }))
        if (sum.digest('base64') !== sha512) throw new Error('the file does not match its announced SHA-512')
      }),
  }
}

type Opened = Dispatcher.ResponseData

function nextIn({ statusCode, headers }: Opened, from: URL): URL | undefined {
  if (statusCode < 300 || statusCode > 399) return undefined
  const { location } = headers
  const next = typeof location === 'string' ? parsedAddress(location, from.href) : null
  if (!next) throw new Error(`${from.origin} redirects to nowhere`)
  return next
}

async function* bounded(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`)
    yield part
  }
}
