import { Checkbox } from '@blueprintjs/core'
import type { ChangeEvent } from 'react'
import { useTranslation } from '../../translation.ts'
import { keysOf, type ListView, nameOf, rangeTo } from './list-view.ts'

export function RowCheck<Row>({ view, row }: { view: ListView<Row>; row: Row }) {
  const { t } = useTranslation()
  return <Check view={view} rows={[row]} label={t('list.choose', { name: nameOf(view, row) })} />
}

export function PageCheck<Row>({ view, rows }: { view: ListView<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation()
  return <Check view={view} rows={rows} label={t('list.chooseAll')} />
}

/**
 * Checked if all of `rows` are selected, indeterminate if some are; a click selects all of them, or none if all were
 * selected. With Shift, the click also applies to the rows between the last click and this one.
 */
function Check<Row>({ view, rows, label }: { view: ListView<Row>; rows: readonly Row[]; label: string }) {
  const { selection, pressed } = view
  if (!selection) return null
  const { chosen, choose } = selection
  const keys = keysOf(view, rows)
  if (keys.length === 0) return null
  const isChecked = keys.every((key) => chosen.has(key))
  const change = ({ nativeEvent }: ChangeEvent) => {
    const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey
    const changed = pressed && isRange ? rangeTo(keys, pressed) : keys
    if (pressed) pressed.last.current = keys[0]
    const rest = [...chosen].filter((key) => !changed.includes(key))
    choose(new Set(isChecked ? rest : [...rest, ...changed]))
  }
  return (
    <Checkbox
      className="page-table-check"
      aria-label={label}
      checked={isChecked}
      indeterminate={!isChecked && keys.some((key) => chosen.has(key))}
      onChange={change}
    />
  )
}
