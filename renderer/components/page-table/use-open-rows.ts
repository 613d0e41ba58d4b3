import { useState } from 'react'
import { childrenOf, type ListView, type RowKey } from './list-view.ts'

/** Which rows are open, and which can be. */
export type OpenRows<Row> = Readonly<{
  canOpen(row: Row): boolean
  isOpen(row: Row): boolean
  toggle(row: Row): void
}>

/** Keeps the open rows of a list by their keys, so that they stay open when the list is read anew. */
export function useOpenRows<Row>(view: ListView<Row>): OpenRows<Row> {
  const [open, setOpen] = useState<ReadonlySet<RowKey>>(new Set())
  return {
    canOpen: (row) => childrenOf(view, row).length > 0 || (view.detail?.(row) ?? null) !== null,
    isOpen: (row) => open.has(view.keyOf(row)),
    toggle: (row) => setOpen(toggled(open, view.keyOf(row))),
  }
}

function toggled(open: ReadonlySet<RowKey>, key: RowKey): ReadonlySet<RowKey> {
  const next = new Set(open)
  if (!next.delete(key)) next.add(key)
  return next
}
