import type { Context } from 'koa'
import type { SentFile } from '../../../shared/api/call.ts'
import { Gathered } from '../../base/bytes/gathered.ts'
import { type GatewayError, refuse } from '../../base/errors.ts'
import { JsonTooLarge, readJson as readLongJson } from '../../base/json/json-read.ts'
import { type JsonBounds, MAX_NAME_LENGTH, MAX_NUMBER_LENGTH, scanNow } from '../../base/json/json-scan.ts'
import { MIN_RATE, TOO_SLOW } from '../../limits/body-pace.ts'

const MEBIBYTE = 1024 * 1024
/** Limits for most calls; the widest bodies are a batch of channel ids and a page of options. */
const bounds: JsonBounds = { values: 50_000, names: 10_000, depth: 64 }
/** Limits for calls that accept long bodies: uploaded files. */
const fileBounds: JsonBounds = { values: 1_000_000, names: 100_000, depth: 64 }
/** Bodies of calls that accept more mebibytes than this are parsed in slices. */
const MAX_AT_ONCE = 4
const words = { values: 'values', fields: 'keys', names: 'keys', depth: 'depth' } as const

export const UNPARSABLE = 'unparsable_json'

/** Throws, before the body is read, if the headers announce one that is longer or not uncompressed JSON. */
export function checkBodyHeaders(ctx: Context, mebibytes: number): void {
  const { headers } = ctx.req
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return
  if (Number(headers['content-length'] ?? 0) > mebibytes * MEBIBYTE) throw tooLarge(mebibytes)
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw refuse('invalid', 'input.body_json')
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw refuse('invalid', 'input.invalid', { reason: 'Content-Encoding: identity' })
}

/**
 * The body as a stream, for a call that accepts a file and limits it. Anything unread when the call responds is
 * discarded as it arrives, so that the response gets through.
 */
export function fileOf(ctx: Context): SentFile {
  const { req } = ctx
  const { 'content-encoding': encoding = 'identity', 'content-length': length, 'content-type': type } = req.headers
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/octet-stream')
    throw refuse('invalid', 'input.invalid', { reason: 'Content-Type: application/octet-stream' })
  if (encoding !== 'identity') throw refuse('invalid', 'input.invalid', { reason: 'Content-Encoding: identity' })
  return { chunks: chunksOf(req), length: length === undefined ? undefined : Number(length) }
}

async function* chunksOf(req: Context['req']): AsyncGenerator<Buffer> {
  const slow = Promise.withResolvers<never>()
  slow.promise.catch(() => {})
  req.once(TOO_SLOW, () => slow.reject(refuse('slow', 'relay.slowBody', { rate: MIN_RATE })))
  const chunks: AsyncIterator<Buffer> = req.iterator({ destroyOnReturn: false })
  const next = () =>
    chunks.next().catch((cause) => {
      throw refuse('invalid', 'import.broken_off', {}, { cause })
    })
  try {
    for (
      let one = await Promise.race([next(), slow.promise]);
      !one.done;
      one = await Promise.race([next(), slow.promise])
    )
      yield one.value
  } finally {
    req.resume()
  }
}

/** Reads and parses the body; checks its depth and its number of keys and values first. */
export async function readJson(ctx: Context, mebibytes: number): Promise<unknown> {
  const bytes = await readBytes(ctx, mebibytes)
  if (mebibytes > MAX_AT_ONCE) return readLong(bytes, mebibytes)
  checkShape(bytes)
  try {
    return parsedText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw unparsable(cause)
  }
}

/** Throws for a text with U+0000: a database removes it, so that two different names would be one. */
function parsedText(text: string): unknown {
  if (!text.includes('\\u0000')) return JSON.parse(text) as unknown
  return JSON.parse(text, (name, value: unknown) => {
    if (`${name}${typeof value === 'string' ? value : ''}`.includes('\0'))
      throw new SyntaxError('a text contains U+0000')
    return value
  }) as unknown
}

async function readLong(bytes: Buffer, mebibytes: number): Promise<unknown> {
  try {
    return (await readLongJson(bytes, fileBounds)).json
  } catch (cause) {
    throw cause instanceof JsonTooLarge ? tooLarge(mebibytes) : unparsable(cause)
  }
}

export function readBytes(ctx: Context, mebibytes: number): Promise<Buffer> {
  const { req } = ctx
  return new Promise((resolve, reject) => {
    // The caller disconnected while its permissions were checked: no further event comes.
    if (req.closed) return reject(unparsable(undefined))
    const gathered = new Gathered()
    req.on('data', (chunk: Buffer) => {
      if (gathered.size + chunk.length > mebibytes * MEBIBYTE) return reject(tooLarge(mebibytes))
      gathered.add(chunk)
      if (gathered.isShredded()) req.destroy()
    })
    req.once('end', () => resolve(gathered.take()))
    req.once(TOO_SLOW, () => reject(refuse('slow', 'relay.slowBody', { rate: MIN_RATE })))
    req.on('error', reject)
    req.once('close', () => reject(unparsable(undefined)))
  })
}

/** Scans the bytes once, so that a malicious body costs no more than its length. */
function checkShape(bytes: Buffer): void {
  const { excess, keys } = scanNow(bytes, bounds)
  if (excess === 'surrogates') throw refuse('invalid', 'input.invalid', { reason: 'JSON surrogates' })
  if (excess === 'name') throw refuse('invalid', 'input.invalid', { reason: `JSON key > ${MAX_NAME_LENGTH} bytes` })
  if (excess === 'number') throw refuse('invalid', 'input.invalid', { reason: `JSON number > ${MAX_NUMBER_LENGTH}` })
  const name = keys > bounds.names ? 'names' : excess
  if (name !== null) throw refuse('invalid', 'input.invalid', { reason: `JSON ${words[name]} > ${bounds[name]}` })
}

const unparsable = (cause: unknown): GatewayError =>
  refuse('invalid', 'input.invalid', { reason: 'JSON' }, { code: UNPARSABLE, cause })

/** The rest of the body is discarded as it arrives, so that the response gets through. */
const tooLarge = (mebibytes: number): GatewayError =>
  refuse('tooLarge', 'relay.tooLarge', { limit: `${mebibytes} MiB` })
