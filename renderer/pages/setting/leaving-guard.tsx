import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Location, useBlocker } from 'react-router-dom'
import { knownUser } from '../../api/session.ts'
import { hasUnsaved } from '../../api/unsaved.ts'
import { focusFirst, isFocusFree } from '../../components/focus-after.ts'
import { LeavingQuestion } from '../../components/side-drawer/leaving-question.tsx'
import { guardedDrawers, pageGuard } from '../../components/side-drawer/use-leaving.ts'
import { tabIn } from './tab.ts'

/** Asks before what was changed and not saved is lost: at another tab, another page, and where the window is closed or reloaded. */
export function LeavingGuard() {
  const { t } = useTranslation()
  const title = t('page.setting')
  const isDrawerOpen = guardedDrawers.use() > 0
  useLayoutEffect(() => {
    pageGuard.set({ title, holds })
    return () => pageGuard.set(undefined)
  }, [title])
  useEffect(() => {
    const hold = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault()
    }
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [])
  return isDrawerOpen ? null : <WithinConsole title={title} />
}

/** Within the console; a drawer that is open asks in its place. */
function WithinConsole({ title }: { title: string }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => holds(currentLocation, nextLocation))
  const [isLeaving, setLeaving] = useState(false)
  const hasLeft = useRef(false)
  useEffect(() => {
    if (blocker.state !== 'unblocked' || !hasLeft.current) return
    hasLeft.current = false
    setLeaving(false)
    // A setting that was looked for has it by now.
    if (isFocusFree()) focusFirst(() => document.querySelector('.setting-tabs > [role=tablist] > [aria-selected=true]'))
  }, [blocker.state])
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

/** Whether going there loses something. Who logs out leaves everything; so does who the page no longer belongs to. */
const holds = (from: Location, to: Location): boolean =>
  knownUser() !== undefined && hasUnsaved() && placeOf(from) !== placeOf(to)

/** The page and its tab: what else is in the address opens nothing that would close a form. */
const placeOf = ({ pathname, search }: Location): string => `${pathname} ${tabIn(new URLSearchParams(search))}`
