import { objectIn, own } from '../../../base/json/json.ts'
import type { AnswerFrame, Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'

/** OpenAI names audio by format, all others by media type. */
const mimes: Readonly<Record<string, string>> = { pcm16: 'audio/pcm', opus: 'audio/ogg' }
const audioFormats: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/pcm': 'pcm16',
  'audio/l16': 'pcm16',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
}

/** Returns the media type of a format (`wav`, `mp3`): docs/reference/conversion.md#media-types. */
export const audioMime = (format: string): string => own(mimes, format) ?? `audio/${format}`

export function audioFormat(mime: string): string {
  const [type = ''] = mime.toLowerCase().split(';', 1)
  return own(audioFormats, type) ?? type.replace(/^audio\//, '')
}

/** Base64 of the first bytes of possible audio formats. */
const beginnings: readonly (readonly [string, string])[] = [
  ['UklGR', 'audio/wav'],
  ['SUQz', 'audio/mp3'],
  ['//v', 'audio/mp3'],
  ['//N', 'audio/mp3'],
  ['//P', 'audio/aac'],
  ['//H', 'audio/aac'],
  ['T2dnU', 'audio/ogg'],
  ['ZkxhQ', 'audio/flac'],
]

/**
 * Returns the media type of audio output by its first bytes, since responses do not name it. Samples without a header
 * are PCM.
 */
export const spokenMime = (data: string): string =>
  beginnings.find(([beginning]) => data.startsWith(beginning))?.[1] ?? 'audio/pcm'

const BITS = 16
const HEADER = 44
const DEFAULT_RATE = 24_000

/**
 * Converts PCM samples (16 bits, little-endian, one channel) to a WAV file; both in base64. The rate is taken from the
 * media type.
 */
function wavOf(samples: string, mime: string): string {
  const body = Buffer.from(samples, 'base64')
  const rate = Number(/rate=(\d{4,6})/.exec(mime)?.[1] ?? DEFAULT_RATE)
  const header = Buffer.alloc(HEADER)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(HEADER - 8 + body.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE((rate * BITS) / 8, 28)
  header.writeUInt16LE(BITS / 8, 32)
  header.writeUInt16LE(BITS, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(body.length, 40)
  return Buffer.concat([header, body]).toString('base64')
}

export class Speech {
  private readonly pieces: string[] = []
  private transcript: string | undefined
  private id: string | undefined
  private mime = ''

  add(event: Extract<AnswerEvent, { type: 'media' }>): void {
    if (event.data) this.pieces.push(event.data)
    this.id ??= event.id
    if (event.data) this.mime ||= event.mime
    if (event.transcript !== undefined) this.transcript = (this.transcript ?? '') + event.transcript
  }

  /**
   * Returns undefined without audio. Its `expires_at` is the time of the response, since later requests cannot refer to
   * the audio. Bare samples of vendors are wrapped as a WAV file if the client requested that.
   */
  write(frame: AnswerFrame): Json | undefined {
    if (this.pieces.length === 0 && this.transcript === undefined) return undefined
    const id = this.id ?? `audio_${frame.id}`
    return { id, data: this.data(frame), expires_at: frame.created, transcript: this.transcript ?? '' }
  }

  private data({ request }: AnswerFrame): string {
    const data = joined(this.pieces)
    const wantsWav = objectIn(request.audio).format === 'wav' && audioFormat(this.mime) === 'pcm16'
    return wantsWav && data ? wavOf(data, this.mime) : data
  }
}

function joined(pieces: readonly string[]): string {
  const [first = '', ...more] = pieces
  if (more.length === 0) return first
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
}
