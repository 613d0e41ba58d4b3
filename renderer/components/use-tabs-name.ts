import { useLayoutEffect } from 'react'

/** Names the list of the tabs that have this id, whenever they are drawn; Blueprint's own tabs take no name. */
export function useTabsName(id: string, name: string): void {
  useLayoutEffect(() => {
    const tab = document.querySelector(`[role=tab][id^="bp6-tab-title_${id}_"]`)
    tab?.closest('[role=tablist]')?.setAttribute('aria-label', name)
  })
}
