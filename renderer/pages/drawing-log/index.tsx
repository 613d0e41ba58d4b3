import { Callout } from '@blueprintjs/core'
import { Media } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type DrawingView, drawing } from '../../../shared/api/task.ts'
import { role } from '../../../shared/enums.ts'
import { sendWhole } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { areaOf } from '../../api/use-call.ts'
import { type PageQuery, type PageRows, usePage } from '../../api/use-page.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { NoMatch } from '../../components/blank-state/no-match.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { PageTable } from '../../components/page-table/page-table.tsx'
import { freshDrawings, isFiltered, type TaskFilter, unfiltered } from '../../components/task-log/task-filter.ts'
import { TaskFilters } from '../../components/task-log/task-filters.tsx'
import { useTaskFilter } from '../../components/task-log/use-task-filter.ts'
import { PageLinks } from '../../shell/page-links.tsx'
import { useTranslation } from '../../translation.ts'
import { useDrawingColumns } from './columns.tsx'

/** The drawing log: one's own, or everyone's for administrators (docs/reference/screens.md#drawing-and-task-logs). */
export default function DrawingLogPage() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const isAdmin = (useUser()?.role ?? role.visitor) >= role.admin
  const { mj_notify_enabled: takesCallbacks } = useStatus()
  const [filter, narrow] = useTaskFilter(freshDrawings)
  const page = usePage(isAdmin ? drawing.list : drawing.own, filter, isAdmin ? cutAll : cutOwn)
  const columns = useDrawingColumns(isAdmin)
  const label = t('label.drawingLogs')
  const view = useMemo(() => ({ label, columns, keyOf: (row: DrawingView) => row.id, nameOf }), [label, columns])
  const query = (next: TaskFilter) => {
    narrow(next)
    void queries.invalidateQueries({ queryKey: [areaOf(drawing.list)] })
  }
  return (
    <PageFrame
      title={label}
      action={<PageLinks on="/log" hasSelf />}
      filters={<TaskFilters filter={filter} fresh={freshDrawings} isAdmin={isAdmin} onQuery={query} />}
      isWide
    >
      {isAdmin && !takesCallbacks && (
        <Callout className="drawing-notice" intent="primary">
          {t('tasks.callbacksOff')}
        </Callout>
      )}
      <PageTable
        view={view}
        page={page}
        empty={<Nothing isFiltered={isFiltered(filter)} onClear={() => query(unfiltered(filter))} />}
      />
    </PageFrame>
  )
}

/** A row's name for screen readers; an id is meaningless when read aloud. */
const nameOf = ({ mj_id: id, prompt }: DrawingView): string => prompt.slice(0, 60) || id

/** Times of drawings are in milliseconds. */
const queryOf = ({ filter: { taskId, start, end }, index, size }: PageQuery<TaskFilter>) => ({
  mj_id: taskId,
  start_timestamp: (start ?? 0) * 1000,
  end_timestamp: (end ?? 0) * 1000,
  p: index,
  page_size: size,
})

async function cutAll(pageQuery: PageQuery<TaskFilter>): Promise<PageRows<DrawingView>> {
  const query = { ...queryOf(pageQuery), channel_id: pageQuery.filter.channel }
  const { data: rows, extras } = await sendWhole(drawing.list, { query }, pageQuery.manner)
  return { rows, total: extras.total, isMore: extras.has_more }
}

async function cutOwn(pageQuery: PageQuery<TaskFilter>): Promise<PageRows<DrawingView>> {
  const { data: rows, extras } = await sendWhole(drawing.own, { query: queryOf(pageQuery) }, pageQuery.manner)
  return { rows, total: extras.total, isMore: extras.has_more }
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { t } = useTranslation()
  const icon = <Media size={48} />
  const miss = { icon, title: t('tasks.noMatch'), description: t('log.noMatchHint'), onClear }
  if (isFiltered) return <NoMatch {...miss} />
  return <BlankState icon={icon} title={t('tasks.noDrawings')} description={t('tasks.noDrawingsHint')} />
}
