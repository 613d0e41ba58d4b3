import type { BillableExtras } from './billable-extras.ts'
import { usagePrice } from './meter.ts'
import { decimalProduct, type Price } from './price.ts'
import { breakdownOf, type TokenBreakdown } from './token-breakdown.ts'
import { CONTAINER_PRICE, chargedSearches, FILE_SEARCH_PRICE, webSearchPrice } from './tool-prices.ts'
import type { Usage } from './usage.ts'

export type PricedUsage = Readonly<{ usage: Usage; price: Price; quotaPerUnit: number; extras: BillableExtras }>

/**
 * The part of a log row's `other` that explains its charge, under the keys of docs/reference/billing.md#receipts. With
 * the row's prompt and completion, `receiptOf` (shared/receipt.ts) computes the same charge from it.
 */
export function receiptFacts({ price: listed, ...used }: PricedUsage) {
  const priced = { ...used, price: usagePrice(used.usage, listed) }
  const { usage, price, quotaPerUnit, extras } = priced
  const breakdown = breakdownOf(usage, price)
  return {
    model_ratio: price.modelRatio,
    group_ratio: price.groupRatio,
    completion_ratio: price.completionRatio,
    ...callFacts(price, extras),
    user_group_ratio: price.exclusiveRatio ?? -1,
    ...cacheFacts(breakdown, price),
    ...mediaFacts(priced, breakdown),
    ...toolFacts(usage, price, extras),
    ...(usage.semantics === 'anthropic' ? { claude: true } : {}),
    ...(usage.reasoning > 0 ? { reasoning_tokens: usage.reasoning } : {}),
    quota_per_unit: quotaPerUnit,
    usage_source: usage.source,
    usage_semantics: usage.semantics,
    ...(price.unset ? { unset_price: true } : {}),
    ...(price.step ? { price_step: price.step.above } : {}),
    ...(price.tier ? { service_tier: price.tier.name, service_tier_ratio: price.tier.ratio } : {}),
    ...hitFacts(extras),
  }
}

const hitFacts = ({ cacheHit }: BillableExtras) =>
  cacheHit ? { cache_hit: true, cache_hit_ratio: cacheHit.ratio, cache_hit_age: cacheHit.ageSeconds } : {}

/** The description of a charge in a log row (docs/reference/billing.md#receipts). */
export function receiptText({ usage, price: listed, extras }: PricedUsage): string {
  const price = usagePrice(usage, listed)
  const parts = [price.fixed === null ? ratiosOf(price) : callText(price.fixed, price, extras)]
  if (extras.image) parts.push(imageText(extras.image))
  if (usage.webSearches > 0) parts.push(searchText(usage, price, extras))
  if (usage.fileSearches > 0) parts.push(`file search ${usage.fileSearches} calls`)
  if (usage.containerGigabytes > 0) parts.push(`code containers ${usage.containerGigabytes} GB`)
  if (usage.secondModel && extras.secondModel)
    parts.push(`${extras.secondModel.model} beside it ${usage.secondModel.calls} calls`)
  if (price.fixed === null && price.audioInputPrice !== null && usage.audioInput > 0)
    parts.push(`audio input ${usage.audioInput} tokens at $${price.audioInputPrice} per million`)
  if (price.step) parts.push(`prompt above ${price.step.above} tokens`)
  if (price.tier) parts.push(`service tier ${price.tier.name} × ${price.tier.ratio}`)
  if (extras.cacheHit) parts.push(`cache hit × ${extras.cacheHit.ratio}`)
  if (usage.prompt + usage.completion === 0 && price.fixed === null)
    parts.push('no usage: the upstream may have timed out')
  return parts.join(', ')
}

/** Cached per price: price objects are shared by requests. */
const ratioTexts = new WeakMap<Price, string>()

function ratiosOf(price: Price): string {
  const known = ratioTexts.get(price)
  if (known !== undefined) return known
  const { modelRatio, completionRatio, groupRatio } = price
  const ratios = `model ratio ${modelRatio.toFixed(2)}, completion ratio ${completionRatio.toFixed(2)}`
  const text = `${ratios}, group ratio ${groupRatio.toFixed(2)}`
  ratioTexts.set(price, text)
  return text
}

const callText = (fixed: number, { groupRatio }: Price, extras: BillableExtras): string =>
  `model price ${callPrice(fixed, extras).toFixed(2)}, group ratio ${groupRatio.toFixed(2)}`

/**
 * The price of a call, -1 for pricing by ratio; its unit price and multiplier are only listed if the multiplier is not
 * 1.
 */
