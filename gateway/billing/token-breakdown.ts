import type { Price } from './price.ts'
import type { Usage } from './usage.ts'

/** The tokens of a usage by what they cost: every token is in one part, none in two. */
export type TokenBreakdown = Readonly<{
  /** Prompt at the plain price. */
  text: number
  cacheRead: number
  /** Kept for five minutes. */
  cacheWrite: number
  cacheWriteHour: number
  /** 0 where images cost what text does. */
  image: number
  /** 0 where sound costs what text does, as `audioOutput`. */
  audioInput: number
  /** Completion at the completion ratio. */
  completion: number
  audioOutput: number
}>

/**
 * Divides a usage as its price tells tokens apart. A part that claims more than its whole has left is cut to that;
 * what a cache holds lies within the prompt with `openai` semantics and beside it with `anthropic` ones
 * (docs/reference/billing.md#the-charge).
 */
export function breakdownOf(usage: Usage, price: Price): TokenBreakdown {
  const { prompt, completion } = usage
  const hears = price.audioRatio !== null || price.audioInputPrice !== null
  const audioInput = hears ? Math.min(usage.audioInput, prompt) : 0
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

/** No token at all: nothing is charged but a price by the call (docs/reference/billing.md#the-charge). */
export const isNothing = (breakdown: TokenBreakdown): boolean =>
  breakdown.text + breakdown.completion + breakdown.cacheRead + breakdown.cacheWrite + breakdown.cacheWriteHour === 0 &&
  breakdown.image + breakdown.audioInput + breakdown.audioOutput === 0
