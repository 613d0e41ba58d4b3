import { Classes, useHotkeys } from '@blueprintjs/core'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from '../../translation.ts'
import { useLatest } from '../use-latest.ts'

type RowKeys = Readonly<{
  canSelect: boolean
  /** Edits the row at an index, if its name is not a link. */
  edit: ((index: number) => void) | undefined
}>

/**
 * Keys of a table's rows: j and k move the focus, Enter opens the focused row, x selects it, e edits it. The letters do
 * nothing under a dialog, nor right after g, because g and another key open a page.
 */
export function useRowKeys(box: RefObject<HTMLElement | null>, { canSelect, edit }: RowKeys): void {
  const { t } = useTranslation()
  const goneAt = useLastG()
  const latestEdit = useLatest(edit)
  const keys = useMemo(() => {
    const key = (combo: string, label: string, act: (table: HTMLElement) => void) => ({
      combo,
      label,
      global: true,
      onKeyDown: ({ timeStamp }: KeyboardEvent) => {
        const isUnderOverlay = document.body.classList.contains(Classes.OVERLAY_OPEN)
        if (box.current && !isUnderOverlay && timeStamp - goneAt.current > SEQUENCE_MS) act(box.current)
      },
    })
    return [
      key('j', t('shortcut.rowNext'), (table) => moveBy(table, 1)),
      key('k', t('shortcut.rowPrevious'), (table) => moveBy(table, -1)),
      key('e', t('shortcut.rowEdit'), (table) => {
        const index = indexIn(table)
        if (!latestEdit.current) pressIn(table, 'a[href]')
        else if (index !== -1) latestEdit.current(index)
      }),
      ...(canSelect ? [key('x', t('shortcut.rowSelect'), (table) => pressIn(table, 'input[type=checkbox]'))] : []),
    ]
  }, [t, box, canSelect, goneAt, latestEdit])
  useHotkeys(keys)
  useEffect(() => {
    const table = box.current
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !table || !(event.target instanceof HTMLTableRowElement)) return
      event.preventDefault()
      pressIn(table, '.page-table-opener, a[href]')
    }
    table?.addEventListener('keydown', open)
    return () => table?.removeEventListener('keydown', open)
  }, [box])
}

/** Time to wait for the second key of a page's sequence (shell/palette/use-page-keys.ts). */
const SEQUENCE_MS = 1500

/** When g was last pressed, as an event's `timeStamp`. */
function useLastG(): RefObject<number> {
  const at = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const note = ({ key, timeStamp }: KeyboardEvent) => {
      if (key === 'g') at.current = timeStamp
    }
    document.addEventListener('keydown', note, true)
    return () => document.removeEventListener('keydown', note, true)
  }, [])
  return at
}

const rowsIn = (table: HTMLElement): readonly HTMLTableRowElement[] => [
  ...table.querySelectorAll<HTMLTableRowElement>(
    '.page-table-rows > tbody > tr:not(.page-table-second, .page-table-detail)',
  ),
]

/** The index of the row that contains the focus; -1 if none does. */
const indexIn = (table: HTMLElement): number => rowsIn(table).findIndex((row) => row.contains(document.activeElement))

function moveBy(table: HTMLElement, step: 1 | -1): void {
  const rows = rowsIn(table)
  const index = indexIn(table)
  const next = rows[index === -1 ? 0 : index + step]
  if (!next) return
  next.tabIndex = -1
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

function pressIn(table: HTMLElement, selector: string): void {
  rowsIn(table)[indexIn(table)]?.querySelector<HTMLElement>(selector)?.click()
}
