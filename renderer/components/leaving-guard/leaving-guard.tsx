import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Location, useBlocker } from 'react-router-dom'
import { knownUser } from '../../api/session.ts'
import { hasUnsaved } from '../../api/unsaved.ts'
import { focusFirst, isFocusFree } from '../focus-after.ts'
import { LeavingQuestion } from '../side-drawer/leaving-question.tsx'
import { guardedDrawers, pageGuard } from '../side-drawer/use-leaving.ts'

type LeavingGuardProps = Readonly<{
  /** The page's, as the question names it. */
  title: string
  /**
   * What of an address closes the forms where it changes: the path unless said otherwise; what else is in it opens nothing that
   * would. Declared outside of components.
   */
  placeOf?: (location: Location) => string
  /** What has the focus after a yes that stays on the page, where nothing else has taken it. */
  findFocus?: () => Element | null
}>

/** Asks before what was changed and not saved is lost: at another place, and where the window is closed or reloaded. */
export function LeavingGuard({ title, placeOf = pathOf, findFocus }: LeavingGuardProps) {
  const isDrawerOpen = guardedDrawers.use() > 0
  const holds = useMemo(() => holding(placeOf), [placeOf])
  useLayoutEffect(() => {
    pageGuard.set({ title, holds })
    return () => pageGuard.set(undefined)
  }, [title, holds])
  useEffect(() => {
    const hold = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault()
    }
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [])
  return isDrawerOpen ? null : <WithinConsole title={title} holds={holds} findFocus={findFocus} />
}

type WithinConsoleProps = Readonly<{ title: string; holds: Holds; findFocus: LeavingGuardProps['findFocus'] }>

/** Within the console; a drawer that is open asks in its place. */
function WithinConsole({ title, holds, findFocus }: WithinConsoleProps) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => holds(currentLocation, nextLocation))
  const [isLeaving, setLeaving] = useState(false)
  const hasLeft = useRef(false)
  useEffect(() => {
    if (blocker.state !== 'unblocked' || !hasLeft.current) return
    hasLeft.current = false
    setLeaving(false)
    // A setting that was looked for has it by now.
    if (findFocus && isFocusFree()) focusFirst(findFocus)
  }, [blocker.state, findFocus])
  // Gone at once, it does not hold the focus while it fades.
  if (isLeaving) return null
  const confirm = () => {
    setLeaving(true)
    hasLeft.current = true
    blocker.proceed?.()
  }
  const isAsking = blocker.state === 'blocked'
  return <LeavingQuestion leaving={{ isAsking, title, confirm, stay: () => blocker.reset?.() }} />
}

type Holds = (from: Location, to: Location) => boolean

/** Whether going there loses something. Who logs out leaves everything; so does who the page no longer belongs to. */
const holding =
  (placeOf: (location: Location) => string): Holds =>
  (from, to) =>
    knownUser() !== undefined && hasUnsaved() && placeOf(from) !== placeOf(to)

const pathOf = ({ pathname }: Location): string => pathname
