import { CSV_MARK, csvLine } from '../../../shared/csv.ts'
import { formatTime } from '../../components/date-time.ts'
import type { ShownRows } from './use-dashboard.ts'

const columns = ['time', 'username', 'model', 'requests', 'tokens', 'quota'] as const

export function csvOf(rows: ShownRows['rows']): string {
  const lines = rows.map(({ created_at, username, model_name, count, token_used, quota }) =>
    csvLine([formatTime(created_at), username ?? '', model_name, count, token_used, quota]),
  )
  return CSV_MARK + csvLine(columns) + lines.join('')
}
