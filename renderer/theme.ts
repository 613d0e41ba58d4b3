import { Classes } from '@blueprintjs/core'
import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { useStored } from './api/stored.ts'

/** Any other stored value means no choice. */
const mode = z.enum(['light', 'dark'])
/** `system` follows the device and is stored as no value. */
export type Theme = z.output<typeof mode> | 'system'

export function useTheme(): { theme: Theme; isDark: boolean; choose: (theme: Theme) => void } {
  const [stored, store] = useStored('theme-mode', mode)
  const prefersDark = useSyncExternalStore(onSystemChange, () => system.matches)
  return {
    theme: stored ?? 'system',
    isDark: stored ? stored === 'dark' : prefersDark,
    choose: (theme) => store(theme === 'system' ? undefined : theme),
  }
}

/** Sets the theme on the root element, as public/theme.js does before the first paint. */
export function paintTheme(isDark: boolean): void {
  document.documentElement.classList.toggle(Classes.DARK, isDark)
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
}

/** The device's preference, which may change at any time. */
const system = window.matchMedia('(prefers-color-scheme: dark)')

function onSystemChange(listener: () => void): () => void {
  system.addEventListener('change', listener)
  return () => system.removeEventListener('change', listener)
}
