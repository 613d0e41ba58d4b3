import { ListColumns } from '@blueprintjs/icons'
import { type ReactNode, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { type StoredKey, useStored } from '../../api/stored.ts'
import { useTranslation } from '../../translation.ts'
import { onceOpen } from '../later.tsx'
import { FrameButton } from '../page-frame/frame-button.tsx'
import type { Column } from '../page-table/page-table.tsx'
import type { ColumnSettingsProps } from './columns-dialog.tsx'

/** The columns to show, and the button with the dialog where they are chosen. */
type ColumnChoice<Row> = Readonly<{ visible: readonly Column<Row>[]; settings: ReactNode }>

/**
 * Which columns of a list are shown: chosen by the person, remembered under `name`
 * (docs/reference/screens.md#local-storage).
 */
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

/** Column by column, so that one that is added later starts as it is meant to. */
const choice = z.record(z.string(), z.boolean())
const none: readonly string[] = []

const ColumnsDialog = onceOpen(async () => (await import('./columns-dialog.tsx')).ColumnsDialog)

/** The button with the dialog where columns are chosen; a choice shows at once, and one column always stays. */
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
