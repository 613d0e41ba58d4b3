import type { PriceFacts } from '../../../shared/api/pricing.ts'
import { AUTO_GROUP, DEFAULT_GROUP, groupRatio, isKnownGroup, usableGroups } from '../../accounts/groups.ts'
import { breathe } from '../../base/pace.ts'
import { listedPriceOf } from '../../billing/listed-price.ts'
import type { PriceBook } from '../../billing/price.ts'
import { CONTAINER_PRICE, FILE_SEARCH_PRICE } from '../../billing/tool-prices.ts'
import type { ChannelRegistry } from '../../channels/registry/channel-registry.ts'
import type { Settings } from '../../settings/settings.ts'

type PriceListDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  registry: Pick<ChannelRegistry, 'modelsOf'>
  prices: () => PriceBook
}>

export type PriceReader = Readonly<{
  /** The group of the account; empty for a visitor. */
  group: string
  acceptsUnset: boolean
  /** The description of the reader's own group if no option has one. */
  ownDescription: string
}>

const optionsRead = [
  'UserUsableGroups',
  'GroupRatio',
  'GroupGroupRatio',
  'AutoGroups',
  'QuotaPerUnit',
  'SelfUseModeEnabled',
] as const
/** Models priced before yielding to the event loop. */
const AT_ONCE = 500

/** The inputs of a list: it is unchanged as long as each of these is the same. */
export function priceSources({ settings, registry, prices }: PriceListDeps, { group }: PriceReader): unknown[] {
  const lists = [...usableGroups(group, settings).keys()].map((name) => registry.modelsOf(name))
  return [prices(), ...optionsRead.map((key) => settings.get(key)), ...lists]
}

/**
 * The envelope of a price list as JSON text (docs/reference/api.md#pricing): only the models that the reader's groups
 * offer, sorted by name, and facts about these groups.
 */
export async function writePriceList(deps: PriceListDeps, reader: PriceReader): Promise<string> {
  const facts = priceFactsFor(deps, reader)
  const book = deps.prices()
  const entries: string[] = []
  for (const [model, groups] of offersIn(deps, facts)) {
    const price = book.find({ model, userGroup: reader.group, usingGroup: '', acceptUnset: true })
    if (price) entries.push(JSON.stringify({ ...listedPriceOf(price, model), enable_groups: groups }))
    if (entries.length % AT_ONCE === 0) await breathe()
  }
  const factsText = JSON.stringify(facts).slice(1)
  return `{"success":true,"message":"","data":[${entries.join(',')}],${factsText}`
}

/** The groups that a reader may use, with their ratios; a group without a ratio is omitted, except the reader's own. */
function priceFactsFor({ settings }: PriceListDeps, { group, acceptsUnset, ownDescription }: PriceReader): PriceFacts {
  const own = group || DEFAULT_GROUP
  const usable = [...usableGroups(group, settings, ownDescription)].filter(
    ([name]) => name === own || isKnownGroup(name, settings),
  )
  const ratios = usable
    .filter(([name]) => name !== AUTO_GROUP)
    .map(([name]) => [name, groupRatio(group, name, settings)])
  const names = new Set(usable.map(([name]) => name))
  return {
    group_ratio: Object.fromEntries(ratios),
    usable_group: Object.fromEntries(usable),
    auto_groups: settings.get('AutoGroups').filter((name) => names.has(name)),
    own_group: own,
    accepts_unset: acceptsUnset,
    quota_per_unit: settings.get('QuotaPerUnit'),
    file_search_price: FILE_SEARCH_PRICE,
    code_container_price: CONTAINER_PRICE,
  }
}

/** The models, each with the groups that offer it; both are sorted by name. */
function offersIn({ registry }: PriceListDeps, { group_ratio }: PriceFacts): [string, string[]][] {
  const offers = new Map<string, string[]>()
  for (const group of Object.keys(group_ratio).sort())
    for (const model of registry.modelsOf(group)) {
      const groups = offers.get(model)
      if (groups) groups.push(group)
      else offers.set(model, [group])
    }
  return [...offers].sort(([one], [other]) => (one < other ? -1 : 1))
}
