import type { Price, PriceAsk, PriceBook } from './price.ts'

/**
 * A price book in which these models cost nothing, whatever is set for them (docs/reference/local-models.md#price). Who asks
 * for a model that another channel than a free one may answer says so (`isPaid`), and is told the set price.
 */
export function withFreeModels(book: PriceBook, free: ReadonlySet<string>): PriceBook {
  if (free.size === 0) return book
  const found = new WeakMap<Price, Price>()
  const freed = (price: Price): Price => {
    const known = found.get(price)
    if (known) return known
    const made = nothing(price)
    found.set(price, made)
    return made
  }
  const isFree = (model: string) => free.has(model)
  return {
    isFree,
    has: (model) => isFree(model) || book.has(model),
    find(ask: PriceAsk) {
      if (ask.isPaid || !isFree(ask.model)) return book.find(ask)
      const price = book.find({ ...ask, acceptUnset: true })
      return price && freed(price)
    },
  }
}

/** No ratio is left that anything could be multiplied by, what tools cost in dollars included. */
const nothing = (price: Price): Price =>
  Object.freeze({ ...price, fixed: null, modelRatio: 0, groupRatio: 0, exclusiveRatio: null, unset: false })
