import type { ImportOrigin } from '../../shared/api/import.ts'
import { refuse } from '../base/errors.ts'
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

/**
 * Which gateway a database belongs to, recognized by columns and tables that only one of the two has; throws if it
 * belongs to neither.
 */
export function familyOf(tables: ForeignTables): Exclude<ImportOrigin, 'litellm'> {
  const { users, tokens, channels } = tables
  const isSibling = users?.columns.includes('username') && tokens?.columns.includes('key') && channels !== undefined
  if (!isSibling) throw refuse('invalid', 'import.not_sibling')
  const has = (column: string) => channels.columns.includes(column)
  const isNew = has('status_code_mapping') || has('tag') || has('setting') || tables.midjourneys !== undefined
  return isNew && !has('config') ? 'new-api' : 'one-api'
}
