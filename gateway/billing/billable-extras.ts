import type { Price } from './price.ts'
import type { SecondModelUsage } from './usage.ts'

/** How much of what it finds a web search reads: `search_context_size` of the request. */
export type SearchSize = 'low' | 'medium' | 'high'

/** An image request as it was asked for; `quality` is empty where the caller said nothing. */
export type ImageExtras = Readonly<{ size: string; quality: string; n: number }>

/** What a call may bring about besides plain text, as far as it is set aside beforehand. */
export type PotentialExtras = Readonly<{
  /** The prompt may be kept in a cache, for minutes or for an hour. */
  cacheLife?: 'minutes' | 'hour'
  /** Images or sound are part of the prompt, sound of the answer. */
  hasImages?: boolean
  hasAudioInput?: boolean
  hasAudioOutput?: boolean
  webSearches?: number
  fileSearches?: number
  containerGigabytes?: number
  secondModel?: SecondModelUsage | null
  /** Searches are Claude's. */
  isClaude?: boolean
  /** Service tiers that are asked for. */
  tiers?: readonly string[]
}>

/**
 * What was asked for beyond tokens, as far as it decides the price (docs/reference/billing.md#the-charge,
 * docs/reference/billing.md#images).
 */
export type BillableExtras = Readonly<{
  /** Factor of a price by the call: the number of answers asked for, `imagePriceFactor` for images; 1 where absent. */
  times?: number
  /** What it may bring about; nothing where absent. */
  possible?: PotentialExtras
  /** The context of the web searches; medium where absent. */
  webSearch?: Readonly<{ size: SearchSize }>
  /** The price of a model that the vendor may ask beside the call's own. */
  secondModel?: Price
  /** Said in the log row. */
  image?: ImageExtras
  /** A realtime session rather than one answer. */
  realtime?: boolean
  /** The answer was kept from an earlier request: its share of the price, 0 to 1, and how old it is. */
  cacheHit?: Readonly<{ ratio: number; ageSeconds: number }>
}>

/** Nothing beyond tokens. */
export const PLAIN: BillableExtras = {}
