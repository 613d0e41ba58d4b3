import './task-filters.css'
import { Button, InputGroup } from '@blueprintjs/core'
import { useTranslation } from '../../translation.ts'
import { FilterBar } from '../filter-bar/filter-bar.tsx'
import { useTyped } from '../filter-bar/use-typed.ts'
import { TimeRange } from '../time-range/time-range.tsx'
import type { TaskFilter } from './task-filter.ts'

type TaskFiltersProps = Readonly<{
  filter: TaskFilter
  /** Creates the default filter on each reset. */
  fresh: () => TaskFilter
  isAdmin: boolean
  onQuery: (filter: TaskFilter) => void
}>

/** Filters of drawings and tasks (docs/reference/screens.md#drawing-and-task-logs). */
export function TaskFilters({ filter, fresh, isAdmin, onQuery }: TaskFiltersProps) {
  const { t } = useTranslation()
  const { typed, type } = useTyped(filter)
  const set = (change: Partial<TaskFilter>) => type({ ...typed, ...change })
  return (
    <FilterBar onQuery={() => onQuery({ ...typed, taskId: typed.taskId.trim() })}>
      {isAdmin && (
        <InputGroup
          className="task-filters-text"
          placeholder={t('log.channelId')}
          aria-label={t('log.channelId')}
          inputMode="numeric"
          autoComplete="off"
          value={typed.channel === 0 ? '' : String(typed.channel)}
          onValueChange={(text) => set({ channel: Number(text.replace(/\D/g, '').slice(0, 15)) })}
        />
      )}
      <InputGroup
        className="task-filters-text"
        placeholder={t('label.taskId')}
        aria-label={t('label.taskId')}
        autoComplete="off"
        value={typed.taskId}
        onValueChange={(taskId) => set({ taskId })}
      />
      <TimeRange start={typed.start} end={typed.end} onChange={({ start, end }) => set({ start, end })} />
      <Button variant="minimal" text={t('label.reset')} data-applies onClick={() => type(fresh())} />
    </FilterBar>
  )
}
