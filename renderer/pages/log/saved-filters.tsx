import { Bookmark } from '@blueprintjs/icons'
import { useState } from 'react'
import { onceOpen } from '../../components/later.tsx'
import { FrameButton } from '../../components/page-frame/frame-button.tsx'
import { useTranslation } from '../../translation.ts'
import type { LogFilter } from './log-filter.ts'

const SavedFiltersDialog = onceOpen(async () => (await import('./saved-filters-dialog.tsx')).SavedFiltersDialog)

type SavedFiltersProps = Readonly<{ filter: LogFilter; onFilter: (filter: LogFilter) => void }>

/** The button with the filters that the person has saved. */
export function SavedFilters(props: SavedFiltersProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <FrameButton icon={<Bookmark />} label={t('log.saved')} onClick={() => setOpen(true)} />
      <SavedFiltersDialog isOpen={isOpen} onClose={() => setOpen(false)} {...props} />
    </>
  )
}
