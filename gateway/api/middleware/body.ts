import type { Context } from 'koa'
import { type GatewayError, refuse } from '../../base/errors.ts'
import { LEAST_RATE, TOO_SLOW } from '../../limits/body-pace.ts'

const MOST_BYTES = 1024 * 1024
const DEEPEST = 64
const MOST_KEYS = 10_000

/** The code of a refusal whose cause is a body that is not JSON. */
export const UNPARSABLE = 'unparsable_json'

/** Refuses bodies in any other form than plain JSON of at most 1 MiB, before anything of them is read. */
export function checkBodyHeaders(ctx: Context): void {
  const { headers } = ctx.req
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return
  if (Number(headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge()
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw refuse('invalid', 'input.body_json')
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw refuse('invalid', 'input.invalid', { reason: 'Content-Encoding: identity' })
}

/** Reads and parses the body; its depth and its number of keys are bounded before it is parsed. */
export async function readJson(ctx: Context): Promise<unknown> {
  const text = await readText(ctx)
  checkShape(text)
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw unparsable(cause)
  }
}

async function readText(ctx: Context): Promise<string> {
  const bytes = await readBytes(ctx)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
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
      if (size <= MOST_BYTES) chunks.push(chunk)
      else reject(tooLarge())
    })
    req.once('end', () => resolve(Buffer.concat(chunks)))
    req.once(TOO_SLOW, () => reject(refuse('slow', 'relay.slowBody', { rate: LEAST_RATE })))
    req.on('error', reject)
    req.once('close', () => reject(unparsable(undefined)))
  })
}

/** One pass over the text outside of strings, so that a bomb costs no more than its length. */
function checkShape(text: string): void {
  let depth = 0
  let keys = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:]/gs)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    else if (token === ':') keys += 1
    if (depth > DEEPEST) throw refuse('invalid', 'input.invalid', { reason: `JSON depth > ${DEEPEST}` })
    if (keys > MOST_KEYS) throw refuse('invalid', 'input.invalid', { reason: `JSON keys > ${MOST_KEYS}` })
  }
}

const unparsable = (cause: unknown): GatewayError =>
  refuse('invalid', 'input.invalid', { reason: 'JSON' }, { code: UNPARSABLE, cause })

/** The rest of the body is thrown away as it comes, so that the answer arrives. */
const tooLarge = (): GatewayError => refuse('tooLarge', 'relay.tooLarge', { limit: '1 MiB' })
