import type { TextKey } from '../i18n.ts'
import type { MenuEntry } from '../page-routes.tsx'

/** The headings of the menu's groups; the first group stands without one. */
export const groupLabels = {
  start: undefined,
  console: 'label.console',
  admin: 'label.admin',
  personal: 'label.personal',
} as const satisfies Record<MenuEntry['group'], TextKey | undefined>
