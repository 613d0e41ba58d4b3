import { Gathered } from '../../base/bytes/gathered.ts'
import { readJson } from '../../base/json/json-read.ts'
import { answerBounds } from '../../base/json/json-scan.ts'
import type { MemoryShare } from '../intake/body-memory.ts'
import type { UpstreamReply } from '../model/answer.ts'
import { OversizeAnswer, UpstreamError } from './upstream-error.ts'

const MIB = 1024 * 1024
/** The longest complete response and the longest error body that are read (docs/reference/streams.md#time-outs). */
const ANSWER_LIMIT = 64 * MIB
const ERROR_LIMIT = 64 * 1024

type ResponseMemory = Pick<MemoryShare, 'grow'>

/**
 * Reads a whole response. Throws `UpstreamError` if it breaks off, is too long (`OversizeAnswer` beyond 64 MiB),
 * arrives in too many pieces or cannot be decompressed, and what `memory` throws when it is exhausted.
 */
export const gatherAnswer = (reply: UpstreamReply, memory?: ResponseMemory, maxBytes = ANSWER_LIMIT): Promise<Buffer> =>
  gather(reply, maxBytes, 'refuse', memory)

/**
 * The JSON of a response of at most `mebibytes`; undefined if it is invalid or over the limits
 * (base/json/json-scan.ts). Throws like `gatherAnswer`.
 */
export async function gatherJson(reply: UpstreamReply, mebibytes = 1): Promise<unknown> {
  const bytes = await gather(reply, mebibytes * MIB, 'refuse')
  return readJson(bytes, answerBounds).then(
    ({ json }) => json,
    () => undefined,
  )
}

/**
 * Reads a response until `take` returns false, and then aborts the upstream; returns whether it was read to its end.
 * Throws like `gatherAnswer`, and what `take` throws.
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
          reject(new OversizeAnswer())
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

/** Reads the beginning of an error body as text; longer ones are cut, and one that breaks off is ignored. */
export async function errorText(reply: UpstreamReply): Promise<string> {
  const bytes = await gather(reply, ERROR_LIMIT, 'cut').catch(() => Buffer.alloc(0))
  return bytes.toString('utf8')
}

/**
 * Converts errors of undici to upstream errors: 504 for timeouts, else 502. After a timeout waiting for the response
 * headers, no other channel is tried, since it would do the same work again.
 */
export function transportError(cause: unknown): UpstreamError {
  if (cause instanceof UpstreamError) return cause
  const timeout = timeouts[cause instanceof Error ? cause.name : '']
  if (timeout) return new UpstreamError(504, timeout.message, { transport: timeout.another, cause })
  return new UpstreamError(502, 'the upstream could not be reached', { transport: true, cause })
}

/** Errors of undici: the message, the setting that applies, and whether another channel may be tried. */
const timeouts: Readonly<Record<string, Readonly<{ message: string; another: boolean }>>> = {
  ConnectTimeoutError: {
    message: 'the connection to the upstream timed out (UPSTREAM_CONNECT_TIMEOUT)',
    another: true,
  },
  HeadersTimeoutError: { message: 'the upstream did not respond in time (UPSTREAM_HEADERS_TIMEOUT)', another: false },
  BodyTimeoutError: { message: 'the upstream stopped sending its response (STREAMING_TIMEOUT)', another: true },
}

const tooLongError = () => new UpstreamError(502, 'the upstream sent a response that is too long')

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
        else reject(limit === ANSWER_LIMIT ? new OversizeAnswer() : tooLongError())
        return false
      },
      end: () => resolve(gathered.take()),
      fail: (cause) => reject(transportError(cause)),
    })
  })
}

/**
 * The memory of a response that the vendor has made. An account whose other, unread responses take much of the memory
 * pays for a response that finds no memory left.
 */
export class BilledMemory implements MemoryShare {
  readonly #share: MemoryShare

  constructor(share: MemoryShare) {
    this.#share = share
  }

  grow(bytes: number): void {
    try {
      this.#share.grow(bytes)
    } catch (cause) {
      throw this.isMuchOfAccount ? new OversizeAnswer(undefined, true, UNREAD_OTHERS) : cause
    }
  }

  giveBack(): void {
    this.#share.giveBack()
  }

  get isMuchOfAccount(): boolean {
    return this.#share.isMuchOfAccount
  }
}

const UNREAD_OTHERS = 'other responses of this account take the memory for responses: read them first'
