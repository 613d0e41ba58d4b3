import type { Price, PriceBook, PriceQuery } from './price.ts'

/**
 * A price book in which these models are free, whatever their configured price (docs/reference/local-models.md#price).
 * Callers that may route to a paid channel pass `isPaid` and get the configured price.
 */
export function withFreeModels(book: PriceBook, free: ReadonlySet<string>): PriceBook {
  if (free.size === 0) return book
  const found = new WeakMap<Price, Price>()
  const freePrice = (price: Price): Price => {
    const known = found.get(price)
    if (known) return known
    const zero = zeroed(price)
    found.set(price, zero)
    return zero
  }
  const isFree = (model: string) => free.has(model)
  return {
    isFree,
    has: (model) => isFree(model) || book.has(model),
    find(query: PriceQuery) {
      if (query.isPaid || !isFree(query.model)) return book.find(query)
      const price = book.find({ ...query, acceptUnset: true })
      return price && freePrice(price)
    },
  }
}

/** Zeroes the model ratio, and the group ratio, so that tools priced in dollars are free too. */
const zeroed = (price: Price): Price =>
  Object.freeze({ ...price, fixed: null, modelRatio: 0, groupRatio: 0, exclusiveRatio: null, unset: false })
