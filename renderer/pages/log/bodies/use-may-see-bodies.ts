import { role } from '../../../../shared/enums.ts'
import { useUser } from '../../../api/session.ts'
import { useBodyViewers } from '../../../api/use-keep-note.ts'
import type { LogEntry } from '../log-facts.ts'

/** Whether whoever sits here may look at the kept bodies of a row, as the gateway decides it (docs/reference/bodies.md#who-may-see-them). */
export function useMaySeeBodies(row: LogEntry): boolean {
  const viewers = useBodyViewers()
  const user = useUser()
  if (!user) return false
  if (user.role >= (viewers === 'root' ? role.root : role.admin)) return true
  return viewers === 'owner' && row.user_id === user.id
}
