import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import type { DrawingView } from '../../../shared/api/task.ts'
import { later } from '../../components/later.tsx'
import { useTranslation } from '../../translation.ts'

const ImageDialog = later(async () => (await import('./image-dialog.tsx')).ImageDialog)

/** Opens the picture of a drawing, where it has one. */
export function ImageButton({ row: { image_url: url, video_urls: videos, mj_id: id } }: { row: DrawingView }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (url === '' && videos.length === 0) return <span>—</span>
  return (
    <>
      <Button
        size="small"
        text={t('label.view')}
        aria-label={t('tasks.viewImage', { id })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && <ImageDialog id={id} url={url} videos={videos} onClose={() => setOpen(false)} />}
    </>
  )
}
