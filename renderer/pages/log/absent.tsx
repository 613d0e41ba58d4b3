import { Button, Callout } from '@blueprintjs/core'
import { useTranslation } from '../../translation.ts'
import { keyOf, type LogEntry } from './log-facts.ts'

type AbsentProps = Readonly<{
  /** The keys of the rows that are to be open. */
  open: readonly string[]
  rows: readonly LogEntry[]
  onFind: (requestId: string) => void
}>

/** An entry that the address names and the page no longer has: newer ones have moved it on. */
export function Absent({ open, rows, onFind }: AbsentProps) {
  const { t } = useTranslation()
  const there = new Set(rows.map(keyOf))
  // A row that is no request's has no id by which it could be found.
  const absent = open.find((key) => !there.has(key) && !key.startsWith('row-'))
  if (absent === undefined) return null
  return (
    <Callout compact intent="primary" className="log-absent">
      {t('log.absent')} <Button size="small" text={t('log.showEntry')} onClick={() => onFind(absent)} />
    </Callout>
  )
}