function callFacts(price: Price, extras: BillableExtras) {
  if (price.fixed === null) return { model_price: -1 }
  const times = extras.times ?? 1
  return {
    model_price: callPrice(price.fixed, extras),
    ...(times === 1 ? {} : { model_unit_price: price.fixed, price_times: times }),
  }
}

/** A price without a multiplier keeps all its digits. */
const callPrice = (dollars: number, { times = 1 }: BillableExtras): number =>
  times === 1 ? dollars : decimalProduct(dollars, times)

function cacheFacts({ cacheRead, cacheWrite, cacheWriteHour }: TokenBreakdown, price: Price) {
  const written = cacheWrite + cacheWriteHour
  return {
    cache_tokens: cacheRead,
    cache_ratio: price.cacheRatio,
    ...(written > 0 ? { cache_creation_tokens: written, cache_creation_ratio: price.cacheWriteRatio } : {}),
    ...(cacheWriteHour > 0
      ? { cache_creation_tokens_1h: cacheWriteHour, cache_creation_ratio_1h: price.cacheWriteHourRatio }
      : {}),
  }
}

/**
 * Images and audio. The keys are those of related gateways: `image_output` counts prompt images, and `seperate` is
 * their spelling.
 */
function mediaFacts({ usage, price, extras }: PricedUsage, { image, audioInput, audioOutput }: TokenBreakdown) {
  const isSeparate = price.fixed === null && price.audioInputPrice !== null && audioInput > 0
  return {
    ...(image > 0 ? { image: true, image_ratio: price.imageRatio, image_output: image } : {}),
    ...(isSeparate
      ? {
          audio_input_seperate_price: true,
          audio_input_token_count: audioInput,
          audio_input_price: price.audioInputPrice,
        }
      : {}),
    ...(price.audioRatio === null
      ? {}
      : {
          ...(extras.realtime ? { ws: true } : {}),
          audio: true,
          audio_input: audioInput,
          audio_output: audioOutput,
          text_input: usage.prompt - audioInput,
          text_output: usage.completion - audioOutput,
          audio_ratio: price.audioRatio,
          audio_completion_ratio: price.audioCompletionRatio,
        }),
  }
}

function toolFacts(usage: Usage, price: Price, extras: BillableExtras) {
  return {
    ...(usage.webSearches > 0
      ? {
          web_search: true,
          web_search_call_count: chargedSearches(price, usage, extras),
          web_search_price: webSearchPrice(price.model, usage.semantics, extras.webSearch?.size),
        }
      : {}),
    ...(usage.fileSearches > 0
      ? { file_search: true, file_search_call_count: usage.fileSearches, file_search_price: FILE_SEARCH_PRICE }
      : {}),
    ...(usage.containerGigabytes > 0
      ? {
          code_interpreter: true,
          code_interpreter_call_count: usage.containerGigabytes,
          code_interpreter_price: CONTAINER_PRICE,
        }
      : {}),
    ...secondModelFacts(usage, extras),
  }
}

function secondModelFacts({ secondModel }: Usage, { secondModel: listed }: BillableExtras) {
  if (!secondModel || !listed) return {}
  const price = usagePrice(secondModel.tokens, listed)
  const { text, cacheRead, cacheWrite, cacheWriteHour, image, completion } = breakdownOf(secondModel.tokens, price)
  return {
    second_model: {
      model: price.model,
      calls: secondModel.calls,
      prompt_tokens: text,
      cache_tokens: cacheRead,
      cache_creation_tokens: cacheWrite,
      cache_creation_tokens_1h: cacheWriteHour,
      image_tokens: image,
      completion_tokens: completion,
      model_price: price.fixed ?? -1,
      model_ratio: price.modelRatio,
      cache_ratio: price.cacheRatio,
      cache_creation_ratio: price.cacheWriteRatio,
      cache_creation_ratio_1h: price.cacheWriteHourRatio,
      image_ratio: price.imageRatio,
      completion_ratio: price.completionRatio,
    },
  }
}

const imageText = ({ size, quality, n }: NonNullable<BillableExtras['image']>): string =>
  [size === '' ? '' : `size ${size}`, quality === '' ? '' : `quality ${quality}`, `n ${n}`].filter(Boolean).join(', ')

function searchText(usage: Usage, price: Price, extras: BillableExtras): string {
  const { webSearch } = extras
  const dollars = webSearchPrice(price.model, usage.semantics, webSearch?.size)
  return `web search ${chargedSearches(price, usage, extras)} calls, context ${webSearch?.size ?? 'medium'}, $${dollars} per thousand`
}
