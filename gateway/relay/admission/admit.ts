import { channelStatus, role } from '../../../shared/enums.ts'
import { AUTO_GROUP, automaticGroups, isKnownGroup, mayUseGroup } from '../../accounts/groups.ts'
import { refuse } from '../../base/errors.ts'
import { objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import { type BillableExtras, PLAIN, type SearchSize } from '../../billing/billable-extras.ts'
import { holdFor } from '../../billing/meter.ts'
import type { Price, PriceBook } from '../../billing/price.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { ChannelRegistry } from '../../channels/registry/channel-registry.ts'
import { isFreeChannel } from '../../channels/registry/free-models.ts'
import type { Tier } from '../../channels/registry/picker.ts'
import type { Settings } from '../../settings/settings.ts'
import { choicesOf } from '../intake/choices.ts'
import { drawnBy, imageExtrasOf, isDrawn } from '../intake/image-options.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import type { Expected, Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import { expectedOf } from './expected-usage.ts'
import type { LearnedOutputs } from './learned-outputs.ts'
import { maxOfTiers, maxOutputTokens, type OutputLimits } from './model-output-limits.ts'
import { acceptsUnset, checkModel, noPrice, secondModelPrice } from './model-rights.ts'

export type AdmitDeps = Readonly<{
  settings: Settings
  registry: ChannelRegistry
  prices: () => PriceBook
  outputLimits: () => OutputLimits
  learnedOutputs: Pick<LearnedOutputs, 'raised'>
}>

/**
 * Runs the checks that need no body, in the order of docs/reference/errors.md#refusals. `suffix` is the key's, which
 * names the channel that an administrator forces.
 */
export function admitCaller(
  { settings }: AdmitDeps,
  caller: Caller,
  context: Pick<RequestContext, 'ip'>,
  suffix: string | null,
): void {
  if (suffix !== null && (caller.account.role < role.admin || caller.isGuest))
    throw refuse('forbidden', 'relay.channelSuffix', {}, { code: 'channel_not_allowed' })
  if (!caller.allows(context.ip)) throw refuse('forbidden', 'relay.ipDenied', {}, { code: 'ip_not_allowed' })
  if (caller.tokenGroup) checkGroup(caller, caller.tokenGroup, settings)
}

function checkGroup({ account }: Caller, group: string, settings: Settings): void {
  if (!mayUseGroup(account.group, group, settings))
    throw refuse('forbidden', 'relay.groupDenied', { group }, { code: 'group_not_allowed' })
  if (!isKnownGroup(group, settings))
    throw refuse('forbidden', 'relay.groupDeprecated', { group }, { code: 'group_deprecated' })
}

/**
 * Runs the checks that need the call (docs/reference/errors.md#refusals); returns its plan: candidate channels, price,
 * and reservation (docs/reference/billing.md#hold).
 */
export function admitCall(deps: AdmitDeps, caller: Caller, call: Call, suffix: string | null): Plan {
  const { settings, registry } = deps
  const forced = suffix === null ? null : forcedChannel(registry, suffix)
  checkModel(caller, call.model)
  const requested = groupOf(deps, caller, call)
  const group = requested === AUTO_GROUP ? autoGroup(deps, caller.account.group, call.model) : requested
  const tiers = forced ? [] : registry.tiers(group, call.model)
  if (!forced && tiers.length === 0) throw noChannel(call.model, group)
  const price = priceOf(deps, caller, call, { group, offered: forced ? [forced] : channelsOf(tiers) })
  const quotaPerUnit = settings.get('QuotaPerUnit')
  const limits = deps.outputLimits()
  const limit = forced ? maxOutputTokens(limits, call.model, [forced]) : maxOfTiers(limits, call.model, tiers)
  const read = expectedOf(call, limit, settings.get('claude.automatic_cache_enabled'))
  const expected = deps.learnedOutputs.raised({ expected: read, forced, tiers }, call.model, limit)
  const asIs = withPossible(billableExtrasOf(call), expected.possible)
  const secondModel = secondModelPrice(deps, caller, call, { group, price })
  const extras = secondModel ? { ...asIs, secondModel } : asIs
  return { group, tiers, forced, price, expected, extras, quotaPerUnit, ...amountsOf(deps, expected, price, extras) }
}

/**
 * The quota to reserve for a call, and the least that suffices. Both cover only the prompt if the output has no limit.
 */
export function amountsOf(
  { settings }: Pick<AdmitDeps, 'settings'>,
  { prompt, maxPrompt, output, minOutput }: Expected,
  price: Price,
  extras: BillableExtras,
): Pick<Plan, 'holdQuota' | 'minHoldQuota'> {
  const quotaPerUnit = settings.get('QuotaPerUnit')
  const holdQuota = holdFor(maxPrompt, output, settings.get('PreConsumedQuota'), price, quotaPerUnit, extras)
  const min = holdFor(prompt, minOutput, 1, price, quotaPerUnit, withoutTools(extras))
  return { holdQuota, minHoldQuota: Math.min(holdQuota, min) }
}

/** The extras without the vendor's tools, which may turn out not to be used. */
export const withoutTools = (extras: BillableExtras): BillableExtras =>
  extras.possible ? { ...extras, possible: { ...extras.possible, ...NO_TOOLS } } : extras

const NO_TOOLS = { webSearches: 0, fileSearches: 0, containerGigabytes: 0, secondModel: null }

const withPossible = (extras: BillableExtras, possible: BillableExtras['possible']): BillableExtras =>
  possible ? { ...extras, possible } : extras

export const noChannel = (model: string, group: string) =>
  refuse('unavailable', 'relay.noChannel', { model, group }, { code: 'no_available_channel' })

function forcedChannel(registry: ChannelRegistry, suffix: string): ActiveChannel {
  const channel = /^\d{1,15}$/.test(suffix) ? registry.channel(Number(suffix)) : undefined
  if (!channel) throw refuse('invalid', 'relay.badChannel', {}, { code: 'get_channel_failed' })
  if (channel.status !== channelStatus.enabled)
    throw refuse('forbidden', 'relay.channelDisabled', {}, { code: 'channel_disabled' })
  return channel
}

function groupOf({ settings }: AdmitDeps, caller: Caller, call: Call): string {
  if (!call.group) return caller.tokenGroup || caller.account.group
  checkGroup(caller, call.group, settings)
  return call.group
}

/**
 * The first group of AutoGroups that an account of `userGroup` may use and that offers the model
 * (docs/reference/selection.md#groups). Throws if there is none.
 */
export function autoGroup(
  { settings, registry }: Pick<AdmitDeps, 'settings'> & Readonly<{ registry: Pick<ChannelRegistry, 'tiers'> }>,
  userGroup: string,
  model: string,
): string {
  const groups = automaticGroups(userGroup, settings)
  if (groups.length === 0) throw refuse('unavailable', 'relay.autoGroupsOff', {}, { code: 'no_available_channel' })
  const found = groups.find((group) => registry.tiers(group, model).length > 0)
  if (found === undefined) throw noChannel(model, `auto(${groups.join(',')})`)
  return found
}

/** Channels that a call may go to; the price is zero only if all of them are free. */
type Offer = Readonly<{ group: string; offered: Iterable<ActiveChannel> }>

function priceOf({ settings, prices }: AdmitDeps, caller: Caller, { model }: Call, { group, offered }: Offer): Price {
  const acceptUnset = acceptsUnset(settings, caller)
  const book = prices()
  const isPaid = book.isFree(model) && !everyFree(offered)
  const price = book.find({ model, userGroup: caller.account.group, usingGroup: group, acceptUnset, isPaid })
  if (!price) throw noPrice(model)
  return price
}

function* channelsOf(tiers: readonly Tier[]): Iterable<ActiveChannel> {
  for (const { members } of tiers) for (const { channel } of members) yield channel
}

function everyFree(channels: Iterable<ActiveChannel>): boolean {
  for (const channel of channels) if (!isFreeChannel(channel)) return false
  return true
}

/**
 * Requested extras other than tokens that affect the price (docs/reference/billing.md#charge,
 * docs/reference/billing.md#images).
 */
function billableExtrasOf(call: Call): BillableExtras {
  const { endpoint, json, model } = call
  if (isDrawn(endpoint)) return imageExtrasOf(drawnBy(call), model)
  const choices = choicesOf(endpoint, json)
  const extras = searchOf(call)
  return choices > 1 ? { ...extras, times: choices } : extras
}

function searchOf({ endpoint, json }: Call): BillableExtras {
  if (endpoint === 'chat') return searching(objectIn(json.web_search_options).search_context_size)
  if (endpoint !== 'responses') return PLAIN
  const search = objectsIn(json.tools).find(({ type }) => textIn(type)?.startsWith('web_search'))
  return searching(search?.search_context_size)
}

const searching = (size: unknown): BillableExtras => (isSize(size) ? { webSearch: { size } } : PLAIN)

const isSize = (size: unknown): size is SearchSize => size === 'low' || size === 'medium' || size === 'high'
