import type { SearchSize } from './billable-extras.ts'
import type { Price } from './price.ts'
import type { Usage } from './usage.ts'

/** What OpenAI's image tool draws with where the call names no model (OpenAI's API reference, "Responses": tools). */
export const IMAGE_TOOL_MODEL = 'gpt-image-2'

/** What OpenAI asks for pictures of that model and of those after it: dollars for a million tokens of text 5, image 8, output 30. */
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

/** US dollars for a thousand file searches (docs/reference/billing.md#tools). */
export const FILE_SEARCH_PRICE = 2.5

/** US dollars for a thousand containers of one gigabyte, which have that price for each gigabyte (docs/reference/billing.md#tools). */
export const CONTAINER_PRICE = 30

const CLAUDE_SEARCH_PRICE = 10
/** OpenAI's `web_search`, with whatever model; what the search finds is in the prompt's tokens. */
const OPENAI_SEARCH_PRICE = 10
const GOOGLE_SEARCH_PRICE = 14
/** Of models before Gemini 3, for a thousand prompts, however often each is searched for. */
const GOOGLE_PROMPT_PRICE = 35
const PAID_BY_PROMPT = /^gemini-[12]/
/** Of OpenAI's chat models that search for every answer. */
const SEARCH_MODEL = 'search-preview'
const LARGE_MODEL: Readonly<Record<SearchSize, number>> = { low: 30, medium: 35, high: 50 }
const SMALL_MODEL: Readonly<Record<SearchSize, number>> = { low: 25, medium: 27.5, high: 30 }

/**
 * US dollars for a thousand web searches that the vendor ran: one price by the vendor, but by how much the search
 * reads with the chat models that are made for it (docs/reference/billing.md#tools).
 */
export function webSearchPrice(model: string, semantics: Usage['semantics'], size: SearchSize = 'medium'): number {
  if (semantics === 'anthropic' || model.includes('claude')) return CLAUDE_SEARCH_PRICE
  if (model.startsWith('gemini')) return PAID_BY_PROMPT.test(model) ? GOOGLE_PROMPT_PRICE : GOOGLE_SEARCH_PRICE
  if (!model.includes(SEARCH_MODEL)) return OPENAI_SEARCH_PRICE
  return (model.includes('mini') ? SMALL_MODEL : LARGE_MODEL)[size]
}

/** Whether a chat model searches the web once for every answer, though no request says so. */
export const searchesAlways = (model: string): boolean => /search-(preview|api)/.test(model)

/** How many of the searches are paid for (docs/reference/billing.md#tools). */
export const paidSearches = (model: string, webSearches: number): number =>
  PAID_BY_PROMPT.test(model) ? Math.min(webSearches, 1) : webSearches
