import { withoutVendor } from '../../../shared/ratio-rules.ts'
import type { Catalogue } from './reading.ts'
import type { CatalogueEntry } from './steps.ts'

export type NamedEntry = CatalogueEntry & Readonly<{ source_name: string }>

/**
 * Maps catalogue entries to local names. A provider prefix (`openai/gpt-4o`) is dropped if the bare name is known here,
 * the catalogue has no entry for it, and all its candidates (the entries with the fewest prefixes) agree. Candidates
 * that disagree are reported as unreadable.
 */
export function namedHere(catalogue: Catalogue, isKnown: (model: string) => boolean) {
  const entries = new Map<string, NamedEntry>()
  for (const [name, entry] of catalogue.entries) entries.set(name, { ...entry, source_name: name })
  const unreadable = [...catalogue.unreadable]
  const taken = new Set([...entries.keys(), ...unreadable.map(({ model }) => model)])
  for (const [model, names] of Map.groupBy(catalogue.entries.keys(), withoutVendor)) {
    if (taken.has(model) || !isKnown(model)) continue
    const [first, ...others] = shallowest(names)
    const entry = first === undefined ? undefined : catalogue.entries.get(first)
    if (first === undefined || entry === undefined) continue
    const isAgreed = others.every((name) => isSamePrice(catalogue.entries.get(name), entry))
    if (isAgreed) entries.set(model, { ...entry, source_name: first })
    else unreadable.push({ model, reason: 'several' })
  }
  return { entries, unreadable }
}

function shallowest(names: readonly string[]): readonly string[] {
  const depths = names.map(slashesIn)
  const min = depths.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
  return names.filter((_, index) => depths[index] === min)
}

function slashesIn(name: string): number {
  let count = 0
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) count += 1
  return count
}

const isSamePrice = (one: CatalogueEntry | undefined, other: CatalogueEntry): boolean =>
  JSON.stringify(Object.entries(one?.rates ?? {}).sort()) === JSON.stringify(Object.entries(other.rates).sort())
