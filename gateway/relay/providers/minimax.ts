import { numberIn, objectIn, textIn } from '../../base/json/json.ts'
import { elsewhere } from './openai-family.ts'
import type { AnswerError, Provider } from './provider.ts'

/** Maps MiniMax's status codes (its API reference, "Error codes") to HTTP; all others are 502. */
const statuses: Readonly<Record<number, number>> = {
  1001: 504,
  1002: 429,
  1004: 401,
  1008: 402,
  1026: 400,
  1027: 400,
  1039: 429,
  1041: 429,
  2013: 400,
  2049: 401,
  2056: 429,
}

/** MiniMax: OpenAI's wire format at another path, with errors in `base_resp` of successful responses. */
export const minimax: Provider = {
  ...elsewhere({ chat: '/v1/text/chatcompletion_v2' }),
  errorIn(json): AnswerError | undefined {
    const { status_code, status_msg } = objectIn(objectIn(json).base_resp)
    const code = numberIn(status_code) ?? 0
    if (code === 0) return undefined
    return { status: statuses[code] ?? 502, message: textIn(status_msg) || `MiniMax status ${code}`, code }
  },
}
