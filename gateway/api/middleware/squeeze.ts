import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Context } from 'koa'

/** A smaller body fits into one packet in any case. */
const MIN_BYTES = 1024
const pack = promisify(gzip)

/**
 * Serializes an envelope and compresses it if useful, outside the relay's thread, so that it is sent in one piece.
 * Compressed envelopes, text and streams are unchanged.
 */
export async function squeeze(ctx: Context): Promise<void> {
  const { body } = ctx
  if (!isEnvelope(body)) return
  const text = Buffer.from(JSON.stringify(body))
  ctx.type = 'json'
  ctx.vary('Accept-Encoding')
  ctx.body = text
  if (text.length < MIN_BYTES || ctx.method === 'HEAD' || ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return
  ctx.body = await gzipped(text)
  ctx.set('Content-Encoding', 'gzip')
}

/** Fast compression: most readers are on the local network. */
const gzipped = (text: Buffer): Promise<Buffer> => pack(text, { level: constants.Z_BEST_SPEED })

/** Koa would serialize any other object too. */
function isEnvelope(body: unknown): body is object {
  return Object.getPrototypeOf(Object(body)) === Object.prototype && typeof body === 'object'
}
