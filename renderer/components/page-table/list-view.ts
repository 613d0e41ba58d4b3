import type { ReactNode } from 'react'

export type RowKey = string | number

/** A column. In cards, its title precedes the cell; the first column is the card's heading. */
export type Column<Row> = Readonly<{
  /** Identifies the column, also in a stored choice of columns. */
  id: string
  title: string
  /** Replaces the title in the heading of a narrow column; the title is then shown on hover. */
  short?: string
  cell: (row: Row) => ReactNode
  /** Aligned right, with tabular digits. */
  isNumeric?: boolean
  /** The name by which the list is sorted by this column; makes the heading a sort button. */
  sort?: string
  /** Moved to a second line under the row if the list is too narrow for all columns. */
  isSecondary?: boolean
  /** The column's footer, computed from the rows of the page. */
  total?: (rows: readonly Row[]) => ReactNode
}>

/** Rows selected for a bulk action; the page stores them and may show a bar for it. */
export type Selection = Readonly<{
  chosen: ReadonlySet<RowKey>
  choose(next: ReadonlySet<RowKey>): void
}>

/**
 * The order of a list, over all its pages: the sort name of a column, descending with a leading minus; empty for the
 * list's own.
 */
export type Sorting = Readonly<{ order: string; sortBy(order: string): void }>

/** The selectable rows of the page in order, and the row that was pressed last; Shift selects the rows between. */
type PressedRows = Readonly<{ keys: readonly RowKey[]; last: { current: RowKey | undefined } }>

type OpenedRows = Readonly<{ keys: ReadonlySet<RowKey>; toggle(key: RowKey): void }>

/** Definition of a list, shared by table and cards. */
export type ListView<Row> = Readonly<{
  label: string
  columns: readonly Column<Row>[]
  /** Columns on a second line under each row, depending on the list's width. */
  folded?: readonly Column<Row>[]
  keyOf: (row: Row) => RowKey
  /** The row's name, for its check box and button; defaults to its key. */
  nameOf?: (row: Row) => string
  /** The card's content under its heading, on a phone; defaults to the named columns. */
  card?: (row: Row) => ReactNode
  actions?: (row: Row) => ReactNode
  /** Called by the shortcut that edits the focused row; without it, the shortcut follows the link in the row. */
  edit?: (row: Row) => void
  isMuted?: (row: Row) => boolean
  selection?: Selection
  /** Set by the list itself. */
  pressed?: PressedRows
  /** Rows for which this is false cannot be selected. */
  canSelect?: (row: Row) => boolean
  sorting?: Sorting
  /** Open rows, if the page stores them, for example in its address. */
  opened?: OpenedRows
  /** An open row's details; null if there are none. */
  detail?: (row: Row) => ReactNode | null
  /** Child rows, shown indented while the row is open. A parent is not selected itself; its children are. */
  childrenOf?: (row: Row) => readonly Row[]
}>

export const nameOf = <Row>(view: ListView<Row>, row: Row): string => view.nameOf?.(row) ?? String(view.keyOf(row))

export const childrenOf = <Row>(view: ListView<Row>, row: Row): readonly Row[] => view.childrenOf?.(row) ?? []

/** The keys that are selected with these rows: the children's instead of their parent's. */
export const keysOf = <Row>(view: ListView<Row>, rows: readonly Row[]): RowKey[] =>
  rows.flatMap((row) => {
    const children = childrenOf(view, row)
    const own = children.length > 0 ? children : [row]
    return own.filter((one) => view.canSelect?.(one) ?? true).map(view.keyOf)
  })

/** The keys between the last press and these; only these if the last press was on another page. */
export function rangeTo(keys: readonly RowKey[], { keys: all, last }: PressedRows): readonly RowKey[] {
  const ends = [last.current, keys[0]].map((key) => (key === undefined ? -1 : all.indexOf(key)))
  if (ends.includes(-1)) return keys
  return [...new Set([...all.slice(Math.min(...ends), Math.max(...ends) + 1), ...keys])]
}
