import type { Catalogue, CatalogueEntry } from './reading.ts'

/** An entry under a name of this installation, with the name it has in the catalogue. */
export type NamedEntry = CatalogueEntry & Readonly<{ source_name: string }>

/**
 * The entries under the names they have here. A catalogue that writes the provider before the model (`openai/gpt-4o`)
 * stands for the model alone as well, where that is a name known here which it does not name itself, and its rows of that
 * name agree: those with one provider before it, else those with more. Rows that disagree are told and not taken.
 */
export function namedHere(catalogue: Catalogue, isKnown: (model: string) => boolean) {
  const entries = new Map<string, NamedEntry>()
  for (const [name, entry] of catalogue.entries) entries.set(name, { ...entry, source_name: name })
  const unreadable = [...catalogue.unreadable]
  const named = new Set([...entries.keys(), ...unreadable.map(({ model }) => model)])
  for (const [model, names] of Map.groupBy(catalogue.entries.keys(), lastPart)) {
    if (named.has(model) || !isKnown(model)) continue
    const [first, ...others] = nearest(names)
    const entry = first === undefined ? undefined : catalogue.entries.get(first)
    if (first === undefined || entry === undefined) continue
    const isAgreed = others.every((name) => isSamePrice(catalogue.entries.get(name), entry))
    if (isAgreed) entries.set(model, { ...entry, source_name: first })
    else unreadable.push({ model, reason: 'several' })
  }
  return { entries, unreadable }
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** Those with the fewest parts before the model. */
function nearest(names: readonly string[]): readonly string[] {
  const depths = names.map(slashesIn)
  const min = depths.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
  return names.filter((_, place) => depths[place] === min)
}

function slashesIn(name: string): number {
  let count = 0
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) count += 1
  return count
}

const isSamePrice = (one: CatalogueEntry | undefined, other: CatalogueEntry): boolean =>
  JSON.stringify(Object.entries(one?.rates ?? {}).sort()) === JSON.stringify(Object.entries(other.rates).sort())
