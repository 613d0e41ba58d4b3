import type { Settings } from '../../settings/settings.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import { type BindingColumn, kinds } from '../providers/external-identity.ts'

/** Whether an account is bound to any provider, enabled or not. */
export const isBound = (row: UserRow): boolean => Object.values(kinds).some(({ column }) => row[column] !== '')

/** Whether an account can be logged in to by password or at a provider that is enabled, not counting `leftOut`. */
export const hasLoginMethod = (row: UserRow, settings: Pick<Settings, 'get'>, leftOut?: BindingColumn): boolean =>
  (row.password !== '' && settings.get('PasswordLoginEnabled')) ||
  Object.values(kinds).some(({ column, isOn }) => column !== leftOut && row[column] !== '' && settings.get(isOn))
