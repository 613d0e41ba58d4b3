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

/** For whom a request is priced. */
export type EstimateFor = Readonly<{
  /** Empty for a visitor. */
  group: string
  acceptsUnset: boolean
  /** Groups and models that the account could not use are priced all the same: for administrators. */
  isFree: boolean
}>

/**
 * What a request would cost, by the price, the meter and the receipt of real ones (docs/reference/api.md#pricing).
 * Nothing is asked, held or written. Refuses as the relay would: a group that may not be used, a model that nobody offers
 * or that has no price.
 */
export function estimateOf(deps: EstimateDeps, ask: ParsedEstimateRequest, account: EstimateFor): Estimate {
  const { settings, registry, prices } = deps
  const { model } = ask
  const group = groupFor(deps, ask, account)
  const isOffered = registry.tiers(group, model).length > 0
  if (!isOffered && !account.isFree) throw noChannel(model, group)
  const price = prices().find({
    model,
    userGroup: account.group,
    usingGroup: group,
    acceptUnset: account.acceptsUnset || settings.get('SelfUseModeEnabled'),
  })
  if (!price) throw refuse('invalid', 'relay.noPrice', { model })
  const priced = { usage: usageIn(ask), price, quotaPerUnit: settings.get('QuotaPerUnit'), extras: extrasIn(ask) }
  const quota = chargeFor(priced.usage, price, priced.quotaPerUnit, priced.extras)
  return {
    model_name: model,
    group,
    ...rowOf(priced, quota),
    total_quota: Number(smaller(BigInt(quota) * BigInt(ask.requests), BigInt(Number.MAX_SAFE_INTEGER))),
    user_group: account.group,
    is_offered: isOffered,
  }
}

function groupFor(deps: EstimateDeps, { model, group }: ParsedEstimateRequest, account: EstimateFor): string {
  const asked = group || account.group || DEFAULT_GROUP
  if (asked === AUTO_GROUP) return autoGroup(deps, account.group, model)
  const mayUse = account.isFree || mayUseGroup(account.group, asked, deps.settings)
  if (!mayUse) throw refuse('forbidden', 'token.group_denied', { group: asked })
  const isOwn = asked === (account.group || DEFAULT_GROUP)
  if (!isOwn && !isKnownGroup(asked, deps.settings)) throw refuse('forbidden', 'token.group_gone', { group: asked })
  return asked
}

/** The columns of the log's row that the receipt is computed from, and those that it comes to. */
function rowOf(priced: PricedUsage, quota: number) {
  return {
    quota,
    prompt_tokens: priced.usage.prompt,
    completion_tokens: priced.usage.completion,
    content: receiptText(priced),
    other: JSON.stringify({ ...receiptFacts(priced), ended: 'complete' }),
  }
}

const usageIn = (ask: ParsedEstimateRequest): Usage =>
  usageOf({
    prompt: ask.prompt_tokens,
    completion: ask.completion_tokens,
    cacheRead: ask.cache_tokens,
    cacheWrite: ask.cache_creation_tokens,
    cacheWriteHour: ask.cache_creation_tokens_1h,
    imageInput: ask.image_tokens,
    audioInput: ask.audio_tokens,
    audioOutput: ask.audio_completion_tokens,
    webSearches: ask.web_search_calls,
    fileSearches: ask.file_search_calls,
    semantics: ask.semantics,
  })

/** Images have a factor of their own with some models; with all others it is their number, as it is of answers. */
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
