import type { ImportOrigin } from '../../shared/api/import.ts'
import { refuse } from '../base/errors.ts'
import { sha256 } from '../base/ids.ts'
import type { ForeignDatabase } from '../store/sqlite/foreign-database.ts'
import type { ForeignTables } from '../store/sqlite/foreign-rows.ts'

export const siblingTables = [
  'users',
  'tokens',
  'channels',
  'options',
  'redemptions',
  'top_ups',
  'logs',
  'setups',
  'midjourneys',
  'tasks',
] as const

/** Which gateway a database belongs to, recognized by what only new-api has; throws if it belongs to neither. */
export function familyOf(tables: ForeignTables): Exclude<ImportOrigin, 'litellm'> {
  const { users, tokens, channels } = tables
  const isSibling = users?.columns.includes('username') && tokens?.columns.includes('key') && channels !== undefined
  if (!isSibling) throw refuse('invalid', 'import.not_sibling')
  const has = (column: string) => channels.columns.includes(column)
  const isNew = has('status_code_mapping') || has('tag') || has('setting') || tables.midjourneys !== undefined
  return isNew && !has('config') ? 'new-api' : 'one-api'
}

/**
 * A fingerprint of the installation a database belongs to, shared by later copies of it: its first account and the time
 * of its setup.
 */
export async function sourceOf(database: ForeignDatabase): Promise<string> {
  const first = await firstRow(database, 'users', ['id', 'username', 'aff_code'])
  const setup = await firstRow(database, 'setups', ['initialized_at'])
  return sha256(JSON.stringify([first.id ?? 0, first.username ?? '', first.aff_code ?? '', setup.initialized_at ?? 0]))
}

async function firstRow(database: ForeignDatabase, table: string, columns: readonly string[]) {
  for await (const [row] of database.rows(table, columns)) if (row) return row
  return {}
}
