import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Blocker, type BlockerFunction, type Location, useLocation } from 'react-router-dom'
import { createSharedValue } from '../../api/shared-value.ts'

/** Whether the question is open, and what each answer does. */
export type Leaving = Readonly<{
  isAsking: boolean
  /** What would be lost, by its title: the drawer's own, or the page's that it stands on. */
  title: string
  leave: () => void
  confirm: () => void
  stay: () => void
  /** What holds back other addresses, and how far that is; undefined where a drawer above does it. */
  guard: Readonly<{ holds: BlockerFunction; onTurn: (blocker: Blocker | undefined) => void }> | undefined
}>

type Guarded = Readonly<{
  title: string
  /** Something was changed and may be left, that is, it is not on its way either. */
  isDirty: boolean
  onLeave: () => void
}>

/** What a page holds that is unsaved: its title, and whether going from one address to another loses it. */
type PageGuard = Readonly<{ title: string; holds: (from: Location, to: Location) => boolean }>

/** How many drawers guard what is in them. The router takes one guard at a time: that of the drawer on top, else a page's own. */
export const guardedDrawers = createSharedValue(0)

/** What the page behind an open drawer would lose; the drawer's guard asks for it, too. */
export const pageGuard = createSharedValue<PageGuard | undefined>(undefined)

/** Guards unsaved changes: closing, going to another page and closing the window all ask first while `isDirty`. */
export function useLeaving({ title, isDirty, onLeave }: Guarded): Leaving {
  const [isClosing, setClosing] = useState(false)
  // Who has said yes is not asked again where leaving is going to another address.
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
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [isDirty])
  return {
    isAsking: isClosing || blocker?.state === 'blocked',
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
