import { objectIn } from '../../../base/json.ts'
import type { AnswerFrame, Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { audioFormat } from './audio-format.ts'
import { wavOf } from './wav.ts'

/** Gathers what a choice says aloud into the `audio` of its message. */
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
   * Undefined where nothing was said. It cannot be asked for again: it expires as it is made. Vendors that answer with
   * bare samples have them put into the WAV file that the client asked for.
   */
  write(frame: AnswerFrame): Json | undefined {
    if (this.pieces.length === 0 && this.transcript === undefined) return undefined
    const id = this.id ?? `audio_${frame.id}`
    return { id, data: this.data(frame), expires_at: frame.created, transcript: this.transcript ?? '' }
  }

  /** All the sound, in the container that was asked for where that can be made. */
  private data({ request }: AnswerFrame): string {
    const data = joined(this.pieces)
    const wantsWav = objectIn(request.audio).format === 'wav' && audioFormat(this.mime) === 'pcm16'
    return wantsWav && data ? wavOf(data, this.mime) : data
  }
}

/** Pieces of base64 as one: each may have padding of its own. */
function joined(pieces: readonly string[]): string {
  const [first = '', ...more] = pieces
  if (more.length === 0) return first
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
}
