import type { UserRow } from '../store/schema.ts'
import { type BindingColumn, kinds } from './providers/who.ts'

/** Whether an account can be logged in to by its password or at a provider, but for one that is left out. */
export const hasWayIn = (row: UserRow, leftOut?: BindingColumn): boolean =>
  row.password !== '' || Object.values(kinds).some(({ column }) => column !== leftOut && row[column] !== '')
