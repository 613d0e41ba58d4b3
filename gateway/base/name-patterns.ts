/** Finds what a map of names and patterns says of a name; undefined where nothing fits. */
export type NamePatterns<T> = (name: string) => T | undefined

/**
 * Reads a map whose names may be patterns (`*` stands for anything): the entry of the name itself comes first, then the
 * longest pattern that fits, whatever its case.
 */
export function createNamePatterns<T>(byName: Readonly<Record<string, T>>): NamePatterns<T> {
  const patterns = Object.entries(byName)
    .filter(([name]) => name.includes('*'))
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([name, value]) => ({ parts: name.toLowerCase().split('*'), value }))
  return (name) =>
    Object.hasOwn(byName, name) ? byName[name] : patterns.find(({ parts }) => fits(name.toLowerCase(), parts))?.value
}

/** Whether a name has the parts of a pattern in their order, the first at its beginning and the last at its end: in one walk. */
function fits(name: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts
  const last = others.pop() ?? ''
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  let from = first.length
  for (const part of others) {
    const found = name.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return from <= name.length - last.length
}
