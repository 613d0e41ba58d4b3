import { useQuery } from '@tanstack/react-query'
import { type ListedPrice, type PriceFacts, pricing } from '../../../shared/api/pricing.ts'
import { sendWhole } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'

/** The list of prices as the gateway has it for the reader. */
export type Prices = Readonly<{ models: readonly ListedPrice[]; facts: PriceFacts }>

/** Reads the list of prices; the page itself tells of a failure. */
export function usePrices() {
  return useQuery({
    queryKey: [areaOf(pricing.list), pricing.list.path],
    queryFn: async ({ signal }): Promise<Prices> => {
      const { data, beside } = await sendWhole(pricing.list, {}, { quiet: true, signal })
      return { models: data, facts: beside }
    },
  })
}
