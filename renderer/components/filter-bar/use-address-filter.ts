import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'

type FilterValues = Readonly<Record<string, string | number>>

/**
 * A list's filter, stored in the address so that it works with history and links; members that equal their defaults are
 * omitted. Referentially stable while the address does not change.
 */
export function useAddressFilter<Filter extends FilterValues>(
  defaults: Filter,
): readonly [Filter, (next: Filter) => void] {
  const [search, setSearch] = useSearchParams()
  const filter = useMemo(() => filterIn(search, defaults), [search, defaults])
  const narrow = useCallback(
    (next: Filter) => {
      const changed = Object.entries(next).filter(([name, value]) => value !== defaults[name])
      const address = new URLSearchParams(changed.map(([name, value]) => [name, String(value)]))
      // Adds no history entry if nothing changes.
      if (address.toString() !== search.toString()) setSearch(address)
    },
    [search, setSearch, defaults],
  )
  return [filter, narrow]
}

/** Parses an address; missing and invalid members have their defaults. */
export function filterIn<Filter extends FilterValues>(search: URLSearchParams, defaults: Filter): Filter {
  const read = ([name, usual]: [string, string | number]): [string, string | number] => {
    const text = search.get(name)?.trim() ?? ''
    if (typeof usual === 'string') return [name, text || usual]
    const number = Number(text)
    return [name, text !== '' && Number.isSafeInteger(number) && number >= 0 ? number : usual]
  }
  return Object.fromEntries(Object.entries(defaults).map(read)) as Filter // the members of `defaults`
}
