import { type HotkeyConfig, HotkeysContext, useHotkeys } from '@blueprintjs/core'
import { lazy, type ReactNode, Suspense, useContext, useMemo, useState } from 'react'
import { useUser } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { useTranslation } from '../../translation.ts'
import { PaletteContext } from './palette-context.ts'
import { usePageKeys } from './use-page-keys.ts'

const CommandPalette = lazy(() => import('./command-palette.tsx'))

/**
 * Provides the command palette and the global shortcuts: Ctrl+K or ⌘K, `/`, `?`, and `g` with a page's key
 * (docs/reference/design.md#keyboard).
 */
export function PaletteHost({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const user = useUser()
  const { setup: isSetUp } = useStatus()
  const [isOpen, setOpen] = useState(false)
  const [isWanted, setWanted] = useState(false)
  const [, dispatch] = useContext(HotkeysContext)
  const hasPalette = user !== undefined && isSetUp
  const keys = useMemo(() => {
    const open = () => {
      setWanted(true)
      setOpen(true)
    }
    const everywhere = { global: true, preventDefault: true }
    const search = { ...everywhere, combo: '/', label: t('shortcut.search'), onKeyDown: () => focusSearch() }
    const help = { global: true, combo: 'shift+?', label: t('shortcut.help') }
    const palette = { ...everywhere, combo: 'mod+k', allowInInput: true, label: t('shortcut.palette'), onKeyDown: open }
    const all: readonly HotkeyConfig[] = hasPalette ? [palette, search, help] : [help]
    return { open, all }
  }, [t, hasPalette])
  useHotkeys(keys.all)
  usePageKeys()
  return (
    <PaletteContext value={keys.open}>
      {children}
      {isWanted && hasPalette && (
        <Suspense>
          <CommandPalette
            isOpen={isOpen}
            onClose={() => setOpen(false)}
            onShowShortcuts={() => dispatch({ type: 'OPEN_DIALOG' })}
          />
        </Suspense>
      )}
    </PaletteContext>
  )
}

/** Focuses the first field of the page's filters and selects its text. Does nothing on a page without filters. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main search input')
  field?.focus()
  field?.select()
}
