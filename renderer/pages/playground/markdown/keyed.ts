/** Items with their place as the key: a text only grows at its end, so places stay. */
export const keyed = <T>(items: readonly T[]): readonly { key: string; item: T }[] =>
  items.map((item, place) => ({ key: String(place), item }))
