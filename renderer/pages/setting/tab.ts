import { type TabName, tabs } from '../../../shared/options/panels.ts'

/** The tab that an address names; the first one without (docs/reference/screens.md#settings). */
export function tabIn(query: URLSearchParams): TabName {
  const named = query.get('tab')
  return tabs.find((tab) => tab === named) ?? tabs[0]
}
