import { GatewayError } from '../../../base/errors.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'

type Admit = (model: string) => void
/** Called with the reason if the session may not continue. */
type Refused = (error: GatewayError) => void

/**
 * The transcription model: as the upstream reports, or else as the caller requested
 * (docs/reference/streams.md#realtime-sessions).
 */
export class Transcriber {
  #requested: string | undefined
  #confirmed: string | null | undefined
  /** The refusal of the model that the upstream has chosen. */
  #refusal: GatewayError | undefined
  readonly #admit: Admit
  readonly #refused: Refused

  constructor(admit: Admit, refused: Refused) {
    this.#admit = admit
    this.#refused = refused
  }

  get model(): string | undefined {
    return this.#confirmed ?? this.#requested
  }

  get isAtWork(): boolean {
    return this.#confirmed !== null && this.model !== undefined
  }

  /**
   * Throws if a model may not transcribe; also for audio, if the upstream has chosen such a model and the caller none
   * yet.
   */
  requested({ type, session }: JsonObject): void {
    const named = transcribersIn(session)
    for (const model of named) this.#admit(model)
    this.#requested = named.at(-1) ?? this.#requested
    if (type === 'input_audio_buffer.append' && this.#refusal && this.#requested === undefined) throw this.#refusal
  }

  /** Ends the session if a model that may not transcribe has started to. */
  begins(): void {
    if (this.#refusal) this.#refused(this.#refusal)
  }

  /** A longer form of the requested name, such as one with a date, has the requested model's price. */
  confirmed(session: unknown): void {
    const named = transcribersIn(session).at(-1)
    if (named === undefined && !isUntranscribed(session)) return
    this.#refusal = undefined
    this.#confirmed = named ?? null
    if (named === undefined) return
    try {
      this.#admit(named)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      this.#confirmed = this.#requested
      if (this.#requested === undefined || !named.startsWith(this.#requested)) this.#refusal = error
    }
  }
}

/** The transcription models of a session object, in the shapes of the general and of the beta interface. */
function transcribersIn(session: unknown): readonly string[] {
  const { audio, input_audio_transcription: beta } = objectIn(session)
  const named = [beta, objectIn(objectIn(audio).input).transcription]
  return named.flatMap((transcription) => textIn(objectIn(transcription).model) || [])
}

function isUntranscribed(session: unknown): boolean {
  const { audio, input_audio_transcription: beta } = objectIn(session)
  return beta === null || objectIn(objectIn(audio).input).transcription === null
}
