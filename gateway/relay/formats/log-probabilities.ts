import { isObject, numberIn, objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import type { Json } from './codec.ts'

/** A token that was or could have been said, and how likely it was: the natural logarithm of its probability. */
type ScoredToken = Readonly<{
  token: string
  logprob: number
  /** The UTF-8 of the token; undefined where nobody told it. */
  bytes?: readonly number[] | undefined
}>

/** A token of an answer with the likeliest in its place, among which it may be itself. */
export type SaidToken = ScoredToken & Readonly<{ top: readonly ScoredToken[] }>

/** How many of the likeliest tokens a vendor tells at most, OpenAI and Google alike. */
export const MAX_TOP = 20

/**
 * The tokens of a list that OpenAI's two dialects have in the same form (its API reference, "Log probability"): entries
 * without a token or a number are none.
 */
export const tokensIn = (list: unknown): readonly SaidToken[] =>
  objectsIn(list).flatMap((entry) => {
    const scored = scoredIn(entry)
    return scored ? [{ ...scored, top: objectsIn(entry.top_logprobs).flatMap((each) => scoredIn(each) ?? []) }] : []
  })

/** Tokens as such a list has them. */
export const tokensOut = (tokens: readonly SaidToken[]): readonly Json[] =>
  tokens.map(({ top, ...token }) => ({ ...scoredOut(token), top_logprobs: top.map(scoredOut) }))

/** The log probabilities of `logprobsResult` (Gemini API, "LogprobsResult"), whose two lists have an entry for each token. */
export function resultIn(value: Json): readonly SaidToken[] {
  const tops = objectsIn(value.topCandidates)
  return objectsIn(value.chosenCandidates).flatMap((chosen, place) => {
    const scored = candidateIn(chosen)
    const top = objectsIn(objectIn(tops[place]).candidates).flatMap((each) => candidateIn(each) ?? [])
    return scored ? [{ ...scored, top }] : []
  })
}

/** Tokens as a `logprobsResult`; without the likeliest where none are told. */
export function resultOut(tokens: readonly SaidToken[]): Json {
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

/** A token that is a piece of a character has no text to tell its bytes by. */
const scoredOut = ({ token, logprob, bytes }: ScoredToken): Json => ({
  token,
  logprob,
  bytes: bytes ?? (token.includes('\ufffd') ? [] : [...Buffer.from(token)]),
})

/** Google's spelling, in either of its cases. */
function candidateIn(value: Json): ScoredToken | undefined {
  if (!isObject(value)) return undefined
  const token = textIn(value.token)
  const logprob = numberIn(value.logProbability ?? value.log_probability)
  return token === undefined || logprob === undefined ? undefined : { token, logprob }
}

const candidateOut = ({ token, logprob }: ScoredToken): Json => ({ token, logProbability: logprob })
