import type { Estimate, ParsedEstimateRequest } from '../../../shared/api/pricing.ts'
import { AUTO_GROUP, DEFAULT_GROUP, isKnownGroup, mayUseGroup } from '../../accounts/groups.ts'
import { refuse } from '../../base/errors.ts'
import type { BillableExtras } from '../../billing/billable-extras.ts'
import { imagePriceFactor } from '../../billing/image-prices.ts'
import { chargeFor } from '../../billing/meter.ts'
import { type PricedUsage, receiptFacts, receiptText } from '../../billing/receipt-facts.ts'
import { type Usage, usageOf } from '../../billing/usage.ts'
import { type AdmitDeps, autoGroup, noChannel } from '../../relay/admission/admit.ts'

export type EstimateDeps = Pick<AdmitDeps, 'settings' | 'registry' | 'prices'>

export type EstimateFor = Readonly<{
  /** Empty for a visitor. */
  group: string
  acceptsUnset: boolean
  /** Also prices groups and models that the account may not use; for administrators. */
  isFree: boolean
}>

/**
 * The cost of a request, with the price, meter and receipt of real requests (docs/reference/api.md#pricing). No channel
 * is contacted, nothing is reserved or written. Throws in the same cases as the relay: a group that may not be used, a
 * model that is not offered or has no price.
 */
export function estimateOf(deps: EstimateDeps, request: ParsedEstimateRequest, account: EstimateFor): Estimate {
  const { settings, registry, prices } = deps
  const { model } = request
  const group = groupFor(deps, request, account)
  const isOffered = registry.tiers(group, model).length > 0
  if (!isOffered && !account.isFree) throw noChannel(model, group)
  const price = prices().find({
    model,
    userGroup: account.group,
    usingGroup: group,
    acceptUnset: account.acceptsUnset || settings.get('SelfUseModeEnabled'),
  })
  if (!price) throw refuse('invalid', 'relay.noPrice', { model })
  const priced = {
    usage: usageIn(request),
    price,
    quotaPerUnit: settings.get('QuotaPerUnit'),
    extras: extrasIn(request),
  }
  const quota = chargeFor(priced.usage, price, priced.quotaPerUnit, priced.extras)
  return {
    model_name: model,
    group,
    ...rowOf(priced, quota),
    total_quota: Number(smaller(BigInt(quota) * BigInt(request.requests), BigInt(Number.MAX_SAFE_INTEGER))),
    user_group: account.group,
    is_offered: isOffered,
  }
}

function groupFor(deps: EstimateDeps, { model, group }: ParsedEstimateRequest, account: EstimateFor): string {
  const requestedGroup = group || account.group || DEFAULT_GROUP
  if (requestedGroup === AUTO_GROUP) return autoGroup(deps, account.group, model)
  const mayUse = account.isFree || mayUseGroup(account.group, requestedGroup, deps.settings)
  if (!mayUse) throw refuse('forbidden', 'token.group_denied', { group: requestedGroup })
  const isOwn = requestedGroup === (account.group || DEFAULT_GROUP)
  if (!isOwn && !isKnownGroup(requestedGroup, deps.settings))
    throw refuse('forbidden', 'token.group_gone', { group: requestedGroup })
  return requestedGroup
}

/** The columns of the log row of such a request: its charge, its tokens, and the text and facts of its receipt. */
function rowOf(priced: PricedUsage, quota: number) {
  return {
    quota,
    prompt_tokens: priced.usage.prompt,
    completion_tokens: priced.usage.completion,
    content: receiptText(priced),
    other: JSON.stringify({ ...receiptFacts(priced), ended: 'complete' }),
  }
}

const usageIn = (request: ParsedEstimateRequest): Usage =>
  usageOf({
    prompt: request.prompt_tokens,
    completion: request.completion_tokens,
    cacheRead: request.cache_tokens,
    cacheWrite: request.cache_creation_tokens,
    cacheWriteHour: request.cache_creation_tokens_1h,
    imageInput: request.image_tokens,
    audioInput: request.audio_tokens,
    audioOutput: request.audio_completion_tokens,
    webSearches: request.web_search_calls,
    fileSearches: request.file_search_calls,
    semantics: request.semantics,
  })

/**
 * Some models have a price factor for images; for all others, the number of images multiplies the price, like the
 * number of choices.
 */
function extrasIn({
  model,
  images: n,
  image_size: size,
  image_quality: quality,
  search_context,
}: ParsedEstimateRequest) {
  const extras: BillableExtras = {
    times: imagePriceFactor({ model, size, quality, n }),
    webSearch: { size: search_context },
  }
  return size === '' && quality === '' ? extras : { ...extras, image: { size, quality, n } }
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
