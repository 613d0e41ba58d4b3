import { type Role, role } from '../../shared/enums.ts'
import { refuse } from '../base/errors.ts'

/** Whether a number is one of the four roles (spec/console.md §2.2, step 5). */
export const isRole = (value: number): value is Role => Object.values<number>(role).includes(value)

/** Refuses whoever stands below `least`; the console shows it as a message (spec/console.md §2.2, step 4). */
export function requireRole(holder: Readonly<{ role: number }>, least: number): void {
  if (holder.role < least) throw refuse('forbidden', 'auth.forbidden')
}
