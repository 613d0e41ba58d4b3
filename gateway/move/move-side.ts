import type { Older } from '../store/migrations/column.ts'
import { CannotStart, type Db } from '../store/sqlite/database.ts'

/** The source or the target of a move, which no gateway and no other move can use until `close`. */
export type MoveSide = Readonly<{
  db: Db
  /** Shown in messages: a folder, or host and name of a database. */
  location: string
  /** Throws `CannotStart` if a gateway uses the database, or one that ended has not written all its charges. */
  refuseUse: () => Promise<void>
  close: () => Promise<void>
}>

export type ReadSide = Pick<MoveSide, 'db' | 'location' | 'close'>

/** Moving code reads the columns from the database, and not from the schema. */
export const untyped = ({ db }: Pick<MoveSide, 'db'>): Older => db as unknown as Older

export const refusal = (message: string, exitCode = 1): CannotStart => new CannotStart(exitCode, message)
