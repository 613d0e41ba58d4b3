import type { PriceRates } from '../../../shared/api/catalogue.ts'
import { isObject, parsed } from '../../../shared/json.ts'
import type { SyncedRates } from '../../store/channels/price-syncs.ts'

/** The rates last written by catalogue updates, by model. */
export const writtenBy = async (
  store: Readonly<{ synced: () => Promise<readonly SyncedRates[]> }>,
): Promise<ReadonlyMap<string, PriceRates>> =>
  new Map((await store.synced()).map(({ model, rates }) => [model, ratesIn(rates ?? '')]))

export function ratesIn(text: string): PriceRates {
  const rates = parsed(text)
  return isObject(rates) ? (rates as PriceRates) : {} // only written by this folder
}
