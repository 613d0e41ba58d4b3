import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { refuse } from '../base/errors.ts'
import type { Db } from '../store/sqlite/database.ts'
import { type ForeignDatabase, openForeignDatabase } from '../store/sqlite/foreign-database.ts'
import { type PlanDeps, planOf } from './database-plan.ts'
import { siblingTables } from './family.ts'
import { readKnown } from './known.ts'
import { litellmFile, MAX_YAML } from './litellm-file.ts'
import { litellmPlan } from './litellm-plan.ts'
import type { ImportPlan } from './plan.ts'

export type FileKind = 'database' | 'litellm'

const MARK = 'SQLite format 3\0'
const HEAD_BYTES = 4096

/**
 * Distinguishes a database from a text that may be a config.yaml; throws for anything else. An encrypted database looks
 * like random bytes.
 */
export function kindOf(file: string): FileKind {
  const bytes = Buffer.alloc(HEAD_BYTES)
  const descriptor = openSync(file, 'r')
  const length = readSync(descriptor, bytes, 0, HEAD_BYTES, 0)
  closeSync(descriptor)
  if (bytes.toString('latin1', 0, MARK.length) === MARK) return 'database'
  const isText = length > 0 && !/[^\P{Cc}\t\n\r]|\ufffd(?!$)/u.test(bytes.toString('utf8', 0, length))
  if (!isText) throw refuse('invalid', 'import.not_sqlite')
  if (statSync(file).size > MAX_YAML) throw refuse('invalid', 'import.not_known')
  return 'litellm'
}

/**
 * A planned import: the plan, and the database from which the usage log is read while writing (undefined for a
 * config.yaml).
 */
export type ReadFile = Readonly<{ plan: ImportPlan; database: ForeignDatabase | undefined; close: () => Promise<void> }>

/** Reads a file completely, except the usage log, and plans its import. Writes nothing. */
export async function readImport(
  file: string,
  deps: Omit<PlanDeps, 'known'> & Readonly<{ db: Db }>,
): Promise<ReadFile> {
  const kind = kindOf(file)
  const known = await readKnown(deps.db)
  if (kind === 'litellm') {
    const plan = await litellmPlan(await litellmFile(readFileSync(file, 'utf8')), { ...deps, known })
    return { plan, database: undefined, close: async () => {} }
  }
  const database = await openForeignDatabase(file, siblingTables)
  try {
    return { plan: await planOf(database, { ...deps, known }), database, close: database.close }
  } catch (error) {
    await database.close()
    throw error
  }
}
