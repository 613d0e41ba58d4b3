import { logType } from '../../shared/enums.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage, type Locale, type MessageParams } from '../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { NewLog, UserRow } from '../store/schema/schema.ts'

type OwnLog = Readonly<{ id: number; username: string; clock: Clock; locale: Locale }>

/** A row of a user's own log about their account; administrators see it too. */
export const ownLogRow = (
  { id, username, clock, locale }: OwnLog,
  messageKey: MessageKey,
  params: MessageParams = {},
): NewLog => ({
  user_id: id,
  username,
  created_at: unixSeconds(clock),
  type: logType.manage,
  content: formatMessage(locale, messageKey, params),
  other: '{}',
})

type By = Readonly<{ id: number; username: string; locale: Locale }>

export const actorIn = ({ id, username }: Omit<By, 'locale'>, facts: object = {}): string =>
  JSON.stringify({ admin_info: { ...facts, actor: { id, username } } })

/** A log row for administrators: who changed which account, and how. Never contains a password. */
export function auditRow(
  by: By,
  messageKey: MessageKey,
  clock: Clock,
  { id, username }: Pick<UserRow, 'id' | 'username'>,
  changes: object = {},
): NewLog {
  return managerRow(by, messageKey, clock, { name: username, id }, { user: { id, ...changes } })
}

export const managerRow = (
  by: By,
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
