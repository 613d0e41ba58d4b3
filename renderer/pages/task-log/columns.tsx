import './task-log.css'
import { Spinner } from '@blueprintjs/core'
import { useMemo } from 'react'
import type { TaskView } from '../../../shared/api/task.ts'
import { taskActionLabel, taskStatus, taskStatusLabel } from '../../../shared/enums.ts'
import type { TagColour } from '../../components/hash-tag/colour-of.ts'
import { HashTag } from '../../components/hash-tag/hash-tag.tsx'
import type { Column } from '../../components/page-table/page-table.tsx'
import { byNeed } from '../../components/task-log/by-need.ts'
import { LongText } from '../../components/task-log/long-text.tsx'
import { ChannelId, Elapsed, KindTag, shareOf } from '../../components/task-log/task-cells.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useCompact } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'

/** Columns of the task log (docs/reference/screens.md#drawing-and-task-logs); the channel is for administrators. */
export function useTaskColumns(isAdmin: boolean): readonly Column<TaskView>[] {
  const { t } = useTranslation()
  const isCompact = useCompact()
  return useMemo(() => {
    const channel: Column<TaskView> = {
      id: 'channel',
      title: t('label.channel'),
      isSecondary: isCompact,
      cell: (row) => <ChannelId id={row.channel_id ?? 0} />,
    }
    const all: readonly Column<TaskView>[] = [
      { id: 'submitted', title: t('label.submitTime'), cell: (row) => <TimeText at={row.submit_time} isShort /> },
      {
        id: 'finished',
        title: t('label.finishTime'),
        isSecondary: isCompact,
        cell: (row) => <TimeText at={row.finish_time} isShort />,
      },
      { id: 'progress', title: t('label.progress'), cell: (row) => <Progress row={row} /> },
      {
        id: 'elapsed',
        title: t('label.elapsed'),
        isSecondary: isCompact,
        cell: (row) => <Elapsed submittedMs={row.submit_time * 1000} finishedMs={row.finish_time * 1000} />,
      },
      ...(isAdmin ? [channel] : []),
      {
        id: 'platform',
        title: t('label.platform'),
        isSecondary: isCompact,
        cell: ({ platform }) => <HashTag text={platform} />,
      },
      {
        id: 'type',
        title: t('label.type'),
        cell: ({ action }) => <KindTag text={t(taskActionLabel(action))} colour={actionColours.get(action)} />,
      },
      {
        id: 'task',
        title: t('label.taskId'),
        isSecondary: isCompact,
        cell: (row) => (
          <LongText text={row.task_id} title={t('tasks.detail')} whole={() => JSON.stringify(row, null, 2)} />
        ),
      },
      {
        id: 'status',
        title: t('label.status'),
        cell: ({ status, fail_reason: reason }) => (
          <span title={reason || undefined}>
            <KindTag text={t(taskStatusLabel(status))} colour={statusColours.get(status)} />
          </span>
        ),
      },
    ]
    return isCompact ? byNeed(all, first) : all
  }, [t, isAdmin, isCompact])
}

const first = ['submitted', 'type', 'status', 'progress', 'elapsed']

/** A task's progress as a text; if it is a number, with a circle, which is yellow if the task has failed. */
function Progress({ row: { progress, status } }: { row: TaskView }) {
  const { t } = useTranslation()
  const share = shareOf(progress)
  if (share === undefined) return <span>{progress || '—'}</span>
  return (
    <span className="task-progress tabular">
      <Spinner
        aria-label={t('label.progress')}
        size={24}
        value={share}
        intent={status === taskStatus.failure ? 'warning' : 'primary'}
      />
      {progress}
    </span>
  )
}

const actionColours: ReadonlyMap<string, TagColour> = new Map<string, TagColour>([
  ['MUSIC', 'blue'],
  ['LYRICS', 'pink'],
])

const statusColours: ReadonlyMap<string, TagColour> = new Map<string, TagColour>([
  [taskStatus.success, 'green'],
  [taskStatus.notStarted, 'grey'],
  [taskStatus.submitting, 'grey'],
  [taskStatus.submitted, 'yellow'],
  [taskStatus.queued, 'yellow'],
  [taskStatus.running, 'blue'],
  [taskStatus.failure, 'red'],
])
