import type { Price } from './price.ts'
import type { SecondModelUsage } from './usage.ts'

/** How much of the results of a web search the model reads: `search_context_size` of the request. */
export type SearchSize = 'low' | 'medium' | 'high'

/** An image request; `quality` is empty if the caller did not set it. */
export type ImageExtras = Readonly<{ size: string; quality: string; n: number }>

/** What may raise the cost of a request above that of its text; included in the reservation. */
export type PotentialExtras = Readonly<{
  /** How long the prompt may be cached. */
  cacheLife?: 'minutes' | 'hour'
  /** The prompt may contain images or audio; the response, audio. */
  hasImages?: boolean
  hasAudioInput?: boolean
  hasAudioOutput?: boolean
  webSearches?: number
  fileSearches?: number
  containerGigabytes?: number
  secondModel?: SecondModelUsage | null
  /** Searches are run by Claude. */
  isClaude?: boolean
  tiers?: readonly string[]
}>

/**
 * The priced parts of a request other than its tokens (docs/reference/billing.md#charge,
 * docs/reference/billing.md#images).
 */
export type BillableExtras = Readonly<{
  /** Multiplier of a per-call price: the number of choices requested, or `imagePriceFactor` for images; default 1. */
  times?: number
  possible?: PotentialExtras
  webSearch?: Readonly<{ size: SearchSize }>
  /** The price of a second model the vendor may call. */
  secondModel?: Price
  /** Shown in the log row. */
  image?: ImageExtras
  realtime?: boolean
  /** The response comes from the cache: the share of the price charged, 0 to 1, and the age of the entry. */
  cacheHit?: Readonly<{ ratio: number; ageSeconds: number }>
}>

export const PLAIN: BillableExtras = {}
