import { userStatus } from '../../../shared/enums.ts'
import type { Locale } from '../../../shared/messages/format.ts'
import { refuse } from '../../base/errors.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { Db } from '../../store/sqlite/database.ts'

export type Manager = Readonly<{ id: number; username: string; role: number; locale: Locale }>

/**
 * Throws if the administrator was banned, demoted or deactivated since they were authorized. Call it within the
 * transaction of the change.
 */
export async function requireManager(transaction: Db, { id, role: currentRole }: Manager): Promise<void> {
  // A no-op update locks the row until the transaction ends.
  if (
    !(await userStore(transaction).patch(id, { role: currentRole }, { role: currentRole, status: userStatus.active }))
  )
    throw refuse('forbidden', 'auth.forbidden')
}
