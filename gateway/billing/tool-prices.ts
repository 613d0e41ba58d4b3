import { withoutVendor } from '../../shared/ratio-rules.ts'
import type { BillableExtras, SearchSize } from './billable-extras.ts'
import type { Price } from './price.ts'
import type { Usage } from './usage.ts'

/** The model of OpenAI's image tool if the call names none (OpenAI's API reference, "Responses": tools). */
export const IMAGE_TOOL_MODEL = 'gpt-image-2'

/**
 * OpenAI's image prices for `IMAGE_TOOL_MODEL` and later models, in dollars per million tokens: text 5, image 8, output
 * 30.
 */
export const IMAGE_TOOL_PRICE = {
  fixed: null,
  modelRatio: 2.5,
  completionRatio: 6,
  cacheRatio: 0.25,
  cacheWriteRatio: 1,
  cacheWriteHourRatio: 1,
  imageRatio: 1.6,
  audioRatio: null,
  audioCompletionRatio: 0,
  audioInputPrice: null,
  unset: false,
} as const satisfies Omit<Price, 'model' | 'groupRatio' | 'exclusiveRatio'>

/** US dollars per thousand file searches (docs/reference/billing.md#tools). */
export const FILE_SEARCH_PRICE = 2.5

/**
 * US dollars per thousand containers of one gigabyte; larger ones cost this per gigabyte
 * (docs/reference/billing.md#tools).
 */
export const CONTAINER_PRICE = 30

const CLAUDE_SEARCH_PRICE = 10
/** US dollars per thousand searches of OpenAI's `web_search` with any model; the results count as prompt tokens. */
const OPENAI_SEARCH_PRICE = 10
const GOOGLE_SEARCH_PRICE = 14
/** US dollars per thousand prompts, however many searches each makes, for models before Gemini 3. */
const GOOGLE_PROMPT_PRICE = 35
const PAID_BY_PROMPT = /^gemini-[12]/
/** OpenAI's chat models that search the web for every response. */
const SEARCH_MODEL = 'search-preview'
const LARGE_MODEL: Readonly<Record<SearchSize, number>> = { low: 30, medium: 35, high: 50 }
const SMALL_MODEL: Readonly<Record<SearchSize, number>> = { low: 25, medium: 27.5, high: 30 }

/**
 * US dollars per thousand web searches run by the vendor (docs/reference/billing.md#tools), or per thousand prompts for
 * older Gemini models. For OpenAI's models made for search, the price depends on how much the search reads.
 */
export function webSearchPrice(model: string, semantics: Usage['semantics'], size: SearchSize = 'medium'): number {
  if (semantics === 'anthropic' || model.includes('claude')) return CLAUDE_SEARCH_PRICE
  const own = withoutVendor(model)
  if (own.startsWith('gemini')) return PAID_BY_PROMPT.test(own) ? GOOGLE_PROMPT_PRICE : GOOGLE_SEARCH_PRICE
  if (!model.includes(SEARCH_MODEL)) return OPENAI_SEARCH_PRICE
  return (model.includes('mini') ? SMALL_MODEL : LARGE_MODEL)[size]
}

/** Whether a chat model searches the web once for every response, even if the request does not ask for it. */
export const searchesAlways = (model: string): boolean => /search-(preview|api)/.test(model)

/** How many of the searches of one response are charged (docs/reference/billing.md#tools). */
export const paidSearches = (model: string, webSearches: number): number =>
  PAID_BY_PROMPT.test(withoutVendor(model)) ? Math.min(webSearches, 1) : webSearches

/** How many of a usage's searches are charged; for a realtime session, that was decided response by response. */
export const chargedSearches = (
  { model }: Pick<Price, 'model'>,
  { webSearches }: Usage,
  extras: BillableExtras,
): number => (extras.realtime ? webSearches : paidSearches(model, webSearches))
