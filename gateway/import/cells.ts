import { withoutUnseen } from '../../shared/unseen.ts'
import { type ForeignRow, LARGE } from '../store/sqlite/foreign-rows.ts'

/** A cell as text without control characters except tabs and line breaks; empty if absent or too large. */
export function textOf(row: ForeignRow, name: string): string {
  const cell = row[name] ?? ''
  return cell === LARGE ? '' : String(cell).replace(/[\p{Cc}--[\t\n\r]]/gv, '')
}

/**
 * A short text on one line, cut to `maxLength` characters; direction-changing characters become spaces, and invisible
 * ones are removed.
 */
export const nameOf = (row: ForeignRow, name: string, maxLength: number): string =>
  [
    ...withoutUnseen(
      textOf(row, name)
        .slice(0, 16 * maxLength)
        .replace(/[\t\n\r\u202a-\u202e\u2066-\u2069]/g, ' '),
    ).trim(),
  ]
    .slice(0, maxLength)
    .join('')

/** A cell as an integer, clamped to the bounds; `fallback` if it is not a number. */
export function wholeOf(
  row: ForeignRow,
  name: string,
  {
    min = 0,
    max = Number.MAX_SAFE_INTEGER,
    fallback = 0,
  }: Readonly<{ min?: number; max?: number; fallback?: number }> = {},
): number {
  const cell = row[name]
  const value = typeof cell === 'string' && cell.trim() === '' ? Number.NaN : Number(cell ?? Number.NaN)
  return Number.isFinite(value) ? Math.min(Math.max(Math.trunc(value), min), max) : fallback
}

/** An amount as an integer within the bounds, with a remark if that changed it. */
export function amountOf(
  row: ForeignRow,
  name: string,
  { min, max }: Readonly<{ min: number; max: number }>,
): Readonly<{ taken: number; remark?: 'import.beyond' | 'import.not_whole' }> {
  const taken = wholeOf(row, name, { min, max })
  const value = Number(row[name] ?? 0)
  if (value === taken) return { taken }
  return { taken, remark: value < min || value > max ? 'import.beyond' : 'import.not_whole' }
}

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799

/** A time in unix seconds; `min` if absent. */
export const timeOf = (row: ForeignRow, name: string, min = 0): number =>
  wholeOf(row, name, { min, max: LAST_SECOND, fallback: min })

/** A boolean in the format of any of the supported databases. */
export const flagOf = (row: ForeignRow, name: string): boolean =>
  ['1', 'true', 't'].includes(String(row[name] ?? '').toLowerCase())

export const isDeleted = (row: ForeignRow): boolean => {
  const at = row.deleted_at ?? null
  return at !== null && at !== '' && at !== 0
}

export const hasLarge = (row: ForeignRow): boolean => Object.values(row).includes(LARGE)
