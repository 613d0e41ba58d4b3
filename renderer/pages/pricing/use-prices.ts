import { useQuery } from '@tanstack/react-query'
import { type ListedPrice, type PriceFacts, pricing } from '../../../shared/api/pricing.ts'
import { sendWhole } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'

export type Prices = Readonly<{ models: readonly ListedPrice[]; facts: PriceFacts }>

/** Loads the price list; the page shows failures itself. */
export function usePrices() {
  return useQuery({
    queryKey: [areaOf(pricing.list), pricing.list.path],
    queryFn: async ({ signal }): Promise<Prices> => {
      const { data, extras } = await sendWhole(pricing.list, {}, { quiet: true, signal })
      return { models: data, facts: extras }
    },
  })
}
