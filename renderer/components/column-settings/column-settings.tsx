import { ListColumns } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { onceOpen } from '../later.tsx'
import { FrameButton } from '../page-frame/frame-button.tsx'
import type { ColumnSettingsProps } from './columns-dialog.tsx'

const ColumnsDialog = onceOpen(async () => (await import('./columns-dialog.tsx')).ColumnsDialog)

/** The button with the dialog where columns are chosen; a choice shows at once, and one column always stays. */
export function ColumnSettings(choice: ColumnSettingsProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <FrameButton icon={<ListColumns />} label={t('label.columnSettings')} onClick={() => setOpen(true)} />
      <ColumnsDialog isOpen={isOpen} onClose={() => setOpen(false)} {...choice} />
    </>
  )
}
