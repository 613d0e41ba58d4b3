import { logType, role } from '../../../shared/enums.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { type LocalizedMessage, logMessage } from '../../base/localized-message.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Notice } from '../../notify/notice.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { channelNotice } from './channel-notices.ts'
import { type ChannelEvent, textOfEvent } from './event-text.ts'

type ChannelEventsDeps = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  /** Queues a log row. */
  auditLog: AuditLog
  notify: (user: UserRow, notice: Notice) => void
}>

/**
 * Writes what the system did to channels to root's log, so that no channel is switched silently, and notifies root of
 * urgent events (docs/reference/channels.md#channel-events). Never throws.
 */
export const createChannelEvents =
  ({ db, clock, log, auditLog, notify }: ChannelEventsDeps) =>
  async (event: ChannelEvent): Promise<void> => {
    try {
      const roots = await userStore(db).withRole(role.root)
      const [root] = roots
      if (!root) return
      auditLog.record({
        user_id: root.id,
        username: root.username,
        created_at: unixSeconds(clock),
        type: logType.system,
        ...('channelId' in event ? { channel_id: event.channelId } : {}),
        ...logMessage(messagesOf(event)),
      })
      const notice = channelNotice(event)
      if (notice) for (const one of roots) notify(one, notice)
    } catch (error) {
      log.error('news of a channel could not be written', { kind: event.kind, error })
    }
  }

function messagesOf(event: ChannelEvent): LocalizedMessage[] {
  const { keys, params } = textOfEvent(event)
  return keys.map((key) => ({ key, params }))
}
