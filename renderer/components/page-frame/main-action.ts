import { Classes } from '@blueprintjs/core'
import { type RefObject, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'

/** Passed as the state of a navigation: go there and do the page's main action. */
export const mainAction = { does: 'main-action' } as const
const asked = z.object({ does: z.literal(mainAction.does) })

/**
 * Does the page's one primary action when the navigation that led here asked for it; once, for the request is taken away first.
 * Its button is at the title, or in the empty list that stands in for everything.
 */
export function useMainAction(frame: RefObject<HTMLElement | null>): void {
  const { state, pathname, search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (!asked.safeParse(state).success) return
    const button = frame.current?.querySelector<HTMLElement>(`button.${Classes.INTENT_PRIMARY}`)
    void navigate(pathname + search, { replace: true, state: null })
    button?.click()
  }, [frame, state, pathname, search, navigate])
}
