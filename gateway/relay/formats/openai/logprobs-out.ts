import type { JsonObject } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { tokensOut } from '../log-probabilities.ts'

/** Log probabilities as a choice's `logprobs`, which has those of text and of refusals apart. */
export function logProbabilitiesOut({ tokens, isRefusal }: Extract<AnswerEvent, { type: 'logprobs' }>): Json {
  const list = tokensOut(tokens)
  return isRefusal ? { content: null, refusal: list } : { content: list, refusal: null }
}

/** The log probabilities of an answer's pieces, one after the other; the next ones are added to the lists of those `before`. */
export function merged(before: JsonObject | undefined, next: Json): JsonObject {
  const all = before ?? {}
  for (const name in next) {
    const [left, right] = [all[name], next[name]]
    if (!Array.isArray(right)) all[name] = right ?? left ?? null
    else if (!Array.isArray(left)) all[name] = [...right]
    else for (const token of right) left.push(token)
  }
  return all
}
