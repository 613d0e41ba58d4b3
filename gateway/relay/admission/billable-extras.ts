import { objectIn, objectsIn } from '../../base/json.ts'
import { imagePriceFactor } from '../../billing/image-prices.ts'
import { type ImageWork, PLAIN, type SearchSize, type Work } from '../../billing/work.ts'
import { choicesOf } from '../intake/choices.ts'
import { imageAskOf } from '../intake/image-options.ts'
import type { Call } from '../model/call.ts'

/**
 * What a call asks for beyond tokens, as far as it decides the price (docs/reference/billing.md#the-charge,
 * docs/reference/billing.md#images).
 */
export function workOf(call: Call): Work {
  const { endpoint, json, model } = call
  if (endpoint === 'images' || endpoint === 'image-edits') return drawing(imageAskOf(json, model), model)
  const choices = choicesOf(endpoint, json)
  const work = searchOf(call)
  return choices > 1 ? { ...work, times: choices } : work
}

function searchOf({ endpoint, json }: Call): Work {
  if (endpoint === 'chat') return searching(objectIn(json.web_search_options).search_context_size)
  if (endpoint !== 'responses') return PLAIN
  const search = objectsIn(json.tools).find(({ type }) => String(type).startsWith('web_search'))
  return searching(search?.search_context_size)
}

const drawing = (image: ImageWork, model: string): Work => ({ times: imagePriceFactor({ model, ...image }), image })

const searching = (size: unknown): Work => (isSize(size) ? { webSearch: { size } } : PLAIN)

const isSize = (size: unknown): size is SearchSize => size === 'low' || size === 'medium' || size === 'high'
