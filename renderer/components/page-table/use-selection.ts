import { useMemo, useState } from 'react'
import type { Selection } from './page-table.tsx'

/** The selected rows across pages, of a list whose keys are ids. */
export type IdSelection = Selection & Readonly<{ ids: readonly number[]; clear: () => void }>

/** A selection that lasts until it is cleared. */
export function useSelection(): IdSelection {
  const [chosen, setChosen] = useState<Selection['chosen']>(none)
  return useMemo(() => {
    const ids = [...chosen].filter((key) => typeof key === 'number')
    return { chosen, choose: setChosen, ids, clear: () => setChosen(none) }
  }, [chosen])
}

const none: Selection['chosen'] = new Set()
