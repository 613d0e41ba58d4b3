import { useState } from 'react'
import { childrenOf, type ListView, type RowKey } from './list-view.ts'

/** Which rows are open, and which can be. */
export type OpenRows<Row> = Readonly<{
  canOpen(row: Row): boolean
  isOpen(row: Row): boolean
  toggle(row: Row): void
}>

/** Stores open rows by key, so that they stay open when the list is reloaded. */
export function useOpenRows<Row>(view: ListView<Row>): OpenRows<Row> {
  const [own, setOwn] = useState<ReadonlySet<RowKey>>(new Set())
  const { keys, toggle } = view.opened ?? { keys: own, toggle: (key: RowKey) => setOwn(toggled(own, key)) }
  return {
    canOpen: (row) => childrenOf(view, row).length > 0 || (view.detail?.(row) ?? null) !== null,
    isOpen: (row) => keys.has(view.keyOf(row)),
    toggle: (row) => toggle(view.keyOf(row)),
  }
}

function toggled(open: ReadonlySet<RowKey>, key: RowKey): ReadonlySet<RowKey> {
  const next = new Set(open)
  if (!next.delete(key)) next.add(key)
  return next
}
