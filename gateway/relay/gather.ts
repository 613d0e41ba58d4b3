import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { UpstreamReply } from './exchange.ts'
import { UpstreamError } from './upstream-error.ts'

const MIB = 1024 * 1024
/** The longest whole answer and the longest error body that are read (design/reliability-security.md §5). */
const ANSWER_LIMIT = 64 * MIB
const ERROR_LIMIT = 64 * 1024

/** Reads a whole answer; throws `UpstreamError` when it breaks off, is too long, or is packed in a way nobody asked for. */
export async function gatherAnswer(reply: UpstreamReply): Promise<Buffer> {
  const bytes = await gather(reply, ANSWER_LIMIT, 'refuse')
  return unpacked(bytes, reply.headers['content-encoding'])
}

/** Reads the beginning of an error body as text; what is longer is cut, what breaks off is used as far as it came. */
export async function errorText(reply: UpstreamReply): Promise<string> {
  const bytes = await gather(reply, ERROR_LIMIT, 'cut').catch(() => Buffer.alloc(0))
  return bytes.toString('utf8')
}

/** What undici throws, as an upstream error: 504 for every time-out, else 502; both before any byte of an answer. */
export function transportError(cause: unknown): UpstreamError {
  const name = cause instanceof Error ? cause.name : ''
  const timedOut = name === 'ConnectTimeoutError' || name === 'HeadersTimeoutError' || name === 'BodyTimeoutError'
  if (timedOut)
    return new UpstreamError(504, 'the upstream did not answer in time', {
      transport: name === 'ConnectTimeoutError',
      cause,
    })
  return new UpstreamError(502, 'the upstream could not be reached', { transport: true, cause })
}

function gather(reply: UpstreamReply, limit: number, tooLong: 'refuse' | 'cut'): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const whole = () => (chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks))
    reply.pipe({
      chunk(bytes) {
        size += bytes.length
        chunks.push(bytes)
        if (size <= limit) return true
        reply.abort()
        if (tooLong === 'cut') resolve(whole().subarray(0, limit))
        else reject(new UpstreamError(502, 'the upstream sent an answer that is too long'))
        return false
      },
      end: () => resolve(whole()),
      fail: (cause) => reject(transportError(cause)),
    })
  })
}

/** Nothing packed is asked for; an upstream that packs all the same is read if it used gzip, within the limit. */
async function unpacked(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (!encoding || encoding === 'identity') return bytes
  if (encoding !== 'gzip') throw new UpstreamError(502, 'the upstream sent an answer in an unknown encoding')
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of pipeline(Readable.from([bytes]), createGunzip(), () => {}) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > ANSWER_LIMIT) throw new Error('too long')
      chunks.push(chunk)
    }
  } catch (cause) {
    throw new UpstreamError(502, 'the upstream sent an answer that could not be unpacked', { cause })
  }
  return Buffer.concat(chunks)
}
