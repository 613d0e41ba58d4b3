import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { showSuccess } from '../toasts.ts'

/** Seldom needed. */
const CopyDialog = lazy(() => import('./copy-dialog.tsx'))

/** A verb that copies, and the dialog to render for when copying is not allowed (docs/reference/screens.md#tokens). */
export type Copying = Readonly<{ copy: (text: string, shown?: string) => void; dialog: ReactNode }>

/** Copies and says so; `shown` is said in place of a secret. When the browser refuses, a dialog holds the text. */
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

/** Puts a text on the clipboard; false when the browser allows neither way (an address without TLS may have only the old one). */
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

/** The way of old browsers and of addresses without TLS; the focus returns to where it was. */
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
