/** Why a file cannot be read, or not completely; `detail` is a name from the file, or an error message. */
export type ForeignFault = Readonly<{
  fault: 'not_sqlite' | 'truncated' | 'damaged' | 'objects' | 'without_rows' | 'slow'
  detail: string
}>

/** A converted cell. Integers beyond the safe range and cells that are too large become `LARGE`. */
export type ForeignCell = string | number | null
export type ForeignRow = Readonly<Record<string, ForeignCell>>
/** Replaces a cell that is too large to read. */
export const LARGE = '\0large'

export type ForeignTables = Readonly<Record<string, Readonly<{ columns: readonly string[]; rows: number }>>>
/** Rows of a table in row id order; `last` is the last row id; undefined if no rows are left. */
export type ForeignSlice = Readonly<{ rows: readonly ForeignRow[]; last: bigint | undefined }>
