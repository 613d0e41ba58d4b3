import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { showSuccess } from '../toasts.ts'
import { copyText } from './copy.ts'

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
