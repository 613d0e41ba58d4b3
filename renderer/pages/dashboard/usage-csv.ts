import type { QuotaData } from '../../../shared/api/data.ts'
import { formatTime } from '../../components/moment.ts'

const columns = ['hour', 'username', 'model', 'requests', 'tokens', 'quota'] as const

/** Usage by hour as a table that spreadsheets open; hours are those of where the person is. */
export function csvOf(rows: readonly QuotaData[]): string {
  const lines = rows.map(({ created_at, username, model_name, count, token_used, quota }) =>
    [formatTime(created_at), cell(username), cell(model_name), count, token_used, quota].join(','),
  )
  // The mark at the beginning tells spreadsheets that the text is UTF-8.
  return `\ufeff${[columns.join(','), ...lines].join('\r\n')}\r\n`
}

/** A name that others made up: quoted, and never a formula. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
