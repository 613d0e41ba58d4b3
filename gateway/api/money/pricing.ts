import { LRUCache } from 'lru-cache'
import { type ParsedEstimateRequest, pricing } from '../../../shared/api/pricing.ts'
import { role } from '../../../shared/enums.ts'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { requireRole } from '../../accounts/guards/roles.ts'
import { refuse } from '../../base/errors.ts'
import { upTo } from '../../base/lru.ts'
import type { Identities } from '../../relay/admission/identify.ts'
import type { Account } from '../../relay/model/caller.ts'
import type { Actor } from '../actor.ts'
import { type EstimateDeps, type EstimateFor, estimateOf } from '../log/estimate.ts'
import { type Packed, packedWell, type Served, serve } from '../serve.ts'
import { type PriceReader, priceSources, writePriceList } from './price-list.ts'

type PricingDeps = EstimateDeps & Readonly<{ identities: Pick<Identities, 'account'> }>

/** Max cached lists: one for each combination of account group, language, and whether unset prices are accepted. */
const MAX_CACHED = 24

/** Prices of models, and estimates (docs/reference/api.md#pricing). */
export function pricingApi(deps: PricingDeps): Served[] {
  const listFor = createPriceLists(deps)
  return serve(pricing, {
    list: async ({ actor, caller }) => listFor(await readerOf(deps, actor, caller.locale)),
    estimate: async ({ body, actor }) => estimateOf(deps, body, await accountOf(deps, body, actor)),
  })
}

type CachedList = Readonly<{ sources: readonly unknown[]; list: Promise<Packed> }>

/** Serialized lists, cached until their inputs change. */
function createPriceLists(deps: PricingDeps): (reader: PriceReader) => Promise<Packed> {
  const cache = new LRUCache<string, CachedList>({ ...upTo(MAX_CACHED) })
  return (reader) => {
    const key = JSON.stringify(reader)
    const sources = priceSources(deps, reader)
    const known = cache.get(key)
    if (known && sources.every((source, index) => source === known.sources[index])) return known.list
    const list = writePriceList(deps, reader).then(packedWell)
    cache.set(key, { sources, list })
    list.catch(() => cache.delete(key))
    return list
  }
}

async function readerOf(deps: PricingDeps, actor: Actor | undefined, locale: Locale): Promise<PriceReader> {
  const account = actor && (await deps.identities.account(actor.id))
  return {
    group: account?.group ?? '',
    acceptsUnset: account?.acceptUnset === true || deps.settings.get('SelfUseModeEnabled'),
    ownDescription: account ? formatMessage(locale, 'label.userGroup') : '',
  }
}

async function accountOf(
  deps: PricingDeps,
  { user_id, user_group }: ParsedEstimateRequest,
  actor: Actor | undefined,
): Promise<EstimateFor> {
  const actorRole = actor?.role ?? role.visitor
  if (user_id !== undefined || user_group !== '') requireRole({ role: actorRole }, role.admin)
  const account = actor && (await deps.identities.account(user_id ?? actor.id))
  if (user_id !== undefined && !account) throw refuse('missing', 'user.not_found')
  if (account && actor && isHidden(account, actor)) throw refuse('forbidden', 'user.higher_read')
  return {
    group: user_group || (account?.group ?? ''),
    acceptsUnset: account?.acceptUnset === true,
    isFree: actorRole >= role.admin,
  }
}

/** Accounts of the same or a higher role are only visible to root and themselves. */
const isHidden = (account: Account, actor: Actor): boolean =>
  account.id !== actor.id && actor.role < role.root && account.role >= actor.role
