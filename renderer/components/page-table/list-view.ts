import type { ReactNode } from 'react'

/** What tells a row from all others. */
export type RowKey = string | number

/** A column: on a phone its title stands before the cell; the first column is the heading of the row's card. */
export type Column<Row> = Readonly<{
  /** Tells the columns apart; also the name under which a choice of columns is kept. */
  id: string
  title: string
  /** Stands in the heading of a narrow column instead of the title, which is then told on hover. */
  short?: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the right, digit under digit. */
  isNumeric?: boolean
  /** Makes the heading a button that sorts the rows of the page; given in rising order. */
  sort?: (one: Row, other: Row) => number
  /** Where the list is too narrow for all columns it stands in a second line under the row, by its title. */
  isSecondary?: boolean
  /** What stands under the column, made of the rows of the page. */
  total?: (rows: readonly Row[]) => ReactNode
}>

/** Rows that are chosen for an action on several; the page keeps them and may show a bar for it. */
export type Selection = Readonly<{
  chosen: ReadonlySet<RowKey>
  choose(next: ReadonlySet<RowKey>): void
}>

/** The keys of open rows, and how one is opened or closed. */
type OpenedRows = Readonly<{ keys: ReadonlySet<RowKey>; toggle(key: RowKey): void }>

/** What a list is made of, in a table and in cards alike. */
export type ListView<Row> = Readonly<{
  /** Names the list for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  /** The columns that stand in a second line under each row; the list's width decides. */
  folded?: readonly Column<Row>[]
  /** What tells a row from all others, on every page. */
  keyOf: (row: Row) => RowKey
  /** The row's name, for the check box and the button that belong to it; its key unless given. */
  nameOf?: (row: Row) => string
  /** What stands on a row's card under its heading, on a phone; its columns by name unless given. */
  card?: (row: Row) => ReactNode
  /** The menu of a row. */
  actions?: (row: Row) => ReactNode
  /** Rows that are out of use are greyed. */
  isMuted?: (row: Row) => boolean
  /** Gives every row a check box, and the page one for all. */
  selection?: Selection
  /** Which rows are open, where the page keeps that: in its address, say. */
  opened?: OpenedRows
  /** What a row tells when it is opened; null when there is nothing more to tell. */
  detail?: (row: Row) => ReactNode | null
  /** The rows under a row, listed with an indent while it is open. A row with children is not chosen itself: they are. */
  childrenOf?: (row: Row) => readonly Row[]
}>

/** The name of a row, for screen readers. */
export const nameOf = <Row>(view: ListView<Row>, row: Row): string => view.nameOf?.(row) ?? String(view.keyOf(row))

/** The rows under a row; most have none. */
export const childrenOf = <Row>(view: ListView<Row>, row: Row): readonly Row[] => view.childrenOf?.(row) ?? []

/** The keys that choosing these rows chooses: children stand for the row above them. */
export const keysOf = <Row>(view: ListView<Row>, rows: readonly Row[]): RowKey[] =>
  rows.flatMap((row) => {
    const children = childrenOf(view, row)
    return children.length > 0 ? children.map(view.keyOf) : [view.keyOf(row)]
  })
