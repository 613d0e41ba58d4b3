import { catalogue } from '../../../shared/api/catalogue.ts'
import { scheduledPrices } from '../../../shared/api/scheduled-prices.ts'
import type { PriceActor } from '../../billing/catalogue/price-log.ts'
import type { PriceSchedule } from '../../billing/catalogue/price-schedule.ts'
import type { PriceSyncs } from '../../billing/catalogue/price-syncs.ts'
import { pageAtNumber } from '../../store/page.ts'
import type { Actor, ApiCaller } from '../actor.ts'
import { type Served, serve } from '../serve.ts'

export type CatalogueApiDeps = Readonly<{ priceSyncs: PriceSyncs; priceSchedule: PriceSchedule }>

/** Price imports from catalogues, immediate or scheduled (docs/reference/billing.md#price-catalogues). */
export function catalogueApi({ priceSyncs, priceSchedule }: CatalogueApiDeps): Served[] {
  return [
    ...serve(catalogue, {
      compare: ({ body }) => priceSyncs.compare(body),
      apply: ({ body, actor, caller }) => priceSyncs.apply(body.digest, body.models, actorOf(actor, caller)),
      schedule: ({ body, actor, caller }) => {
        const { format, catalogueRates: rates } = priceSyncs.chosen(body.digest, body.models)
        const choice = { format, rates, validFrom: body.valid_from, note: body.note }
        return priceSchedule.addChosen(choice, actorOf(actor, caller))
      },
      last: () => priceSyncs.last(),
      undo: ({ body, actor, caller }) => priceSyncs.undo(body.id, actorOf(actor, caller)),
    }),
    ...serve(scheduledPrices, {
      list: async ({ query }) => {
        const { rows, total, pending } = await priceSchedule.page(pageAtNumber(query.p, query.page_size))
        return { data: rows, extras: { total, pending } }
      },
      add: async ({ body, actor, caller }) => {
        await priceSchedule.add(body, actorOf(actor, caller))
        return null
      },
      change: async ({ params, body, actor, caller }) => {
        await priceSchedule.change(params.id, body, actorOf(actor, caller))
        return null
      },
      cancel: async ({ params, actor, caller }) => {
        await priceSchedule.cancel(params.id, actorOf(actor, caller))
        return null
      },
    }),
  ]
}

const actorOf = ({ id, username }: Actor, { locale }: ApiCaller): PriceActor => ({ id, username, locale })
