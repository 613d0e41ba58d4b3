import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { TaskFilter } from './task-filter.ts'

/**
 * The filter of a list of drawings or tasks, kept in the address, so that it can be gone back to and handed on; what that
 * does not say is as on a first visit. The same one as long as nothing in the address changes.
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
    // A range without an end says so by its beginning.
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

/** A whole number above 0. */
function countIn(text: string | null): number | undefined {
  const count = Number(text)
  return text && Number.isSafeInteger(count) && count > 0 ? count : undefined
}
