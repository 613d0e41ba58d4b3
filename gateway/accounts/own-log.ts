import { logType } from '../../shared/enums.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage, type Locale, type MessageParams } from '../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { NewLog } from '../store/schema.ts'

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
