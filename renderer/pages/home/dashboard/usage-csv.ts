import type { QuotaData } from '../../../../shared/api/data.ts'
import { CSV_MARK, csvLine } from '../../../../shared/csv.ts'
import { formatTime } from '../../../components/date-time.ts'

const columns = ['hour', 'username', 'model', 'requests', 'tokens', 'quota'] as const

export function csvOf(rows: readonly QuotaData[]): string {
  const lines = rows.map(({ created_at, username, model_name, count, token_used, quota }) =>
    csvLine([formatTime(created_at), username, model_name, count, token_used, quota]),
  )
  return CSV_MARK + csvLine(columns) + lines.join('')
}
