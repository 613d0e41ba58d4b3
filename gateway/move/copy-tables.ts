import type { Older } from '../store/migrations/column.ts'
import { readTableMark, type TableMark, writeTableMark } from './marks.ts'
import type { MovedTable } from './moved-tables.ts'
import { type Row, slicesOf, storableCell } from './row-slices.ts'

/** Called between the steps of a move, which it may abort by throwing. */
export type OnStep = (step: string) => void

/** Copies the rest of a table: each slice and its mark are one transaction of the target. */
export async function copyTable(source: Older, target: Older, table: MovedTable, onStep: OnStep): Promise<TableMark> {
  let mark = (await readTableMark(target, table.name)) ?? { rows: 0, replaced: 0, isDone: false }
  if (mark.isDone) return mark
  for await (const { rows, after } of slicesOf(source, table, mark.after)) {
    const replaced = rows.reduce((sum, row) => sum + table.columns.filter((name) => isReplaced(row, name)).length, 0)
    const copied = rows.map((row) => Object.fromEntries(table.columns.map((name) => [name, storableCell(row[name])])))
    const next = { after: [...after], rows: mark.rows + rows.length, replaced: mark.replaced + replaced, isDone: false }
    await target.transaction().execute(async (transaction) => {
      await transaction.insertInto(table.name).values(copied).execute()
      await writeTableMark(transaction, table.name, next)
    })
    mark = next
    onStep(`rows of ${table.name}`)
  }
  const done = { rows: mark.rows, replaced: mark.replaced, isDone: true }
  await writeTableMark(target, table.name, done)
  onStep(`end of ${table.name}`)
  return done
}

const isReplaced = (row: Row, name: string): boolean => storableCell(row[name]) !== (row[name] ?? null)
