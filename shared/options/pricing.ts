import { z } from 'zod'
import { flag, jsonOf } from './kinds.ts'
import { option } from './option.ts'
import { groupGroupRatios, groupList, groupMap, groupRatios, priceSteps, ratioMap } from './shapes.ts'

/**
 * Groups and prices (docs/reference/options.md#areas, docs/reference/billing.md#built-in-prices,
 * docs/reference/billing.md#price-lookup). The built-in price tables are too large for the console, so they are
 * declared empty here and supplied by gateway/settings/pricing-defaults.
 */
export const pricing = {
  GroupRatio: option({ ...jsonOf(groupRatios), default: { default: 1, vip: 1, svip: 1 }, panel: 'operation/groups' }),
  /** Group name to the description users see. */
  UserUsableGroups: option({
    ...jsonOf(groupMap(z.string({ error: 'option.map_text' }))),
    default: { default: 'default group', vip: 'vip group' },
    panel: 'operation/groups',
  }),
  GroupGroupRatio: option({
    ...jsonOf(groupGroupRatios),
    default: { vip: { edit_this: 0.9 } },
    panel: 'operation/groups',
  }),
  AutoGroups: option({ ...jsonOf(groupList), default: ['default'], panel: 'operation/groups' }),
  DefaultUseAutoGroup: option({
    ...flag,
    default: false,
    panel: 'operation/groups',
    publishAs: 'default_use_auto_group',
  }),
  /** US dollars per call; for a model listed here, only the ratio of the group applies. */
  ModelPrice: option({ ...jsonOf(ratioMap), default: {}, panel: 'operation/ratios' }),
  /** A ratio of 1 is one unit of quota per prompt token. */
  ModelRatio: option({ ...jsonOf(ratioMap), default: {}, panel: 'operation/ratios' }),
  CacheRatio: option({ ...jsonOf(ratioMap), default: {}, panel: 'operation/ratios' }),
  CompletionRatio: option({ ...jsonOf(ratioMap), default: {}, panel: 'operation/ratios' }),
  CreateCacheRatio: option({ ...jsonOf(ratioMap), default: {}, panel: 'operation/ratios' }),
  ImageRatio: option({ ...jsonOf(ratioMap), default: {}, panel: 'operation/ratios' }),
  AudioRatio: option({ ...jsonOf(ratioMap), default: {}, panel: 'operation/ratios' }),
  AudioCompletionRatio: option({ ...jsonOf(ratioMap), default: {}, panel: 'operation/ratios' }),
  /** Factors of a model's price for long prompts (docs/reference/billing.md#long-prompts). */
  PriceSteps: option({ ...jsonOf(priceSteps), default: {}, panel: 'operation/ratios' }),
  /** Factors of a vendor's service tiers, by tier or by `model:tier` (docs/reference/billing.md#service-tiers). */
  ServiceTierRatio: option({
    ...jsonOf(ratioMap),
    default: { priority: 2, fast: 2, ultrafast: 6, flex: 0.5, us: 1.1 },
    panel: 'operation/ratios',
  }),
}
