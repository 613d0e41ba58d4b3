import { type IFormat, parseBuffer } from 'music-metadata'
import { bySize, MAX_SECONDS } from './recording-size.ts'

const HEADER = 16

/** Signatures of the formats that vendors transcribe, with the type for the parser; no other parser is ever run. */
const starts: readonly (readonly [number, RegExp, string])[] = [
  [0, /^RIFF....WAVE/s, 'audio/wav'],
  [0, /^fLaC/, 'audio/flac'],
  [4, /^ftyp/, 'audio/mp4'],
  [0, /^OggS/, 'audio/ogg'],
  [0, /^.E\xdf\xa3/s, 'audio/webm'],
  [0, /^FORM....AIF[FC]/s, 'audio/aiff'],
  [0, /^\xff[\xe0-\xff]/, 'audio/mpeg'],
]

/**
 * Returns the seconds of an uploaded recording, from 0 to 24 hours: by its content, or as MP3 if only the sender
 * declares that type, and otherwise by its size; never less than its bytes take at the max bit rate of its format
 * (docs/reference/tokens.md#recordings). Never throws. A malicious file can take minutes, so this must run in a thread
 * that can be terminated.
 */
export async function audioSeconds(bytes: Buffer, mime?: string): Promise<number> {
  const seconds = amrSeconds(bytes) ?? (await parsedSeconds(bytes, mime))
  return Math.min(MAX_SECONDS, Math.max(0, seconds ?? bySize(bytes.length)))
}

/** Returns the duration in the file or the sum of its frames; undefined if it is neither given nor computable. */
async function parsedSeconds(bytes: Buffer, mime: string | undefined): Promise<number | undefined> {
  const audio = withoutTags(bytes)
  const mimeType = typeOf(audio, audio === bytes ? mime : 'audio/mpeg')
  if (mimeType === undefined) return undefined
  const format = await formatOf(audio, mimeType)
  const claimed = format.duration && Number.isFinite(format.duration) ? format.duration : undefined
  const size = Math.max(0, audio.length - HEADERS)
  const exactRate = mimeType === 'audio/wav' ? pcmRate(audio) : 0
  if (exactRate > 0) return Math.max(claimed ?? 0, size / exactRate)
  return claimed === undefined ? undefined : Math.max(claimed, size / maxRate(format))
}

async function formatOf(audio: Buffer, mimeType: string): Promise<Partial<IFormat>> {
  const options = { duration: true, skipCovers: true, skipPostHeaders: true }
  try {
    return (await parseBuffer(audio, { size: audio.length, mimeType }, options)).format
  } catch {
    return {}
  }
}

/** Removes ID3v2 tags before the audio: a tag can have millions of frames, and they are not used. */
function withoutTags(bytes: Buffer): Buffer {
  let audio = bytes
  while (audio.toString('latin1', 0, 3) === 'ID3' && audio.length >= TAG_HEADER) {
    // Four bytes of seven bits each; a flag means that the header is repeated after the tag.
    const length = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((audio[at] ?? 0) & 127), 0)
    const hasFooter = ((audio[5] ?? 0) & 16) !== 0
    audio = audio.subarray(TAG_HEADER + length + (hasFooter ? TAG_HEADER : 0))
  }
  return audio
}

const TAG_HEADER = 10

/** Returns the parser's type; MPEG frames have no reliable signature, so the sender's type is used. */
function typeOf(bytes: Buffer, mime = ''): string | undefined {
  const header = bytes.toString('latin1', 0, HEADER)
  const known = starts.find(([at, magic]) => magic.test(header.slice(at)))?.[2]
  return known ?? (/^audio\/(mpeg|mp3|aac)\b/i.test(mime) ? 'audio/mpeg' : undefined)
}

/**
 * Bytes of headers in a well-formed file: they do not count, so that a recording of whole seconds is not counted as a
 * second longer.
 */
const HEADERS = 4096

const KILOBIT = 125
const rates = { mp3: 320 * KILOBIT, packed: 512 * KILOBIT, lossless: 1536 * KILOBIT, studio: 9216 * KILOBIT } as const

/** Returns the max bytes per second of a format, since a length claimed by the file would determine its own price. */
function maxRate(format: Partial<IFormat>): number {
  if (format.container === 'MPEG') return rates.mp3
  // WAV is treated as lossless, whatever its header claims.
  if (!format.lossless && format.container !== 'WAVE') return rates.packed
  const { sampleRate = 0, numberOfChannels = 0, bitsPerSample = 0 } = format
  return Math.min(rates.studio, Math.max(rates.lossless, (sampleRate * numberOfChannels * bitsPerSample) / 8))
}

/**
 * Returns the bytes per second of an uncompressed WAV; 0 for others. It is played at exactly that rate, whatever sizes
 * it claims.
 */
function pcmRate(bytes: Buffer): number {
  let at = 12
  while (at + FORMAT <= bytes.length && bytes.toString('latin1', at, at + 4) !== 'fmt ') {
    const size = bytes.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  if (at + FORMAT > bytes.length || bytes.readUInt16LE(at + 8) !== PCM) return 0
  return (bytes.readUInt16LE(at + 10) * bytes.readUInt32LE(at + 12) * bytes.readUInt16LE(at + 22)) / 8
}

const FORMAT = 24
const PCM = 1

const FRAMES_PER_SECOND = 50

/** Bytes of a frame by its type, including the type byte; a frame without speech is one byte (RFC 4867 §5.3). */
const formats = [
  { magic: Buffer.from('#!AMR\n'), frames: [13, 14, 16, 18, 20, 21, 27, 32, 6] },
  { magic: Buffer.from('#!AMR-WB\n'), frames: [18, 24, 33, 37, 41, 47, 51, 59, 61, 6] },
] as const

/**
 * Returns the seconds of a single-channel AMR or AMR-WB recording, by its number of 20 ms frames; undefined for any
 * other file.
 */
function amrSeconds(bytes: Buffer): number | undefined {
  const format = formats.find(({ magic }) => bytes.subarray(0, magic.length).equals(magic))
  if (format === undefined) return undefined
  let count = 0
  for (let at = format.magic.length; at < bytes.length; count += 1)
    at += format.frames[((bytes[at] ?? 0) >> 3) & 15] ?? 1
  return count / FRAMES_PER_SECOND
}
