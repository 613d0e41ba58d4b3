import { useState } from 'react'
import { type Page, usePageSize } from './use-page.ts'

/** The state of the query behind the rows, for lists that show it; all rows are loaded at once. */
type Source = Readonly<{ isLoading: boolean; error: Error | null; dataUpdatedAt: number; refetch: () => unknown }>

type LocalPaging = Readonly<{
  /** Identifies the list's content, such as a search; a change starts at the first page. */
  subject?: string
  /** A fixed page size; otherwise the user chooses it, as for any list. */
  fixedSize?: number
  source?: Source
}>

/** A page of rows that are all in memory; `turnTo` can also switch to another subject. */
type LocalPage<Row> = Page<Row> & Readonly<{ turnTo(index: number, subject?: string): void }>

export function useLocalPage<Row>(
  rows: readonly Row[],
  { subject = '', fixedSize, source = loadedSource }: LocalPaging = {},
): LocalPage<Row> {
  const [chosenSize, chooseSize] = usePageSize()
  const [position, setTurned] = useState({ subject, index: 0 })
  const size = fixedSize ?? chosenSize
  const last = Math.max(0, Math.ceil(rows.length / size) - 1)
  const index = Math.min(position.subject === subject ? position.index : 0, last)
  const turnTo = (next: number, of = subject) => setTurned({ subject: of, index: next })
  return {
    rows: rows.slice(index * size, (index + 1) * size),
    total: rows.length,
    isMore: false,
    index,
    size,
    hasFixedSize: fixedSize !== undefined,
    turnTo,
    resize: (next) => {
      turnTo(0)
      chooseSize(next)
    },
    isLoading: source.isLoading,
    isTurning: false,
    error: source.error,
    loadedAt: source.dataUpdatedAt,
    retry: () => void source.refetch(),
  }
}

const loadedSource: Source = { isLoading: false, error: null, dataUpdatedAt: 0, refetch: () => undefined }
