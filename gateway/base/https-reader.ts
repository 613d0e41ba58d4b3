import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Agent, type Dispatcher, request } from 'undici'
import { guardedConnector, proxyDispatcher } from './http-client.ts'
import type { SystemProxy } from './system-proxy.ts'

/** A file that must be exactly what was announced. */
export type WantedFile = Readonly<{
  /** Of all its bytes, as base64. */
  sha512: string
  maxBytes: number
  /** Told how much is there, and of how much, where the server says so. */
  onProgress?: (bytes: number, total: number | undefined) => void
}>

/**
 * Reads over HTTPS alone: an address of another kind is refused, also where a redirect leads to it. Metadata addresses are
 * never dialled. A text takes a minute in all, a file two hours. Rejects with an `Error` that says in English what went wrong, and as soon as
 * `signal` is aborted.
 */
export interface HttpsReader {
  text(address: URL, maxBytes: number, signal?: AbortSignal): Promise<string>
  /** Writes a file, which is of use only where this resolves: then it has the wanted sum. */
  file(address: URL, destination: string, wanted: WantedFile, signal?: AbortSignal): Promise<void>
}

const CONNECT_MS = 10_000
/** Until an answer begins, and between two parts of it. */
const SILENCE_MS = 30_000
const MAX_REDIRECTS = 5
/** From the first look-up to the last byte: a server that sends a byte now and then is not waited for without end. */
const MAX_TEXT_MS = 60_000
const MAX_FILE_MS = 7_200_000

/**
 * Builds the reader; each reading has connections of its own, which end with it. `after` answers what is aborted once so many
 * milliseconds have passed.
 */
export function createHttpsReader(
  systemProxy: SystemProxy,
  userAgent: string,
  after: (ms: number) => AbortSignal = AbortSignal.timeout,
): HttpsReader {
  const answerOf = async (dispatcher: Dispatcher, target: URL, signal: AbortSignal) =>
    request(target, {
      dispatcher,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': userAgent },
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      signal,
    })
  /** Follows redirects; `read` gets the answer at their end. */
  const opened = async <T>(address: URL, signal: AbortSignal, read: (answer: Opened) => Promise<T>) => {
    let target = address
    for (let turn = 0; turn <= MAX_REDIRECTS; turn += 1) {
      if (target.protocol !== 'https:') throw new Error(`${target.origin} is not reached over HTTPS, and is not asked`)
      const proxy = await systemProxy(target.origin)
      signal.throwIfAborted()
      const dispatcher = proxy
        ? proxyDispatcher(proxy, CONNECT_MS)
        : new Agent({ connect: guardedConnector(CONNECT_MS) })
      try {
        const answer = await answerOf(dispatcher, target, signal)
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
  const within = async <T>(
    maxMs: number,
    address: URL,
    signal: AbortSignal | undefined,
    read: (answer: Opened) => Promise<T>,
  ): Promise<T> => {
    const limit = after(maxMs)
    try {
      return await opened(address, signal ? AbortSignal.any([signal, limit]) : limit, read)
    } catch (error) {
      if (signal?.aborted || !limit.aborted) throw error
      throw new Error(`${address.origin} took longer than ${maxMs / 1000} s in all`, { cause: error })
    }
  }
  return {
    text: (address, maxBytes, signal) =>
      within(MAX_TEXT_MS, address, signal, async ({ body }) => {
        const parts: Buffer[] = []
        for await (const part of bounded(body, maxBytes)) parts.push(part)
        return Buffer.concat(parts).toString('utf8')
      }),
    file: (address, destination, { sha512, maxBytes, onProgress }, signal) =>
      within(MAX_FILE_MS, address, signal, async ({ body, headers }) => {
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
        if (sum.digest('base64') !== sha512) throw new Error('the file is not what was announced: its SHA-512 differs')
      }),
  }
}

type Opened = Dispatcher.ResponseData

function nextIn({ statusCode, headers }: Opened, from: URL): URL | undefined {
  if (statusCode < 300 || statusCode > 399) return undefined
  const { location } = headers
  const next = typeof location === 'string' ? URL.parse(location, from.href) : null
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
