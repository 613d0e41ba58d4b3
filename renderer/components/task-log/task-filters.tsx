import './task-filters.css'
import { Button, InputGroup } from '@blueprintjs/core'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { FilterBar } from '../filter-bar/filter-bar.tsx'
import { TimeRange } from '../time-range/time-range.tsx'
import type { TaskFilter } from './task-filter.ts'

type TaskFiltersProps = Readonly<{
  filter: TaskFilter
  /** Creates the default filter on each reset. */
  fresh: () => TaskFilter
  isAdmin: boolean
  onQuery: (filter: TaskFilter) => void
}>

/** Filters of drawings and tasks (docs/reference/screens.md#drawing-and-task-logs); applied on submit. */
export function TaskFilters({ filter, fresh, isAdmin, onQuery }: TaskFiltersProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState({ of: filter, typed: filter })
  // Input is discarded when the filter changes, for example by going back.
  const typed = draft.of === filter ? draft.typed : filter
  const set = (change: Partial<TaskFilter>) => setDraft({ of: filter, typed: { ...typed, ...change } })
  const reset = () => {
    const next = fresh()
    setDraft({ of: filter, typed: next })
    onQuery(next)
  }
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
      <Button variant="minimal" text={t('label.reset')} onClick={reset} />
    </FilterBar>
  )
}
