import { objectIn, objectsIn } from '../../base/json.ts'
import { type BillableExtras, type ImageExtras, PLAIN, type SearchSize } from '../../billing/billable-extras.ts'
import { imagePriceFactor } from '../../billing/image-prices.ts'
import { choicesOf } from '../intake/choices.ts'
import { drawnBy, isDrawn } from '../intake/image-options.ts'
import type { Call } from '../model/call.ts'

/**
 * What a call asks for beyond tokens, as far as it decides the price (docs/reference/billing.md#the-charge,
 * docs/reference/billing.md#images).
 */
export function billableExtrasOf(call: Call): BillableExtras {
  const { endpoint, json, model } = call
  if (isDrawn(endpoint)) return drawing(drawnBy(call), model)
  const choices = choicesOf(endpoint, json)
  const extras = searchOf(call)
  return choices > 1 ? { ...extras, times: choices } : extras
}

function searchOf({ endpoint, json }: Call): BillableExtras {
  if (endpoint === 'chat') return searching(objectIn(json.web_search_options).search_context_size)
  if (endpoint !== 'responses') return PLAIN
  const search = objectsIn(json.tools).find(({ type }) => String(type).startsWith('web_search'))
  return searching(search?.search_context_size)
}

const drawing = (image: ImageExtras, model: string): BillableExtras => ({
  times: imagePriceFactor({ model, ...image }),
  image,
})

const searching = (size: unknown): BillableExtras => (isSize(size) ? { webSearch: { size } } : PLAIN)

const isSize = (size: unknown): size is SearchSize => size === 'low' || size === 'medium' || size === 'high'
