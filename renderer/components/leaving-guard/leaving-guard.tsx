import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Location, useBlocker } from 'react-router-dom'
import { knownUser } from '../../api/session.ts'
import { hasUnsaved } from '../../api/unsaved.ts'
import { focusFirst, isFocusFree } from '../focus-after.ts'
import { LeavingQuestion } from '../side-drawer/leaving-question.tsx'
import { guardedDrawers, pageGuard } from '../side-drawer/use-leaving.ts'

type LeavingGuardProps = Readonly<{
  title: string
  /** The part of an address whose change discards the forms; the path by default. Declare it outside of components. */
  scopeOf?: (location: Location) => string
  /** The element to focus after a confirmation that stays on the page, if nothing else has taken the focus. */
  findFocus?: () => Element | null
}>

/** Asks before unsaved changes are lost: on navigation, and when the window is closed or reloaded. */
export function LeavingGuard({ title, scopeOf = pathOf, findFocus }: LeavingGuardProps) {
  const isDrawerOpen = guardedDrawers.use() > 0
  const holds = useMemo(() => holding(scopeOf), [scopeOf])
  useLayoutEffect(() => {
    pageGuard.set({ title, holds })
    return () => pageGuard.set(undefined)
  }, [title, holds])
  useEffect(() => {
    const block = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault()
    }
    window.addEventListener('beforeunload', block)
    return () => window.removeEventListener('beforeunload', block)
  }, [])
  return isDrawerOpen ? null : <WithinConsole title={title} holds={holds} findFocus={findFocus} />
}

type WithinConsoleProps = Readonly<{ title: string; holds: Holds; findFocus: LeavingGuardProps['findFocus'] }>

/** Navigation within the console; an open drawer asks instead. */
function WithinConsole({ title, holds, findFocus }: WithinConsoleProps) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => holds(currentLocation, nextLocation))
  const [isLeaving, setLeaving] = useState(false)
  const hasLeft = useRef(false)
  useEffect(() => {
    if (blocker.state !== 'unblocked' || !hasLeft.current) return
    hasLeft.current = false
    setLeaving(false)
    // A setting that was searched for may already have the focus.
    if (findFocus && isFocusFree()) focusFirst(findFocus)
  }, [blocker.state, findFocus])
  // Unmounts immediately, so that it does not keep the focus while fading.
  if (isLeaving) return null
  const confirm = () => {
    setLeaving(true)
    hasLeft.current = true
    blocker.proceed?.()
  }
  const isOpen = blocker.state === 'blocked'
  return <LeavingQuestion leaving={{ isOpen, title, confirm, stay: () => blocker.reset?.() }} />
}

type Holds = (from: Location, to: Location) => boolean

/** Whether a navigation loses input. Not for a logout, nor for a user who may no longer see the page. */
const holding =
  (scopeOf: (location: Location) => string): Holds =>
  (from, to) =>
    knownUser() !== undefined && hasUnsaved() && scopeOf(from) !== scopeOf(to)

const pathOf = ({ pathname }: Location): string => pathname
