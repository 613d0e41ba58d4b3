/**
 * Text that spreadsheets treat as the start of a formula: also in full-width forms, and after a character that some
 * treat as the end of a cell.
 */
const FORMULA = /(^|[;\t\r\n])[=+\-@＝＋－＠]|^[\t\r]/
/** Text that spreadsheets treat as a number rather than a formula. */
const NEGATIVE = /^-\d{1,30}(\.\d{1,30})?$/

/**
 * A CSV line (RFC 4180) with its line end. Texts that a spreadsheet would evaluate are prefixed with an apostrophe,
 * because any user who names a token could inject formulas into an administrator's file; negative amounts stay
 * numbers.
 */
export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`

/** The byte order mark that marks the file as UTF-8. */
export const CSV_MARK = '\ufeff'

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) && !NEGATIVE.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
