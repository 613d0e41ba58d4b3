import type { TextKey } from '../i18n.ts'
import type { MenuEntry } from '../page-routes.tsx'

/** Headings of the menu groups; the first group has none. */
export const groupLabels = {
  start: undefined,
  console: 'label.console',
  admin: 'label.admin',
  personal: 'label.personal',
} as const satisfies Record<MenuEntry['group'], TextKey | undefined>
