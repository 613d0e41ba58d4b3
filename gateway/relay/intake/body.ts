import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { Gathered } from '../../base/bytes/gathered.ts'
import { unpackers } from '../../base/bytes/unpackers.ts'
import { refuse } from '../../base/errors.ts'
import { MIN_RATE, TOO_SLOW } from '../../limits/body-pace.ts'
import type { MemoryShare } from './body-memory.ts'

const MIB = 1024 * 1024
/** The largest body, both compressed and decompressed (docs/reference/limits.md#bodies). */
export const BODY_LIMIT = 128 * MIB
const UNPACKED_RATIO = 100

/**
 * Reads and decompresses a request's body of at most `max` bytes. Throws if it is too large, too slow, a decompression
 * bomb, incomplete, undecodable, or over the memory budget.
 */
export async function readBody(request: IncomingMessage, budget: MemoryShare, max = BODY_LIMIT): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge(max)
  // After one microtask, a body that came with its headers has been read and can be taken synchronously.
  if (!request.complete) await undefined
  const isHere = request.complete && !request.destroyed
  const bytes = isHere ? takeFrom(request, budget, max) : await gather(request, max, (size) => budget.grow(size))
  if (encoding === 'identity' || encoding === '') return bytes
  const unpack = unpackers.get(encoding)
  if (!unpack) throw refuse('unsupported', 'relay.unsupportedEncoding')
  const limit = Math.min(max, Math.max(bytes.length * UNPACKED_RATIO, MIB))
  return gather(
    pipeline(Readable.from([bytes]), unpack(), () => {}),
    limit,
    (size) => budget.grow(bytes.length + size),
  )
}

function takeFrom(request: IncomingMessage, budget: MemoryShare, max: number): Buffer {
  const bytes: Buffer = request.read() ?? NOTHING
  if (bytes.length > max) throw tooLarge(max)
  budget.grow(bytes.length)
  return bytes
}

const NOTHING = Buffer.alloc(0)

function gather(source: Readable, limit: number, grow: (size: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (source.closed) return reject(cutOff())
    const gathered = new Gathered()
    source.on('data', (chunk: Buffer) => {
      try {
        gathered.add(chunk)
        if (gathered.isShredded()) return void source.destroy(new Error('the body arrives in too many pieces'))
        if (gathered.size > limit) throw tooLarge(limit)
        grow(gathered.size)
      } catch (error) {
        source.removeAllListeners('data')
        source.pause()
        reject(error)
      }
    })
    source.on('end', () => resolve(gathered.take()))
    source.once(TOO_SLOW, () => {
      source.removeAllListeners('data')
      source.pause()
      reject(refuse('slow', 'relay.slowBody', { rate: MIN_RATE }, { code: 'read_request_body_failed' }))
    })
    source.on('error', (cause) =>
      reject(refuse('invalid', 'relay.badRequest', { reason: 'the body could not be read' }, { cause })),
    )
    source.on('close', () => {
      if (!source.readableEnded) reject(cutOff())
    })
  })
}

const cutOff = () => refuse('invalid', 'relay.badRequest', { reason: 'the body is incomplete' })

const tooLarge = (limit: number) =>
  refuse(
    'tooLarge',
    'relay.tooLarge',
    { limit: limit < MIB ? `${limit / 1024} KiB` : `${Math.floor(limit / MIB)} MiB` },
    { code: 'read_request_body_failed' },
  )
