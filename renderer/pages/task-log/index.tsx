import { Music } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type TaskView, task } from '../../../shared/api/task.ts'
import { role, taskActionLabel } from '../../../shared/enums.ts'
import { sendWhole } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { areaOf } from '../../api/use-call.ts'
import { type PageQuery, type PageRows, usePage } from '../../api/use-page.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { NoMatch } from '../../components/blank-state/no-match.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { PageTable } from '../../components/page-table/page-table.tsx'
import { freshTasks, isFiltered, type TaskFilter, unfiltered } from '../../components/task-log/task-filter.ts'
import { TaskFilters } from '../../components/task-log/task-filters.tsx'
import { useTaskFilter } from '../../components/task-log/use-task-filter.ts'
import { PageLinks } from '../../shell/page-links.tsx'
import { useTranslation } from '../../translation.ts'
import { useTaskColumns } from './columns.tsx'

/** The task log: one's own, or everyone's for administrators (docs/reference/screens.md#drawing-and-task-logs). */
export default function TaskLogPage() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const isAdmin = (useUser()?.role ?? role.visitor) >= role.admin
  const [filter, narrow] = useTaskFilter(freshTasks)
  const page = usePage(isAdmin ? task.list : task.own, filter, isAdmin ? cutAll : cutOwn)
  const columns = useTaskColumns(isAdmin)
  const label = t('label.taskLogs')
  const view = useMemo(
    () => ({
      label,
      columns,
      keyOf: (row: TaskView) => row.id,
      nameOf: (row: TaskView) => `${t(taskActionLabel(row.action))} ${row.task_id}`,
    }),
    [t, label, columns],
  )
  const query = (next: TaskFilter) => {
    narrow(next)
    void queries.invalidateQueries({ queryKey: [areaOf(task.list)] })
  }
  return (
    <PageFrame
      title={label}
      action={<PageLinks on="/log" hasSelf />}
      filters={<TaskFilters filter={filter} fresh={freshTasks} isAdmin={isAdmin} onQuery={query} />}
      isWide
    >
      <PageTable
        view={view}
        page={page}
        empty={<Nothing isFiltered={isFiltered(filter)} onClear={() => query(unfiltered(filter))} />}
      />
    </PageFrame>
  )
}

const queryOf = ({ filter: { taskId, start, end }, index, size }: PageQuery<TaskFilter>) => ({
  task_id: taskId,
  platform: '',
  action: '',
  status: '',
  start_timestamp: start ?? 0,
  end_timestamp: end ?? 0,
  p: index,
  page_size: size,
})

async function cutAll(pageQuery: PageQuery<TaskFilter>): Promise<PageRows<TaskView>> {
  const query = { ...queryOf(pageQuery), channel_id: pageQuery.filter.channel }
  const { data: rows, extras } = await sendWhole(task.list, { query }, pageQuery.manner)
  return { rows, total: extras.total, isMore: extras.has_more }
}

async function cutOwn(pageQuery: PageQuery<TaskFilter>): Promise<PageRows<TaskView>> {
  const { data: rows, extras } = await sendWhole(task.own, { query: queryOf(pageQuery) }, pageQuery.manner)
  return { rows, total: extras.total, isMore: extras.has_more }
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { t } = useTranslation()
  const icon = <Music size={48} />
  const miss = { icon, title: t('tasks.noMatch'), description: t('log.noMatchHint'), onClear }
  if (isFiltered) return <NoMatch {...miss} />
  return <BlankState icon={icon} title={t('tasks.noTasks')} description={t('tasks.noTasksHint')} />
}
