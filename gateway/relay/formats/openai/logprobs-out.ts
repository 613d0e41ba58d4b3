import type { Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { tokensOut } from '../log-probabilities.ts'

/** Log probabilities as a choice's `logprobs`, which has those of text and of refusals apart. */
export function logProbabilitiesOut({ tokens, isRefusal }: Extract<AnswerEvent, { type: 'logprobs' }>): Json {
  const list = tokensOut(tokens)
  return isRefusal ? { content: null, refusal: list } : { content: list, refusal: null }
}

/** The log probabilities of an answer's pieces, one after the other. */
export function merged(before: Json | undefined, next: Json): Json {
  if (!before) return next
  const all = { ...before }
  for (const name in next) {
    const [left, right] = [before[name], next[name]]
    all[name] = Array.isArray(left) && Array.isArray(right) ? [...left, ...right] : (right ?? left)
  }
  return all
}
