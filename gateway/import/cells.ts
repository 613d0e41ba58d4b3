import { withoutUnseen } from '../../shared/unseen.ts'
import { type ForeignRow, LARGE } from '../store/foreign-rows.ts'

/** A cell as text without what no text here may have; empty for none, and for one that is too large. */
export function textOf(row: ForeignRow, name: string): string {
  const cell = row[name] ?? ''
  return cell === LARGE ? '' : String(cell).replace(/[\p{Cc}--[\t\n\r]]/gv, '')
}

/** A short text on one line, cut to its longest; what turns the writing direction and what nobody sees is taken out. */
export const nameOf = (row: ForeignRow, name: string, longest: number): string =>
  [
    ...withoutUnseen(
      textOf(row, name)
        .slice(0, 16 * longest)
        .replace(/[\t\n\r\u202a-\u202e\u2066-\u2069]/g, ' '),
    ).trim(),
  ]
    .slice(0, longest)
    .join('')

/** A cell as a whole number between two bounds; `fallback` for what is none. */
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

/** An amount as it is taken, and what must be told of one that does not come as it stands there. */
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

/** The last second that a date of four digits for the year can say. */
const LAST_SECOND = 253_402_300_799

/** A time in unix seconds; `least` for what is none. */
export const timeOf = (row: ForeignRow, name: string, min = 0): number =>
  wholeOf(row, name, { min, max: LAST_SECOND, fallback: min })

/** A switch, as any of the siblings' databases writes it. */
export const flagOf = (row: ForeignRow, name: string): boolean =>
  ['1', 'true', 't'].includes(String(row[name] ?? '').toLowerCase())

/** Whether the row was deleted there, which leaves its time. */
export const isDeleted = (row: ForeignRow): boolean => {
  const at = row.deleted_at ?? null
  return at !== null && at !== '' && at !== 0
}

/** Whether a cell of the row was too large to be read. */
export const hasLarge = (row: ForeignRow): boolean => Object.values(row).includes(LARGE)
