import { GatewayError } from '../../../base/errors.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'

/** Refuses a model that may not write down what is heard. */
type Admit = (model: string) => void
/** Told why the session may not go on. */
type Refused = (error: GatewayError) => void

/**
 * Who writes down what is heard: as the upstream says, or the caller has asked where that says nothing
 * (docs/reference/streams.md#realtime-sessions).
 */
export class Transcriber {
  #asked: string | undefined
  #told: string | null | undefined
  /** Why the one that the upstream has chosen may not. */
  #refusal: GatewayError | undefined
  readonly #admit: Admit
  readonly #refused: Refused

  constructor(admit: Admit, refused: Refused) {
    this.#admit = admit
    this.#refused = refused
  }

  get model(): string | undefined {
    return this.#told ?? this.#asked
  }

  get isAtWork(): boolean {
    return this.#told !== null && this.model !== undefined
  }

  /** Throws the refusal of a model that may not; of sound as well, where the upstream has chosen such a one and the caller none yet. */
  asked({ type, session }: JsonObject): void {
    const named = transcribersIn(session)
    for (const model of named) this.#admit(model)
    this.#asked = named.at(-1) ?? this.#asked
    if (type === 'input_audio_buffer.append' && this.#refusal && this.#asked === undefined) throw this.#refusal
  }

  /** One that may not has begun to write, which ends the session. */
  begins(): void {
    if (this.#refusal) this.#refused(this.#refusal)
  }

  /** A longer name of what was asked for, such as one with a date, has the price of that. */
  told(session: unknown): void {
    const named = transcribersIn(session).at(-1)
    if (named === undefined && !isUntranscribed(session)) return
    this.#refusal = undefined
    this.#told = named ?? null
    if (named === undefined) return
    try {
      this.#admit(named)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      this.#told = this.#asked
      if (this.#asked === undefined || !named.startsWith(this.#asked)) this.#refusal = error
    }
  }
}

/** The models that a session object names to write down what is heard, in the shapes of the general and of the beta interface. */
function transcribersIn(session: unknown): readonly string[] {
  const { audio, input_audio_transcription: beta } = objectIn(session)
  const named = [beta, objectIn(objectIn(audio).input).transcription]
  return named.flatMap((transcription) => textIn(objectIn(transcription).model) || [])
}

/** Whether a session object says that nothing is written down. */
function isUntranscribed(session: unknown): boolean {
  const { audio, input_audio_transcription: beta } = objectIn(session)
  return beta === null || objectIn(objectIn(audio).input).transcription === null
}
