import { useEffect } from 'react'
import { isOptionKey, type OptionKey } from '../../../shared/options/index.ts'
import { settingPlace } from '../../components/setting-search/setting-index.ts'
import { sectionOf } from './use-current-section.ts'

/**
 * Leads to the setting that the address names in `key`: it comes into sight, is marked until it is left, and its control has
 * the focus. A panel that draws its settings in another way marks them with `data-option`; one without is shown whole.
 */
export function useFoundSetting(key: string | null, visit: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit leads there once more, also to the same setting
  useEffect(() => {
    if (key === null || !isOptionKey(key)) return
    const field = fieldOf(key)
    if (field?.checkVisibility()) return show(field)
    const panel = settingPlace(key)?.panel
    const section = panel && sectionOf(panel)
    section?.scrollIntoView({ block: 'start' })
    // Its code may still be on the way, or what was found stand in the place of the tabs.
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
