import { sql } from 'kysely'
import { z } from 'zod'
import { parsed } from '../base/json/json.ts'
import { ownCommand } from '../base/own-command.ts'
import { isSqlite } from '../store/match.ts'
import type { Older } from '../store/migrations/column.ts'
import { CannotStart, type Db, EXIT } from '../store/sqlite/database.ts'

/** The table of marks, with the columns `name` and `value` (JSON); created by the first move from or to a database. */
export const MARKS = 'move_progress'

/**
 * The mark of a database whose data is moved: `id` identifies it, `movedTo` is set once only the target may be used.
 */
const sourceMark = z.object({ id: z.string(), movedTo: z.object({ id: z.string(), location: z.string() }).optional() })
/**
 * The mark of a target: `source` is the id of the source; `ledgerId` is that of the newest ledger row that was copied.
 */
const targetMark = z.object({
  id: z.string(),
  source: z.string(),
  isUsable: z.boolean(),
  isWithoutBodies: z.boolean(),
  ledgerId: z.number(),
})
const cell = z.union([z.string(), z.number(), z.null()])
/** `after` is the key of the last row that was copied; `replaced` counts texts that PostgreSQL cannot store. */
const tableMark = z.object({
  after: z.array(cell).optional(),
  rows: z.number(),
  replaced: z.number(),
  isDone: z.boolean(),
})

const SOURCE = 'as source'
const TARGET = 'as target'
const nameOf = (table: string) => `table ${table}`

export type SourceMark = z.output<typeof sourceMark>
export type TargetMark = z.output<typeof targetMark>
export type TableMark = z.output<typeof tableMark>

export const readSourceMark = (db: Older): Promise<SourceMark | undefined> => read(db, SOURCE, sourceMark)
export const readTargetMark = (db: Older): Promise<TargetMark | undefined> => read(db, TARGET, targetMark)
export const readTableMark = (db: Older, table: string): Promise<TableMark | undefined> =>
  read(db, nameOf(table), tableMark)

export const writeSourceMark = (db: Older, mark: SourceMark): Promise<void> => write(db, SOURCE, mark)
export const writeTargetMark = (db: Older, mark: TargetMark): Promise<void> => write(db, TARGET, mark)
export const writeTableMark = (db: Older, table: string, mark: TableMark): Promise<void> =>
  write(db, nameOf(table), mark)

export const removeTableMarks = async (db: Older): Promise<void> =>
  void (await sql`delete from ${sql.table(MARKS)} where name like 'table %'`.execute(db))

export const createMarks = (db: Older): Promise<void> =>
  db.schema
    .createTable(MARKS)
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()

/**
 * Throws `CannotStart` if a gateway must not use this database: its data was moved to another one, or the data that is
 * moved to it has not arrived completely.
 */
export async function refuseMoved(db: Db, location: string): Promise<void> {
  const plain = db as unknown as Older // the marks are in no schema
  const target = await readTargetMark(plain)
  const source = await readSourceMark(plain)
  const command = `${ownCommand()} move`
  if (target && !target.isUsable)
    throw cannotUse(`a move of data to ${location} is not finished; run the same ${command} again`)
  if (source?.movedTo)
    throw cannotUse(
      `the data of ${location} was moved to ${source.movedTo.location}; start a gateway there, or undo that with: ${command} --to <target> --undo`,
    )
}

const cannotUse = (message: string) => new CannotStart(EXIT.badData, message)

async function read<T>(db: Older, name: string, shape: z.ZodType<T>): Promise<T | undefined> {
  if (!(await haveMarks(db))) return undefined
  const { rows } = await sql<{ value: string }>`select value from ${sql.table(MARKS)} where name = ${name}`.execute(db)
  return rows[0] && shape.parse(parsed(rows[0].value))
}

/**
 * Whether a database has the table of marks. Every start of a gateway checks this, so it avoids the introspection of
 * all tables.
 */
async function haveMarks(db: Older): Promise<boolean> {
  const query = isSqlite(db as unknown as Db)
    ? sql<{ found: number }>`select 1 as found from sqlite_master where type = 'table' and name = ${MARKS}`
    : sql<{ found: number }>`select 1 as found where to_regclass(${MARKS}) is not null`
  return (await query.execute(db)).rows.length > 0
}

const write = async (db: Older, name: string, value: unknown): Promise<void> =>
  void (await sql`insert into ${sql.table(MARKS)} (name, value) values (${name}, ${JSON.stringify(value)})
    on conflict (name) do update set value = excluded.value`.execute(db))
