import './drawing-log.css'
import { Button, ProgressBar } from '@blueprintjs/core'
import { useMemo, useState } from 'react'
import type { DrawingView } from '../../../shared/api/task.ts'
import { drawingActionLabel, drawingStatus, drawingStatusLabel, drawingSubmitLabel } from '../../../shared/enums.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import type { TagColour } from '../../components/hash-tag/colour-of.ts'
import { later } from '../../components/later.tsx'
import type { Column } from '../../components/page-table/page-table.tsx'
import { byNeed } from '../../components/task-log/by-need.ts'
import { LongText } from '../../components/task-log/long-text.tsx'
import { ChannelId, Elapsed, KindTag, shareOf } from '../../components/task-log/task-cells.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useCompact } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'

type DrawingColumn = Column<DrawingView>

/** Columns of the drawing log (docs/reference/screens.md#drawing-and-task-logs); the channel is for administrators. */
export function useDrawingColumns(isAdmin: boolean): readonly DrawingColumn[] {
  const { t } = useTranslation()
  const isCompact = useCompact()
  return useMemo(() => {
    const long = (id: string, title: string, textOf: (row: DrawingView) => string): DrawingColumn => ({
      id,
      title,
      isSecondary: true,
      cell: (row) => <LongText text={textOf(row)} title={title} />,
    })
    const channel: DrawingColumn = {
      id: 'channel',
      title: t('label.channel'),
      isSecondary: isCompact,
      cell: (row) => <ChannelId id={row.channel_id} />,
    }
    const all: readonly DrawingColumn[] = [
      {
        id: 'submitted',
        title: t('label.submitTime'),
        cell: (row) => <TimeText at={Math.floor(row.submit_time / 1000)} isShort />,
      },
      {
        id: 'elapsed',
        title: t('label.elapsed'),
        isSecondary: isCompact,
        cell: (row) => <Elapsed submittedMs={row.submit_time} finishedMs={row.finish_time} />,
      },
      ...(isAdmin ? [channel] : []),
      {
        id: 'type',
        title: t('label.type'),
        cell: ({ action }) => <KindTag text={t(drawingActionLabel(action))} colour={actionColours.get(action)} />,
      },
      { id: 'task', title: t('label.taskId'), isSecondary: isCompact, cell: (row) => <TaskId id={row.mj_id} /> },
      {
        id: 'result',
        title: t('label.submitResult'),
        isSecondary: isCompact,
        cell: ({ code }) => <KindTag text={t(drawingSubmitLabel(code))} colour={submitColours.get(code) ?? 'yellow'} />,
      },
      {
        id: 'status',
        title: t('label.status'),
        cell: ({ status }) => <KindTag text={t(drawingStatusLabel(status))} colour={statusColours.get(status)} />,
      },
      { id: 'progress', title: t('label.progress'), cell: (row) => <Progress row={row} /> },
      { id: 'image', title: t('label.resultImage'), cell: (row) => <ImageButton row={row} /> },
      long('prompt', t('label.prompt'), ({ prompt }) => prompt),
      long('english', t('label.englishPrompt'), ({ prompt_en }) => prompt_en),
      long('reason', t('label.failureReason'), ({ fail_reason }) => fail_reason),
    ]
    return isCompact ? byNeed(all, first) : all
  }, [t, isAdmin, isCompact])
}

const first = ['submitted', 'type', 'status', 'progress', 'image']

function TaskId({ id }: { id: string }) {
  const { t } = useTranslation()
  if (id === '') return <span>—</span>
  const shown = id.length > MAX_SHOWN ? `${id.slice(0, MAX_SHOWN)}…` : id
  return <CopyValue value={id} shown={shown} label={t('tasks.copyId')} />
}

const MAX_SHOWN = 20

function Progress({ row: { progress, status } }: { row: DrawingView }) {
  const { t } = useTranslation()
  const share = shareOf(progress)
  if (share === undefined) return <span>{progress || '—'}</span>
  const isFailed = status === drawingStatus.failure
  return (
    <span className="drawing-progress tabular">
      <ProgressBar
        aria-label={t('label.progress')}
        value={share}
        intent={isFailed ? 'warning' : 'primary'}
        animate={false}
        stripes={false}
      />
      {progress}
    </span>
  )
}

const actionColours: ReadonlyMap<string, TagColour> = new Map<string, TagColour>([
  ['IMAGINE', 'blue'],
  ['UPSCALE', 'orange'],
  ['VARIATION', 'purple'],
  ['HIGH_VARIATION', 'purple'],
  ['LOW_VARIATION', 'purple'],
  ['REROLL', 'indigo'],
  ['PAN', 'cyan'],
  ['DESCRIBE', 'yellow'],
  ['BLEND', 'lime'],
  ['UPLOAD', 'blue'],
  ['SHORTEN', 'pink'],
  ['INPAINT', 'violet'],
  ['ZOOM', 'teal'],
  ['CUSTOM_ZOOM', 'teal'],
  ['MODAL', 'green'],
  ['SWAP_FACE', 'green'],
  ['EDITS', 'violet'],
  ['VIDEO', 'indigo'],
])

const submitColours: ReadonlyMap<number, TagColour> = new Map<number, TagColour>([
  [1, 'green'],
  [21, 'lime'],
  [22, 'orange'],
])

const statusColours: ReadonlyMap<string, TagColour> = new Map<string, TagColour>([
  [drawingStatus.success, 'green'],
  [drawingStatus.notStarted, 'grey'],
  [drawingStatus.submitted, 'yellow'],
  [drawingStatus.modal, 'yellow'],
  [drawingStatus.running, 'blue'],
  [drawingStatus.failure, 'red'],
])

const ImageDialog = later(async () => (await import('./image-dialog.tsx')).ImageDialog)

function ImageButton({ row: { image_url: url, video_urls: videos, mj_id: id } }: { row: DrawingView }) {
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
