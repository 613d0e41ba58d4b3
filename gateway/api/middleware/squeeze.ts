import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Context } from 'koa'

/** Below this a packet is a packet, packed or not. */
const MIN_BYTES = 1024
const pack = promisify(gzip)

/**
 * Writes an envelope down and packs it where that is worth it, once and off the relay's thread, so that it leaves in one
 * piece. What is packed already, text and streams are left as they are.
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

/** Packed quickly: most who read it stand in the same house. */
const gzipped = (text: Buffer): Promise<Buffer> => pack(text, { level: constants.Z_BEST_SPEED })

/** Koa would write down any other object as well. */
function isEnvelope(body: unknown): body is object {
  return Object.getPrototypeOf(Object(body)) === Object.prototype && typeof body === 'object'
}
