import { useMemo, useState } from 'react'
import type { Selection } from '../../../components/page-table/page-table.tsx'

/** The selected channels across pages; selecting a tag selects all its channels. */
export type ChannelSelection = Selection & Readonly<{ ids: readonly number[]; clear: () => void }>

/** A selection that lasts until an action on it has succeeded. */
export function useSelection(): ChannelSelection {
  const [chosen, setChosen] = useState<Selection['chosen']>(none)
  const ids = useMemo(() => [...chosen].filter((key) => typeof key === 'number'), [chosen])
  return { chosen, choose: setChosen, ids, clear: () => setChosen(none) }
}

const none: Selection['chosen'] = new Set()
