import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { showSuccess } from '../toasts.ts'

const CopyDialog = lazy(() => import('./copy-dialog.tsx'))

/**
 * A copy function, and the dialog to render for when the clipboard is not available
 * (docs/reference/screens.md#tokens).
 */
type Copying = Readonly<{ copy: (text: string, shown?: string) => void; dialog: ReactNode }>

/**
 * Copies a text and confirms it; the confirmation shows `shown` instead of a secret. If the browser refuses, a dialog
 * shows the text.
 */
export function useCopy(): Copying {
  const { t } = useTranslation()
  const [refused, setRefused] = useState<string>()
  const [isWanted, setWanted] = useState(false)
  const copy = async (text: string, shown = text) => {
    if (await copyText(text)) showSuccess(t('copy.ok', { text: shown }))
    else {
      setWanted(true)
      setRefused(text)
    }
  }
  return {
    copy: (text, shown) => void copy(text, shown),
    dialog: <Suspense>{isWanted && <CopyDialog text={refused} onClose={() => setRefused(undefined)} />}</Suspense>,
  }
}

/** Writes to the clipboard; returns false if neither API is allowed (without TLS only the legacy one may exist). */
async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copySelection(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (refusal) {
    if (refusal instanceof DOMException) return copySelection(text)
    throw refusal
  }
}

/** Copies through the legacy API, which also works on pages without TLS; restores the focus. */
function copySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const focused = document.activeElement
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
