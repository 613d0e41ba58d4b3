import { Button } from '@blueprintjs/core'
import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import { useTranslation } from '../../translation.ts'
import { type ListView, nameOf } from './list-view.ts'
import type { OpenRows } from './use-open-rows.ts'

type RowOpenerProps<Row> = Readonly<{ view: ListView<Row>; row: Row; open: OpenRows<Row> }>

/**
 * The button that opens and closes a row; rows that cannot be opened have an equally wide spacer, so that names align.
 */
export function RowOpener<Row>({ view, row, open }: RowOpenerProps<Row>) {
  const { t } = useTranslation()
  if (!view.detail && !view.childrenOf) return null
  if (!open.canOpen(row)) return <span className="page-table-opener-room" />
  const isOpen = open.isOpen(row)
  return (
    <Button
      className="page-table-opener"
      variant="minimal"
      size="small"
      icon={isOpen ? <ChevronDown /> : <ChevronRight />}
      aria-expanded={isOpen}
      aria-label={t('list.open', { name: nameOf(view, row) })}
      onClick={() => open.toggle(row)}
    />
  )
}
