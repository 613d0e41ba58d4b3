import { ListColumns } from '@blueprintjs/icons'
import { type ReactNode, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { type StoredKey, useStored } from '../../api/stored.ts'
import { useTranslation } from '../../translation.ts'
import { onceOpen } from '../later.tsx'
import { FrameButton } from '../page-frame/frame-button.tsx'
import type { Column } from '../page-table/page-table.tsx'
import type { ColumnSettingsProps } from './columns-dialog.tsx'

type ColumnChoice<Row> = Readonly<{ visible: readonly Column<Row>[]; settings: ReactNode }>

/** The user's choice of a list's columns, stored under `name` (docs/reference/screens.md#local-storage). */
export function useColumnChoice<Row>(
  name: Extract<StoredKey, `${string}-table-columns`>,
  columns: readonly Column<Row>[],
  hiddenAtFirst: readonly string[] = none,
): ColumnChoice<Row> {
  const [stored, store] = useStored(name, choice)
  const visible = useMemo(
    () => columns.filter(({ id }) => stored?.[id] ?? !hiddenAtFirst.includes(id)),
    [columns, stored, hiddenAtFirst],
  )
  const show = (ids: readonly string[]) => store(Object.fromEntries(columns.map(({ id }) => [id, ids.includes(id)])))
  const settings = (
    <ColumnSettings
      columns={columns}
      visible={visible.map(({ id }) => id)}
      onShow={show}
      onReset={() => store(undefined)}
    />
  )
  return { visible, settings }
}

/** Stored per column, so that a column added later starts with its default. */
const choice = z.record(z.string(), z.boolean())
const none: readonly string[] = []

const ColumnsDialog = onceOpen(async () => (await import('./columns-dialog.tsx')).ColumnsDialog)

/** A button that opens the column dialog; changes apply at once, and one column always stays. */
function ColumnSettings(choice: ColumnSettingsProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <FrameButton icon={<ListColumns />} label={t('label.columnSettings')} onClick={() => setOpen(true)} />
      <ColumnsDialog isOpen={isOpen} onClose={() => setOpen(false)} {...choice} />
    </>
  )
}
