import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { TaskFilter } from './task-filter.ts'

/**
 * The filter of drawings or tasks, stored in the address so that it works with history and links; missing parts have
 * their defaults. Referentially stable while the address does not change.
 */
export function useTaskFilter(fresh: () => TaskFilter): [filter: TaskFilter, narrow: (next: TaskFilter) => void] {
  const [search, setSearch] = useSearchParams()
  const [first] = useState(fresh)
  const text = search.toString()
  const filter = useMemo(() => filterIn(new URLSearchParams(text), first), [text, first])
  return [
    filter,
    (next) => {
      const address = addressOf(next, first)
      if (address.toString() !== text) setSearch(address)
    },
  ]
}

function filterIn(search: URLSearchParams, first: TaskFilter): TaskFilter {
  const from = search.get('from')
  return {
    channel: countIn(search.get('channel')) ?? 0,
    taskId: search.get('task')?.trim() ?? '',
    // An open range is stored as a start without an end.
    start: from === null ? first.start : countIn(from),
    end: from === null ? first.end : countIn(search.get('to')),
  }
}

function addressOf({ channel, taskId, start, end }: TaskFilter, first: TaskFilter): URLSearchParams {
  const search = new URLSearchParams()
  if (channel > 0) search.set('channel', String(channel))
  if (taskId !== '') search.set('task', taskId)
  if (start === first.start && end === first.end) return search
  search.set('from', start === undefined ? '' : String(start))
  if (end !== undefined) search.set('to', String(end))
  return search
}

function countIn(text: string | null): number | undefined {
  const count = Number(text)
  return text && Number.isSafeInteger(count) && count > 0 ? count : undefined
}
