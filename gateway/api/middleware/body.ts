import type { Context } from 'koa'
import { type GatewayError, refuse } from '../../base/errors.ts'
import { type JsonBounds, scanNow } from '../../base/json-scan.ts'
import { MIN_RATE, TOO_SLOW } from '../../limits/body-pace.ts'

const MAX_BYTES = 1024 * 1024
/** The widest bodies are a batch of channel ids and a page of options. */
const bounds: JsonBounds = { values: 50_000, names: 10_000, depth: 64 }
const words = { values: 'values', names: 'keys', depth: 'depth' } as const

/** The code of a refusal whose cause is a body that is not JSON. */
export const UNPARSABLE = 'unparsable_json'

/** Refuses bodies in any other form than plain JSON of at most 1 MiB, before anything of them is read. */
export function checkBodyHeaders(ctx: Context): void {
  const { headers } = ctx.req
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge()
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw refuse('invalid', 'input.body_json')
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw refuse('invalid', 'input.invalid', { reason: 'Content-Encoding: identity' })
}

/** Reads and parses the body; its depth and how many keys and values it has are bounded before it is parsed. */
export async function readJson(ctx: Context): Promise<unknown> {
  const bytes = await readBytes(ctx)
  checkShape(bytes)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch (cause) {
    throw unparsable(cause)
  }
}

function readBytes(ctx: Context): Promise<Buffer> {
  const { req } = ctx
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_BYTES) chunks.push(chunk)
      else reject(tooLarge())
    })
    req.once('end', () => resolve(Buffer.concat(chunks)))
    req.once(TOO_SLOW, () => reject(refuse('slow', 'relay.slowBody', { rate: MIN_RATE })))
    req.on('error', reject)
    req.once('close', () => reject(unparsable(undefined)))
  })
}

/** One walk over the bytes, so that a bomb costs no more than its length. */
function checkShape(bytes: Buffer): void {
  const { excess, keys } = scanNow(bytes, bounds)
  const name = keys > bounds.names ? 'names' : excess
  if (name !== null) throw refuse('invalid', 'input.invalid', { reason: `JSON ${words[name]} > ${bounds[name]}` })
}

const unparsable = (cause: unknown): GatewayError =>
  refuse('invalid', 'input.invalid', { reason: 'JSON' }, { code: UNPARSABLE, cause })

/** The rest of the body is thrown away as it comes, so that the answer arrives. */
const tooLarge = (): GatewayError => refuse('tooLarge', 'relay.tooLarge', { limit: '1 MiB' })
