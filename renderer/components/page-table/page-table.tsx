import './page-table.css'
import { Card, Classes } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { Page } from '../../api/use-page.ts'
import { useTranslation } from '../../translation.ts'
import { FailedState } from '../blank-state/failed-state.tsx'
import { groupDigits } from '../count.tsx'
import { StaleNote } from '../stale-note/stale-note.tsx'
import { useCardWidth } from '../use-narrow.ts'
import { keysOf, type ListView, type RowKey } from './list-view.ts'
import { pageRange } from './page-range.ts'
import { Pager } from './pager.tsx'
import { RowCards } from './row-cards.tsx'
import { RowTable } from './row-table.tsx'

export type { Column, ListView, Selection, Sorting } from './list-view.ts'

type PageTableProps<Row> = Readonly<{
  view: ListView<Row>
  page: Page<Row>
  empty: ReactNode
}>

/** A list that is loading, failed, empty or filled; a table, or cards if the window is narrow. */
export function PageTable<Row>({ view, page, empty }: PageTableProps<Row>) {
  return (
    <>
      <p className="page-table-spoken" role="status">
        <Found page={page} />
      </p>
      <ListState view={view} page={page} empty={empty} />
    </>
  )
}

/** The result count for screen readers; announced when the filter or the page changes, even if nothing matches. */
function Found({ page }: { page: Page<unknown> }) {
  const { t } = useTranslation()
  if (page.isLoading || page.isTurning || page.error) return null
  if (page.rows.length === 0) return t('list.none')
  return t('list.found', { total: pageRange(page).total, n: groupDigits(page.index + 1) })
}

function ListState<Row>({ view, page, empty }: PageTableProps<Row>) {
  const isNarrow = useBetweenDialogs(useCardWidth())
  if (page.error && page.loadedAt === 0)
    return (
      <Card className="page-table-empty">
        <FailedState message={page.error.message} onRetry={page.retry} />
      </Card>
    )
  if (page.isLoading) return <ListSkeleton />
  const note = <StaleNote loadedAt={page.loadedAt} error={page.error} onRetry={page.retry} />
  if (page.rows.length === 0)
    return (
      <>
        {note}
        <Card className="page-table-empty">{empty}</Card>
      </>
    )
  return (
    <div className="page-table" aria-busy={page.isTurning}>
      {note}
      <SettledRows view={view} page={page} isNarrow={isNarrow} />
      <Pager page={page} name={view.label} />
    </div>
  )
}

/**
 * A value that changes only while no dialog is open: rotating a phone would otherwise unmount the dialog with its
 * owner.
 */
function useBetweenDialogs<T>(wanted: T): T {
  const [taken, setTaken] = useState(wanted)
  useEffect(() => {
    if (taken === wanted) return
    const look = () => {
      if (!document.querySelector('[role=dialog], [role=alertdialog]')) setTaken(wanted)
    }
    look()
    // Dialogs are rendered in portals, which are children of the body.
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true })
    return () => observer.disconnect()
  }, [wanted, taken])
  return taken
}

type SettledRowsProps<Row> = Readonly<{ view: ListView<Row>; page: Page<Row>; isNarrow: boolean }>

/**
 * While another page is loading, renders the old rows again only if the selection changes, so that a click on a heading
 * requests the new page before anything else.
 */
function SettledRows<Row>({ view: current, page: { rows, isTurning }, isNarrow }: SettledRowsProps<Row>) {
  const settled = useRef(current)
  if (!isTurning || current.selection?.chosen !== settled.current.selection?.chosen) settled.current = current
  const view = settled.current
  const Rows = isNarrow ? RowCards : RowTable
  const last = useRef<RowKey>(undefined)
  return useMemo(
    () => <Rows view={{ ...view, pressed: { keys: keysOf(view, rows), last } }} rows={rows} />,
    [Rows, view, rows],
  )
}

/** Placeholder, as tall as a short list, to reduce layout shift. */
function ListSkeleton() {
  const { t } = useTranslation()
  return (
    <Card className="page-table-waiting" role="status" aria-label={t('state.loading')}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((line) => (
        <div key={line} className={`page-table-line ${Classes.SKELETON}`} />
      ))}
    </Card>
  )
}
