import { useState } from 'react'

/**
 * The values typed in a filter bar. They are reset to the current filter when that changes, unless they differ from it
 * only in surrounding spaces.
 */
export function useTyped<Filter extends string | object>(
  filter: Filter,
): Readonly<{ typed: Filter; type: (typed: Filter) => void }> {
  const [draft, setDraft] = useState({ of: filter, typed: filter })
  const typed = isSame(draft.typed, filter) ? draft.typed : filter
  // If only another part of the address has changed, such as the view, the typed values remain.
  const isUnchanged = draft.of === filter || isSame(draft.of, filter)
  const current = isUnchanged ? draft : { of: filter, typed }
  // Discards earlier input, since the filter may return to a previous value.
  if (current !== draft) setDraft(current)
  return { typed: current.typed, type: (typed) => setDraft({ of: filter, typed }) }
}

const isSame = (typed: string | object, filter: string | object): boolean => textOf(typed) === textOf(filter)

const textOf = (filter: string | object): string =>
  JSON.stringify(filter, (_, value) => (typeof value === 'string' ? value.trim() : value))
