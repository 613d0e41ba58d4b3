import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import type { ListView } from './list-view.ts'

/**
 * The list as its place has room for it: where that is too narrow for all columns side by side, those that are secondary
 * stand in a second line. How much room they need depends on what is in them, so it is measured while they do stand there.
 */
export function useFold<Row>(view: ListView<Row>, place: RefObject<HTMLElement | null>): ListView<Row> {
  const { width, excess } = useRoom(place)
  const whole = `${view.columns.map(({ id }) => id).join()} ${view.selection !== undefined}`
  const [needed, setNeeded] = useState({ whole, width: ROOMY })
  // Other columns than those that were measured may have room.
  const isTight = width < (needed.whole === whole ? needed.width : ROOMY)
  useLayoutEffect(() => {
    if (!isTight && excess > 0) setNeeded({ whole, width: width + excess })
  }, [isTight, excess, whole, width])
  return useMemo(() => {
    const folded = view.columns.filter(({ isSecondary }) => isSecondary)
    if (!isTight || folded.length === 0) return view
    return { ...view, columns: view.columns.filter(({ isSecondary }) => !isSecondary), folded }
  }, [view, isTight])
}

/** How wide an element is, and by how much the table in it is wider, in pixels; told before it is painted and when it changes. */
function useRoom(place: RefObject<HTMLElement | null>): Readonly<{ width: number; excess: number }> {
  const [room, setRoom] = useState({ width: Number.POSITIVE_INFINITY, excess: 0 })
  useLayoutEffect(() => {
    const element = place.current
    const table = element?.querySelector('table')
    if (!element || !table) return
    const look = () => {
      const { clientWidth: width } = element
      const excess = table.parentElement ? table.offsetWidth - table.parentElement.clientWidth : 0
      setRoom((before) => (before.width === width && before.excess === excess ? before : { width, excess }))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    // Cells that fetch what they show widen it later.
    observer.observe(table)
    return () => observer.disconnect()
  }, [place])
  return room
}

/** In pixels: where there is less, cells break into many lines before they take more room than there is. */
const ROOMY = 990
