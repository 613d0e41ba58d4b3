/** What spreadsheets take for the beginning of a formula, full-width as well; also behind what some take for the end of a cell. */
const FORMULA = /(^|[;\t\r\n])[=+\-@＝＋－＠]|^[\t\r]/
/** What they take for a number, and work nothing out of. */
const NEGATIVE = /^-\d{1,30}(\.\d{1,30})?$/

/**
 * One line of a table as RFC 4180 has it, with its end. Texts that a spreadsheet would work out begin with an apostrophe, for
 * whoever may name a token would write formulas into an administrator's file; an amount below zero stays a number.
 */
export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`

/** Tells spreadsheets that the text is UTF-8. */
export const CSV_MARK = '\ufeff'

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) && !NEGATIVE.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
