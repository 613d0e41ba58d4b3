import { Classes } from '@blueprintjs/core'
import { type RefObject, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'

/** Navigation state that runs the target page's primary action. */
export const mainAction = { does: 'main-action' } as const
const navigationState = z.object({ does: z.literal(mainAction.does) })

/**
 * Clicks the page's main button if the navigation requested it; only once, since the request is removed first. The
 * button is next to the title, or in the empty state: one with primary intent, or marked `data-main-action`.
 */
export function useMainAction(frame: RefObject<HTMLElement | null>): void {
  const { state, pathname, search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (!navigationState.safeParse(state).success) return
    const button = frame.current?.querySelector<HTMLElement>(
      `button:is(.${Classes.INTENT_PRIMARY}, [data-main-action])`,
    )
    void navigate(pathname + search, { replace: true, state: null })
    button?.click()
  }, [frame, state, pathname, search, navigate])
}
