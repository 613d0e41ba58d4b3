import { objectIn } from '../../base/json/json.ts'
import { SLIP_MARK, slipIn } from '../formats/gemini/finish.ts'
import { usageIn } from '../formats/gemini/usage.ts'
import { type AnswerError, MODEL_SLIP, type Provider } from './provider.ts'

const MAX_LENGTH = 300

/**
 * Treats a response without content as an error if the model failed, for example with a malformed call; a stream is
 * passed as the list of its responses. The vendor bills the usage of such a response (Gemini API, "Billing": only
 * statuses 400 and 500 are free).
 */
function errorIn(json: unknown): AnswerError | undefined {
  const responses: readonly unknown[] = Array.isArray(json) ? json : [json]
  const slip = slipIn(responses)
  if (slip === undefined) return undefined
  const message = `the model gave no answer: ${slip}`.slice(0, MAX_LENGTH)
  const usage = responses.map((one) => usageIn(objectIn(one).usageMetadata, 0)).findLast((one) => one !== undefined)
  return { status: 502, message, type: 'server_error', code: MODEL_SLIP, usage }
}

/**
 * Detects responses that ended with a mistake by the model, from both of Google's services
 * (docs/reference/selection.md#retries).
 */
export const slips: Pick<Provider, 'errorIn' | 'errorMark'> = { errorIn, errorMark: SLIP_MARK }
