import { GatewayError } from '../../../base/errors.ts'
import { objectIn, textIn } from '../../../base/json.ts'

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

  /** Throws the refusal of a model that may not. */
  asked(session: unknown): void {
    const named = transcribersIn(session)
    for (const model of named) this.#admit(model)
    this.#asked = named.at(-1) ?? this.#asked
  }

  /** A model that may not, and that the caller has not asked for, ends the session; else it is a name of what was asked for. */
  told(session: unknown): void {
    const named = transcribersIn(session).at(-1)
    if (named === undefined) {
      if (isUntranscribed(session)) this.#told = null
      return
    }
    try {
      this.#admit(named)
      this.#told = named
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      if (this.#asked === undefined) this.#refused(error)
      this.#told = this.#asked
    }
  }
}

/** The models that a session object names to write down what is heard, in the shapes of the general and of the beta interface. */
function transcribersIn(session: unknown): readonly string[] {
  const { audio, input_audio_transcription: beta } = objectIn(session)
  const named = [beta, objectIn(objectIn(audio).input).transcription]
  return named.flatMap((transcription) => textIn(objectIn(transcription).model) ?? [])
}

/** Whether a session object says that nothing is written down. */
function isUntranscribed(session: unknown): boolean {
  const { audio, input_audio_transcription: beta } = objectIn(session)
  return beta === null || objectIn(objectIn(audio).input).transcription === null
}
