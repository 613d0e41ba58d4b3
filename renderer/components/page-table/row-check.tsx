import { Checkbox } from '@blueprintjs/core'
import { useTranslation } from '../../translation.ts'
import { keysOf, type ListView, nameOf } from './list-view.ts'

export function RowCheck<Row>({ view, row }: { view: ListView<Row>; row: Row }) {
  const { t } = useTranslation()
  return <Check view={view} rows={[row]} label={t('list.choose', { name: nameOf(view, row) })} />
}

export function PageCheck<Row>({ view, rows }: { view: ListView<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation()
  return <Check view={view} rows={rows} label={t('list.chooseAll')} />
}

/** Checked if all are selected, indeterminate if some are; a click selects all, or clears if all were selected. */
function Check<Row>({ view, rows, label }: { view: ListView<Row>; rows: readonly Row[]; label: string }) {
  const { selection } = view
  if (!selection) return null
  const { chosen, choose } = selection
  const keys = keysOf(view, rows)
  if (keys.length === 0) return null
  const isChecked = keys.every((key) => chosen.has(key))
  const rest = [...chosen].filter((key) => !keys.includes(key))
  return (
    <Checkbox
      className="page-table-check"
      aria-label={label}
      checked={isChecked}
      indeterminate={!isChecked && keys.some((key) => chosen.has(key))}
      onChange={() => choose(new Set(isChecked ? rest : [...rest, ...keys]))}
    />
  )
}
