import { type Role, role } from '../../shared/enums.ts'
import { refuse } from '../base/errors.ts'

/** Whether a number is one of the four roles (docs/reference/accounts.md#the-check-on-every-call). */
export const isRole = (value: number): value is Role => Object.values<number>(role).includes(value)

/**
 * Refuses whoever stands below `least`; the console shows it as a message
 * (docs/reference/accounts.md#the-check-on-every-call).
 */
export function requireRole(holder: Readonly<{ role: number }>, min: number): void {
  if (holder.role < min) throw refuse('forbidden', 'auth.forbidden')
}
