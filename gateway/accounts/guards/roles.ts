import { type Role, role } from '../../../shared/enums.ts'
import { refuse } from '../../base/errors.ts'

/** Returns whether a number is a role (docs/reference/accounts.md#authorization). */
export const isRole = (value: number): value is Role => Object.values<number>(role).includes(value)

/**
 * Throws unless the role is at least `min`; the console shows the error as a message
 * (docs/reference/accounts.md#authorization).
 */
export function requireRole(user: Readonly<{ role: number }>, min: number): void {
  if (user.role < min) throw refuse('forbidden', 'auth.forbidden')
}
