import { logType, userStatus } from '../../shared/enums.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage, type Locale, type MessageParams } from '../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import type { Db } from '../store/database.ts'
import type { NewLog, UserRow } from '../store/schema.ts'
import { userStore } from '../store/users.ts'

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

export const actorIn = ({ id, username }: Pick<Manager, 'id' | 'username'>, facts: object = {}): string =>
  JSON.stringify({ admin_info: { ...facts, actor: { id, username } } })

/** A log row for administrators: who changed which account, and how. Never contains a password. */
export function auditRow(
  by: Manager,
  messageKey: MessageKey,
  clock: Clock,
  { id, username }: Pick<UserRow, 'id' | 'username'>,
  changes: object = {},
): NewLog {
  return managerRow(by, messageKey, clock, { name: username, id }, { user: { id, ...changes } })
}

export const managerRow = (
  by: Pick<Manager, 'id' | 'username' | 'locale'>,
  messageKey: MessageKey,
  clock: Clock,
  params: MessageParams,
  facts: object,
): NewLog => ({
  user_id: 0,
  created_at: unixSeconds(clock),
  type: logType.manage,
  content: formatMessage(by.locale, messageKey, { actor: by.username, ...params }),
  other: actorIn(by, facts),
})
