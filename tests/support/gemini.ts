import { allFigures, type Figures, type Said, textOf } from './said.ts'

/** Gemini's thought signature, which must be sent back with its call. */
export const GEMINI_SEAL = 'c2VhbC1vZi1nZW1pbmk='

/** A complete GenerateContentResponse; `null` leaves the usage out. */
export const geminiAnswer = (said: Said, figures: Figures | null = {}) =>
  responseOf([...thoughtParts(said), ...textParts(textOf(said)), ...callParts(said)], 'STOP', figures)

/** The response as a stream: one response per piece, each call in one piece, output tokens in the last response. */
export function geminiStream(said: Said, figures: Figures | null = {}): object[] {
  const pieces = [...thoughtParts(said), ...(said.texts ?? []).flatMap(textParts)].map((part) => [part])
  const calls = callParts(said)
  const all = calls.length > 0 ? [...pieces, calls] : pieces
  const begun = figures && { ...figures, completion: 0, reasoning: 0 }
  return all.map((parts, index) =>
    index < all.length - 1 ? responseOf(parts, undefined, begun) : responseOf(parts, 'STOP', figures),
  )
}

/** Usage in Gemini's form: thinking tokens separate from the candidates', figures of 0 left out. */
export function geminiUsage(figures: Figures) {
  const { prompt, completion, cached, reasoning } = allFigures(figures)
  const written = completion - reasoning
  return {
    promptTokenCount: prompt,
    ...(written > 0 ? { candidatesTokenCount: written } : {}),
    totalTokenCount: prompt + completion,
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
    ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
  }
}

export const geminiError = (code: number, status: string, message: string) => ({ error: { code, message, status } })

function responseOf(parts: readonly object[], finishReason: string | undefined, figures: Figures | null) {
  return {
    candidates: [{ content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}), index: 0 }],
    ...(figures ? { usageMetadata: geminiUsage(figures) } : {}),
    modelVersion: 'as-the-vendor-calls-it',
    responseId: 'response-1',
  }
}

const thoughtParts = ({ thoughts }: Said): object[] =>
  thoughts === undefined ? [] : [{ text: thoughts, thought: true }]

const textParts = (text: string): object[] => (text === '' ? [] : [{ text }])

/** Only the first of parallel calls is signed. */
const callParts = ({ calls = [] }: Said): object[] =>
  calls.map(({ name, arguments: args }, index) => ({
    functionCall: { name, args },
    ...(index === 0 ? { thoughtSignature: GEMINI_SEAL } : {}),
  }))
