import { SLIP_MARK, slipIn } from '../formats/gemini/finish.ts'
import { type AnswerError, MODEL_SLIP, type Provider } from './provider.ts'

const MAX_LENGTH = 300

/**
 * Treats a response without content as an error if the model failed, for example with a malformed call; a stream is
 * passed as the list of its responses.
 */
function errorIn(json: unknown): AnswerError | undefined {
  const slip = slipIn(Array.isArray(json) ? json : [json])
  if (slip === undefined) return undefined
  const message = `the model gave no answer: ${slip}`.slice(0, MAX_LENGTH)
  return { status: 502, message, type: 'server_error', code: MODEL_SLIP }
}

/** Detects such responses of both of Google's services (docs/reference/selection.md#retries). */
export const slips: Pick<Provider, 'errorIn' | 'errorMark'> = { errorIn, errorMark: SLIP_MARK }
