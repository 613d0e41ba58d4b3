/** Uses indices as keys: a text only grows at its end, so positions are stable. */
export const keyed = <T>(items: readonly T[]): readonly { key: string; item: T }[] =>
  items.map((item, index) => ({ key: String(index), item }))
