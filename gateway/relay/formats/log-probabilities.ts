import { isObject, numberIn, objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import type { Json } from './codec.ts'
import type { ScoredToken, ScoredTokenWithTop } from './events.ts'

export const MAX_TOP = 20

/**
 * Reads the list that OpenAI's two dialects share (its API reference, "Log probability"); ignores entries without a
 * token or a number.
 */
export const tokensIn = (list: unknown): readonly ScoredTokenWithTop[] =>
  objectsIn(list).flatMap((entry) => {
    const scored = scoredIn(entry)
    return scored ? [{ ...scored, top: objectsIn(entry.top_logprobs).flatMap((each) => scoredIn(each) ?? []) }] : []
  })

export const tokensOut = (tokens: readonly ScoredTokenWithTop[]): readonly Json[] =>
  tokens.map(({ top, ...token }) => ({ ...scoredOut(token), top_logprobs: top.map(scoredOut) }))

/** Reads `logprobsResult` (Gemini API, "LogprobsResult"), whose two lists have an entry for each token. */
export function resultIn(value: Json): readonly ScoredTokenWithTop[] {
  const tops = objectsIn(value.topCandidates)
  return objectsIn(value.chosenCandidates).flatMap((chosen, index) => {
    const scored = candidateIn(chosen)
    const top = objectsIn(objectIn(tops[index]).candidates).flatMap((each) => candidateIn(each) ?? [])
    return scored ? [{ ...scored, top }] : []
  })
}

export function resultOut(tokens: readonly ScoredTokenWithTop[]): Json {
  const hasTop = tokens.some(({ top }) => top.length > 0)
  return {
    chosenCandidates: tokens.map(candidateOut),
    ...(hasTop ? { topCandidates: tokens.map(({ top }) => ({ candidates: top.map(candidateOut) })) } : {}),
  }
}

function scoredIn({ token, logprob, bytes }: Json): ScoredToken | undefined {
  const score = numberIn(logprob)
  if (typeof token !== 'string' || score === undefined) return undefined
  return { token, logprob: score, ...(isBytes(bytes) ? { bytes } : {}) }
}

const isBytes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((byte) => typeof byte === 'number')

/** The bytes of a token that is a piece of a character cannot be derived from its text. */
const scoredOut = ({ token, logprob, bytes }: ScoredToken): Json => ({
  token,
  logprob,
  bytes: bytes ?? (token.includes('\ufffd') ? [] : [...Buffer.from(token)]),
})

function candidateIn(value: Json): ScoredToken | undefined {
  if (!isObject(value)) return undefined
  const token = textIn(value.token)
  const logprob = numberIn(value.logProbability ?? value.log_probability)
  return token === undefined || logprob === undefined ? undefined : { token, logprob }
}

const candidateOut = ({ token, logprob }: ScoredToken): Json => ({ token, logProbability: logprob })
