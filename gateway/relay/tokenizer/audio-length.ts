import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_SECONDS = 24 * 3600
const BYTES_PER_SECOND = 16_000
const CHUNK = 2048
const TIMEOUT_MS = 5000
const TOKENS_PER_MINUTE = 1000
const HEADER = 16

/** How the formats begin that vendors transcribe, by the type their parser goes by; no other parser is ever run. */
const starts: readonly (readonly [number, RegExp, string])[] = [
  [0, /^RIFF....WAVE/s, 'audio/wav'],
  [0, /^fLaC/, 'audio/flac'],
  [4, /^ftyp/, 'audio/mp4'],
  [0, /^OggS/, 'audio/ogg'],
  [0, /^.E\xdf\xa3/s, 'audio/webm'],
  [0, /^FORM....AIF[FC]/s, 'audio/aiff'],
  [0, /^(ID3|\xff[\xe0-\xff])/, 'audio/mpeg'],
]

/**
 * Seconds of an uploaded recording, from 0 to 24 hours: by its content, or as MP3 where only the sender says so, and
 * where that does not tell at 16,000 bytes a second (docs/reference/tokens.md#recordings). Never throws, and yields to
 * the event loop.
 */
export async function audioSeconds(bytes: Buffer, mime?: string): Promise<number> {
  const seconds = amrSeconds(bytes) ?? (await parsedSeconds(bytes, typeOf(bytes, mime)))
  return Math.min(MAX_SECONDS, Math.max(0, seconds ?? bytes.length / BYTES_PER_SECOND))
}

/**
 * What speech recognition is billed by the minute: a thousand tokens for each, over whole seconds
 * (docs/reference/tokens.md#recordings).
 */
export const whisperTokens = (seconds: number): number => Math.round((Math.ceil(seconds) / 60) * TOKENS_PER_MINUTE)

/** The parser's type; a stream of MPEG frames may begin with anything, so there the sender's word is taken. */
function typeOf(bytes: Buffer, mime = ''): string | undefined {
  const header = bytes.toString('latin1', 0, HEADER)
  const known = starts.find(([at, magic]) => magic.test(header.slice(at)))?.[2]
  return known ?? (/^audio\/(mpeg|mp3|aac)\b/i.test(mime) ? 'audio/mpeg' : undefined)
}

/** Duration as the file says or as its frames add up to; a file that claims none has not told. */
async function parsedSeconds(bytes: Buffer, mimeType: string | undefined): Promise<number | undefined> {
  if (mimeType === undefined) return undefined
  const stream = Readable.from(inChunks(bytes, AbortSignal.timeout(TIMEOUT_MS)), { objectMode: false })
  try {
    const { parseStream } = await import('music-metadata')
    const options = { duration: true, skipCovers: true, skipPostHeaders: true }
    const { format } = await parseStream(stream, { size: bytes.length, mimeType }, options)
    return format.duration && Number.isFinite(format.duration) ? format.duration : undefined
  } catch {
    return undefined
  } finally {
    stream.destroy()
  }
}

/** A parser over a whole buffer would run to its end without a pause: a crafted file holds the event loop for seconds. */
async function* inChunks(bytes: Buffer, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    await nextTurn()
    signal.throwIfAborted()
    yield bytes.subarray(at, at + CHUNK)
  }
}

const FRAMES_PER_SECOND = 50

/** Bytes of a frame by its type, the type's own byte included; what has no speech is one byte (RFC 4867 §5.3). */
const formats = [
  { magic: Buffer.from('#!AMR\n'), frames: [13, 14, 16, 18, 20, 21, 27, 32, 6] },
  { magic: Buffer.from('#!AMR-WB\n'), frames: [18, 24, 33, 37, 41, 47, 51, 59, 61, 6] },
] as const

/** Seconds of a single-channel AMR or AMR-WB recording, counted by its frames of 20 ms; undefined for any other file. */
export function amrSeconds(bytes: Buffer): number | undefined {
  const format = formats.find(({ magic }) => bytes.subarray(0, magic.length).equals(magic))
  if (format === undefined) return undefined
  let count = 0
  for (let at = format.magic.length; at < bytes.length; count += 1)
    at += format.frames[((bytes[at] ?? 0) >> 3) & 15] ?? 1
  return count / FRAMES_PER_SECOND
}
