import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Context } from 'koa'
import { yieldToOthers } from '../../base/fair-yield.ts'
import type { ReadMemory } from '../../base/row-steps.ts'

/** Min bytes of a body that is compressed; a smaller one fits into one packet in any case. */
const MIN_BYTES = 1024
const pack = promisify(gzip)

/**
 * Serializes an envelope in steps, and compresses it outside the relay's thread if useful, so that it is sent in one
 * piece. Compressed envelopes, text and streams are unchanged. Throws if there is not enough memory.
 */
export async function squeeze(ctx: Context, memory: ReadMemory): Promise<void> {
  const { body } = ctx
  if (Buffer.isBuffer(body)) memory.grow(body.length)
  if (!isEnvelope(body)) return
  const text = await written(body)
  memory.grow(text.length)
  ctx.type = 'json'
  ctx.vary('Accept-Encoding')
  ctx.body = text
  if (text.length < MIN_BYTES || ctx.method === 'HEAD' || ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return
  ctx.body = await gzipped(text)
  ctx.set('Content-Encoding', 'gzip')
}

/** Characters of a list that are written before yielding. */
const STEP = 256 * 1024

/** Writes an envelope as JSON; lists row by row, yielding to the event loop between steps. */
async function written(envelope: object): Promise<Buffer> {
  const { data } = envelope as { data?: unknown }
  if (!Array.isArray(data)) return Buffer.from(JSON.stringify(envelope))
  const pieces: Buffer[] = []
  let piece = ''
  for (const row of data) {
    piece += `${piece === '' && pieces.length === 0 ? '' : ','}${JSON.stringify(row)}`
    if (piece.length < STEP) continue
    pieces.push(Buffer.from(piece))
    piece = ''
    await yieldToOthers()
  }
  const frame = JSON.stringify({ ...envelope, data: [MARK] })
  const start = frame.indexOf(`"${MARK}"`)
  const end = frame.slice(start + MARK.length + 2)
  return Buffer.concat([Buffer.from(frame.slice(0, start)), ...pieces, Buffer.from(piece + end)])
}

/** Placeholder for the rows of a list; `data` is the first member that may contain it. */
const MARK = 'the rows of the list'

/** Fast compression: most readers are on the local network. */
const gzipped = (text: Buffer): Promise<Buffer> => pack(text, { level: constants.Z_BEST_SPEED })

/** Whether a body is a plain object; Koa handles all other bodies. */
function isEnvelope(body: unknown): body is object {
  return Object.getPrototypeOf(Object(body)) === Object.prototype && typeof body === 'object'
}
