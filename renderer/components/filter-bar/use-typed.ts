import { useState } from 'react'

/** The values typed in a filter bar: reset to the current filter whenever that changes. */
export function useTyped<Filter>(filter: Filter): Readonly<{ typed: Filter; type: (typed: Filter) => void }> {
  const [draft, setDraft] = useState({ of: filter, typed: filter })
  const current = draft.of === filter ? draft : { of: filter, typed: filter }
  // Discards earlier input, since the filter may return to a previous value.
  if (current !== draft) setDraft(current)
  return { typed: current.typed, type: (typed) => setDraft({ of: filter, typed }) }
}
