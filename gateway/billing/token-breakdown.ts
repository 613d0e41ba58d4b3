import type { Price } from './price.ts'
import type { Usage } from './usage.ts'

/** The tokens of a usage by price; every token is in exactly one part. */
export type TokenBreakdown = Readonly<{
  /** Prompt tokens at the plain price. */
  text: number
  cacheRead: number
  /** Cached for five minutes. */
  cacheWrite: number
  cacheWriteHour: number
  /** 0 if images cost what text does. */
  image: number
  /** 0 if audio costs what text does; likewise `audioOutput`. */
  audioInput: number
  completion: number
  audioOutput: number
}>

/**
 * Divides a usage into the parts its price distinguishes. A part that exceeds the remainder of its total is reduced to
 * it. Cached tokens are part of the prompt with `openai` semantics, and in addition to it with `anthropic` semantics
 * (docs/reference/billing.md#charge).
 */
export function breakdownOf(usage: Usage, price: Price): TokenBreakdown {
  const { prompt, completion } = usage
  const hasAudioPrice = price.audioRatio !== null || price.audioInputPrice !== null
  const audioInput = hasAudioPrice ? Math.min(usage.audioInput, prompt) : 0
  const audioOutput = price.audioRatio === null ? 0 : Math.min(usage.audioOutput, completion)
  const image = price.imageRatio === 1 ? 0 : Math.min(usage.imageInput, prompt - audioInput)
  const plain = prompt - audioInput - image
  const isInside = usage.semantics === 'openai'
  const cacheRead = isInside ? Math.min(usage.cacheRead, plain) : usage.cacheRead
  const written = isInside ? Math.min(usage.cacheWrite, plain - cacheRead) : usage.cacheWrite
  const cacheWriteHour = Math.min(usage.cacheWriteHour, written)
  return {
    text: isInside ? plain - cacheRead - written : plain,
    cacheRead,
    cacheWrite: written - cacheWriteHour,
    cacheWriteHour,
    image,
    audioInput,
    completion: completion - audioOutput,
    audioOutput,
  }
}

/** Without tokens, only a per-call price is charged (docs/reference/billing.md#charge). */
export const isNothing = (breakdown: TokenBreakdown): boolean =>
  breakdown.text + breakdown.completion + breakdown.cacheRead + breakdown.cacheWrite + breakdown.cacheWriteHour === 0 &&
  breakdown.image + breakdown.audioInput + breakdown.audioOutput === 0
