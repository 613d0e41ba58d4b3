import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadPageStyles } from '../../page-styles.ts'
import { showSuccess } from '../toasts.tsx'
import { copyText } from './copy.ts'
import { CopyDialog } from './copy-dialog.tsx'

/** A verb that copies, and the dialog to render for when copying is not allowed (docs/reference/screens.md#tokens). */
export type Copying = Readonly<{ copy: (text: string, shown?: string) => void; dialog: ReactNode }>

/** Copies and says so; `shown` is said in place of a secret. When the browser refuses, a dialog holds the text. */
export function useCopy(): Copying {
  const { t } = useTranslation()
  const [refused, setRefused] = useState<string>()
  const copy = async (text: string, shown = text) => {
    if (await copyText(text)) showSuccess(t('copy.ok', { text: shown }))
    else void loadPageStyles().finally(() => setRefused(text))
  }
  return {
    copy: (text, shown) => void copy(text, shown),
    dialog: <CopyDialog text={refused} onClose={() => setRefused(undefined)} />,
  }
}
