/** How many at once, and what comes between two beginnings. */
export type Turns = Readonly<{
  width: number
  /** Waited for before every item but the first. */
  between: () => Promise<void>
  /** Asked before each item: once it says so nothing new begins. */
  isOver: () => boolean
}>

/** Runs `work` over the items in their order, and resolves when all that began has ended; failures are left to `work`. */
export async function inTurns<T>(
  items: readonly T[],
  { width, between, isOver }: Turns,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const going = new Set<Promise<void>>()
  for (const [index, item] of items.entries()) {
    if (index > 0 && !isOver()) await between()
    while (going.size >= width && !isOver()) await Promise.race(going)
    if (isOver()) break
    const one = work(item).finally(() => going.delete(one))
    going.add(one)
  }
  await Promise.all(going)
}
