import { Gathered } from '../../base/bytes/gathered.ts'
import { readJson } from '../../base/json/json-read.ts'
import { answerBounds } from '../../base/json/json-scan.ts'
import type { Room } from '../intake/body-memory.ts'
import type { UpstreamReply } from '../model/answer.ts'
import { UpstreamError } from './upstream-error.ts'

const MIB = 1024 * 1024
/** The longest whole answer and the longest error body that are read (docs/reference/streams.md#time-outs). */
const ANSWER_LIMIT = 64 * MIB
const ERROR_LIMIT = 64 * 1024

/** The memory that a response may take while it is read. */
type ResponseMemory = Pick<Room, 'grow'>

/**
 * Reads a whole response. Throws `UpstreamError` if it breaks off, is too long or cannot be decompressed, and what `memory`
 * throws when it is exhausted.
 */
export const gatherAnswer = (reply: UpstreamReply, memory?: ResponseMemory, maxBytes = ANSWER_LIMIT): Promise<Buffer> =>
  gather(reply, maxBytes, 'refuse', memory)

/**
 * The JSON of a short answer, one of at most `mebibytes`; undefined where it is no JSON or has too much in it
 * (base/json-scan.ts). Throws like `gatherAnswer`.
 */
export async function gatherJson(reply: UpstreamReply, mebibytes = 1): Promise<unknown> {
  const bytes = await gather(reply, mebibytes * MIB, 'refuse')
  return readJson(bytes, answerBounds).then(
    ({ json }) => json,
    () => undefined,
  )
}

/**
 * Reads an answer piece by piece until `take` wants no more, after which its upstream is let go; answers whether it came to
 * its own end. Throws like `gatherAnswer`, and what `take` throws.
 */
export function gatherUntil(
  reply: UpstreamReply,
  take: (bytes: Buffer) => boolean,
  memory?: ResponseMemory,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let size = 0
    let isOver = false
    const leave = () => {
      isOver = true
      reply.abort()
    }
    reply.pipe({
      chunk(bytes) {
        if (isOver) return true
        size += bytes.length
        if (size > ANSWER_LIMIT) {
          leave()
          reject(new UpstreamError(502, 'the upstream sent a response that is too long'))
          return true
        }
        try {
          memory?.grow(size)
          if (take(bytes)) return true
          leave()
          resolve(false)
        } catch (cause) {
          leave()
          reject(cause)
        }
        return true
      },
      end: () => resolve(true),
      fail: (cause) => reject(transportError(cause)),
    })
  })
}

/** Reads the beginning of an error body as text; what is longer is cut, what breaks off is not used. */
export async function errorText(reply: UpstreamReply): Promise<string> {
  const bytes = await gather(reply, ERROR_LIMIT, 'cut').catch(() => Buffer.alloc(0))
  return bytes.toString('utf8')
}

/**
 * What undici throws, as an upstream error before anything has reached the caller: 504 for every time-out, else 502.
 * Whoever was asked and did not begin is not passed over for another, who would do the same work a second time.
 */
export function transportError(cause: unknown): UpstreamError {
  if (cause instanceof UpstreamError) return cause
  const timeout = timeouts[cause instanceof Error ? cause.name : '']
  if (timeout) return new UpstreamError(504, timeout.message, { transport: timeout.another, cause })
  return new UpstreamError(502, 'the upstream could not be reached', { transport: true, cause })
}

/** The names of undici's errors: what they mean, by which setting, and whether another channel may be asked. */
const timeouts: Readonly<Record<string, Readonly<{ message: string; another: boolean }>>> = {
  ConnectTimeoutError: {
    message: 'the connection to the upstream timed out (UPSTREAM_CONNECT_TIMEOUT)',
    another: true,
  },
  HeadersTimeoutError: { message: 'the upstream did not respond in time (UPSTREAM_HEADERS_TIMEOUT)', another: false },
  BodyTimeoutError: { message: 'the upstream stopped sending its response (STREAMING_TIMEOUT)', another: true },
}

function gather(
  reply: UpstreamReply,
  limit: number,
  tooLong: 'refuse' | 'cut',
  memory?: ResponseMemory,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gathered = new Gathered()
    reply.pipe({
      chunk(bytes) {
        gathered.add(bytes)
        try {
          if (gathered.isShredded()) throw new UpstreamError(502, 'the upstream sent its response in too many pieces')
          if (gathered.size <= limit) memory?.grow(gathered.size)
        } catch (cause) {
          reply.abort()
          reject(cause)
          return false
        }
        if (gathered.size <= limit) return true
        reply.abort()
        if (tooLong === 'cut') resolve(gathered.take().subarray(0, limit))
        else reject(new UpstreamError(502, 'the upstream sent a response that is too long'))
        return false
      },
      end: () => resolve(gathered.take()),
      fail: (cause) => reject(transportError(cause)),
    })
  })
}
