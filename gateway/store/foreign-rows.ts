/** Why a file is not read, or no further; `detail` is a name out of it. */
export type ForeignFault = Readonly<{
  fault: 'not_sqlite' | 'truncated' | 'damaged' | 'objects' | 'without_rows' | 'slow'
  detail: string
}>

/** A cell as this gateway takes it. Whole numbers beyond what a number holds, and cells that are too large, come as `LARGE`. */
export type ForeignCell = string | number | null
export type ForeignRow = Readonly<Record<string, ForeignCell>>
/** Stands for a cell that is too large to be read. */
export const LARGE = '\0large'

/** The tables of a foreign database: the columns and how many rows each has. */
export type ForeignTables = Readonly<Record<string, Readonly<{ columns: readonly string[]; rows: number }>>>
/** Rows of a table that follow `after`, by the number of the row. */
export type ForeignSlice = Readonly<{ rows: readonly ForeignRow[]; last: bigint | undefined }>
