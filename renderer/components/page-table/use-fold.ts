import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import type { ListView } from './list-view.ts'

/**
 * Folds secondary columns into a second line if the list is too narrow for all columns. The width they need depends
 * on their content, so it is measured while they are unfolded.
 */
export function useFold<Row>(view: ListView<Row>, box: RefObject<HTMLElement | null>): ListView<Row> {
  const { width, excess } = useMeasured(box)
  const key = `${view.columns.map(({ id }) => id).join()} ${view.selection !== undefined}`
  const [needed, setNeeded] = useState({ whole: key, width: ROOMY })
  // Columns that were not measured yet are assumed to need `ROOMY`.
  const isTight = width < (needed.whole === key ? needed.width : ROOMY)
  useLayoutEffect(() => {
    if (!isTight && excess > 0) setNeeded({ whole: key, width: width + excess })
  }, [isTight, excess, key, width])
  return useMemo(() => {
    const folded = view.columns.filter(({ isSecondary }) => isSecondary)
    if (!isTight || folded.length === 0) return view
    return { ...view, columns: view.columns.filter(({ isSecondary }) => !isSecondary), folded }
  }, [view, isTight])
}

/** An element's width and by how much its table exceeds it, in pixels; measured before paint and on changes. */
function useMeasured(box: RefObject<HTMLElement | null>): Readonly<{ width: number; excess: number }> {
  const [measured, setMeasured] = useState({ width: Number.POSITIVE_INFINITY, excess: 0 })
  useLayoutEffect(() => {
    const element = box.current
    const table = element?.querySelector('table')
    if (!element || !table) return
    const look = () => {
      const { clientWidth: width } = element
      const excess = table.parentElement ? table.offsetWidth - table.parentElement.clientWidth : 0
      setMeasured((before) => (before.width === width && before.excess === excess ? before : { width, excess }))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    // Cells that load their content widen it later.
    observer.observe(table)
    return () => observer.disconnect()
  }, [box])
  return measured
}

/** Assumed width that all columns need, in pixels: below it, cells wrap into many lines rather than overflow. */
const ROOMY = 990
