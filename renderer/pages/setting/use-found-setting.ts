import { useEffect } from 'react'
import { isOptionKey, type OptionKey } from '../../../shared/options/index.ts'
import { settingLocation } from '../../components/setting-search/setting-index.ts'
import { sectionOf } from './use-current-section.ts'

/**
 * Leads to the setting named by `key` in the address: scrolls to it, marks it until it loses focus, and focuses its
 * control. Custom panels mark their settings with `data-option`; without a mark, the whole panel is shown.
 */
export function useFoundSetting(key: string | null, visit: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit leads there again, even to the same setting
  useEffect(() => {
    if (key === null || !isOptionKey(key)) return
    const field = fieldOf(key)
    if (field?.checkVisibility()) return show(field)
    const panel = settingLocation(key)?.panel
    const section = panel && sectionOf(panel)
    section?.scrollIntoView({ block: 'start' })
    // The panel's code may still be loading, or search results may replace the tabs.
    const watcher = new MutationObserver(() => {
      const late = fieldOf(key)
      if (!late?.checkVisibility()) return
      watcher.disconnect()
      show(late)
    })
    watcher.observe(document.body, { childList: true, subtree: true, attributes: true })
    return () => watcher.disconnect()
  }, [key, visit])
}

const fieldOf = (key: OptionKey): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-option="${CSS.escape(key)}"]`)

function show(field: HTMLElement): void {
  field.scrollIntoView({ block: 'center' })
  field.querySelector<HTMLElement>('input, textarea, select, button')?.focus({ preventScroll: true })
  field.dataset.found = ''
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && field.contains(relatedTarget)) return
    delete field.dataset.found
    field.removeEventListener('focusout', leave)
  }
  field.addEventListener('focusout', leave)
}
