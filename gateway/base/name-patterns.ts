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
    .map(([name, value]) => ({ expression: expressionOf(name), value }))
  return (name) =>
    Object.hasOwn(byName, name) ? byName[name] : patterns.find(({ expression }) => expression.test(name))?.value
}

const expressionOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 'i')
