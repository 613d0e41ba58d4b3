import type { JsonObject } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { tokensOut } from '../log-probabilities.ts'

/** Writes the `logprobs` of a choice, which lists those of text and of refusals separately. */
export function logProbabilitiesOut({ tokens, isRefusal }: Extract<AnswerEvent, { type: 'logprobs' }>): Json {
  const list = tokensOut(tokens)
  return isRefusal ? { content: null, refusal: list } : { content: list, refusal: null }
}

/** Appends the next log probabilities to the lists in `before`, which is modified. */
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
