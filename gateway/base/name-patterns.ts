/** Looks up a name in a map of names and patterns; returns undefined if nothing matches. */
export type NamePatterns<T> = (name: string) => T | undefined

/**
 * Creates a lookup in a map whose names may be patterns (`*` matches anything). An exact name comes first, then the
 * longest matching pattern; only patterns ignore case.
 */
export function createNamePatterns<T>(byName: Readonly<Record<string, T>>): NamePatterns<T> {
  const patterns = Object.entries(byName)
    .filter(([name]) => name.includes('*'))
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([name, value]) => ({ parts: name.toLowerCase().split('*'), value }))
  return (name) =>
    Object.hasOwn(byName, name) ? byName[name] : patterns.find(({ parts }) => fits(name.toLowerCase(), parts))?.value
}

/**
 * Returns whether a name contains the parts of a pattern in order, the first at its start and the last at its end; in a
 * single pass.
 */
function fits(name: string, parts: readonly string[]): boolean {
  const [first = '', ...middle] = parts
  const last = middle.pop() ?? ''
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  let from = first.length
  for (const part of middle) {
    const found = name.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return from <= name.length - last.length
}
