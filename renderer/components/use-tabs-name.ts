import { useLayoutEffect } from 'react'

/** Labels the tab list of this id on each render; Blueprint's tabs do not accept a label. */
export function useTabsName(id: string, name: string): void {
  useLayoutEffect(() => {
    const tab = document.querySelector(`[role=tab][id^="bp6-tab-title_${id}_"]`)
    tab?.closest('[role=tablist]')?.setAttribute('aria-label', name)
  })
}
