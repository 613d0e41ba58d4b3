import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Blocker, type BlockerFunction, type Location, useLocation } from 'react-router-dom'
import { createSharedValue } from '../../api/shared-value.ts'

/** Whether the question is open, and what each answer does. */
export type Leaving = Readonly<{
  isOpen: boolean
  /** The title of what would be lost: the drawer's, or that of the page behind it. */
  title: string
  leave: () => void
  confirm: () => void
  stay: () => void
  /** Blocks navigation and reports its state; undefined if a drawer above does so. */
  guard: Readonly<{ holds: BlockerFunction; onTurn: (blocker: Blocker | undefined) => void }> | undefined
}>

type Guarded = Readonly<{
  title: string
  /** There are changes, and they are not being saved. */
  isDirty: boolean
  onLeave: () => void
}>

/** A page's unsaved state: its title, and whether a navigation loses it. */
type PageGuard = Readonly<{ title: string; holds: (from: Location, to: Location) => boolean }>

/** Number of drawers with a guard. The router supports one guard at a time: the top drawer's, else the page's. */
export const guardedDrawers = createSharedValue(0)

/** What the page behind an open drawer would lose; the drawer's guard includes it. */
export const pageGuard = createSharedValue<PageGuard | undefined>(undefined)

/** Guards unsaved changes: closing, navigation and closing the window all ask first while `isDirty`. */
export function useLeaving({ title, isDirty, onLeave }: Guarded): Leaving {
  const [isClosing, setClosing] = useState(false)
  // A confirmed close that navigates does not ask again.
  const isGoing = useRef(false)
  const here = useLocation()
  const [blocker, setBlocker] = useState<Blocker>()
  const [depth, setDepth] = useState(0)
  const isOnTop = guardedDrawers.use() === depth
  const holds: BlockerFunction = ({ currentLocation, nextLocation }) =>
    (isDirty && !isGoing.current) || pageGuard.get()?.holds(currentLocation, nextLocation) === true
  const page = pageGuard.get()
  const left = blocker?.state === 'blocked' && page?.holds(here, blocker.location) ? page : undefined
  useLayoutEffect(() => {
    setDepth(guardedDrawers.get() + 1)
    guardedDrawers.set(guardedDrawers.get() + 1)
    return () => guardedDrawers.set(guardedDrawers.get() - 1)
  }, [])
  useEffect(() => {
    if (!isDirty) return
    const prevent = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', prevent)
    return () => window.removeEventListener('beforeunload', prevent)
  }, [isDirty])
  return {
    isOpen: isClosing || blocker?.state === 'blocked',
    title: left?.title ?? title,
    leave: () => (isDirty ? setClosing(true) : onLeave()),
    confirm: () => {
      if (blocker?.state === 'blocked') return blocker.proceed()
      setClosing(false)
      isGoing.current = true
      onLeave()
    },
    stay: () => {
      blocker?.reset?.()
      setClosing(false)
    },
    guard: isOnTop ? { holds, onTurn: setBlocker } : undefined,
  }
}
