import { logType, role } from '../../shared/enums.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { type LocalizedMessage, logMessage } from '../base/localized-message.ts'
import type { Logger } from '../base/log/logger.ts'
import { userStore } from '../store/accounts/users.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { Notice } from './notice.ts'
import type { NoticeReceiver } from './notices.ts'

type RootEvent = Readonly<{
  messages: readonly LocalizedMessage[]
  /** Sent if the event is urgent. */
  notice?: Notice | undefined
  channelId?: number
}>

/** Reports to root what the gateway itself did or found. */
export interface RootEvents {
  /** Writes an event to root's log, and sends the notice of an urgent event to every root. Never throws. */
  report(event: RootEvent): Promise<void>
  /** Sends notices from now on, those of earlier events included. */
  notifyBy(notify: Notify): void
}

type Notify = (user: NoticeReceiver, notice: Notice) => unknown

type RootEventsDeps = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  auditLog: AuditLog
}>

export function createRootEvents({ db, clock, log, auditLog }: RootEventsDeps): RootEvents {
  let waiting: Parameters<Notify>[] = []
  let send: Notify = (...letter) => waiting.push(letter)
  return {
    async report({ messages, notice, channelId }) {
      try {
        const roots = await userStore(db).withRole(role.root)
        const [root] = roots
        if (!root) return
        auditLog.record({
          user_id: root.id,
          username: root.username,
          created_at: unixSeconds(clock),
          type: logType.system,
          ...(channelId === undefined ? {} : { channel_id: channelId }),
          ...logMessage([...messages]),
        })
        if (notice) for (const one of roots) send(one, notice)
      } catch (error) {
        log.error('an event could not be reported to root', { events: messages.map(({ key }) => key), error })
      }
    },
    notifyBy(notify) {
      send = notify
      for (const [user, notice] of waiting) send(user, notice)
      waiting = []
    },
  }
}
