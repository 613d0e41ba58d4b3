import { useState } from 'react'

/** What the fields of a line of filters say: what is shown, until something is typed, and again once something else is shown. */
export function useTyped<Filter>(filter: Filter): Readonly<{ typed: Filter; type: (typed: Filter) => void }> {
  const [draft, setDraft] = useState({ of: filter, typed: filter })
  const current = draft.of === filter ? draft : { of: filter, typed: filter }
  // What was typed before is forgotten: the filter may become one again that it has been.
  if (current !== draft) setDraft(current)
  return { typed: current.typed, type: (typed) => setDraft({ of: filter, typed }) }
}
