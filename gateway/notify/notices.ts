import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { UserSetting } from '../../shared/api/own-account.ts'
import { logType, userStatus } from '../../shared/enums.ts'
import { formatMessage, nested } from '../../shared/messages/format.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { GatewayError } from '../base/errors.ts'
import { sha256 } from '../base/ids.ts'
import { logMessage } from '../base/localized-message.ts'
import type { Logger } from '../base/log/logger.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { AddressRule } from '../base/network/address-guard.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Settings } from '../settings/settings.ts'
import { type NoticeTarget, type NoticeWindow, noticeStore } from '../store/accounts/notices.ts'
import type { UserRow } from '../store/schema/schema.ts'
import type { Db } from '../store/sqlite/database.ts'
import { type Failure, failedWith } from './failure.ts'
import { type Notice, QUOTA_EXCEED, written } from './notice.ts'
import { createOutbox, RETRY_AFTER_MS } from './outbox.ts'
import { type Addressed, createStoredLetters, type NoticeChannel } from './stored-letters.ts'
import { createWebhooks } from './webhook.ts'

export type NoticeReceiver = Pick<UserRow, 'id' | 'username' | 'role' | 'email' | 'setting' | 'status'>

/** Notifies accounts by mail or webhook, as each has configured (docs/reference/accounts.md#notices). */
export interface Notices {
  /**
   * Sends a notice if the account can be notified and has not had too many. Returns the unix time until which another
   * notice of this type would not be sent; 0 if it would be, undefined if the account cannot be notified. Never throws,
   * and does not wait for the delivery.
   */
  notify(user: NoticeReceiver, notice: Notice): Promise<number | undefined>
  /** Resumes deliveries that were pending when the previous process ended. */
  takeUp(): Promise<void>
  /** Leaves pending deliveries to the next start. */
  stop(): Promise<void>
}

type NoticesDeps = Readonly<{
  db: Db
  vault: Vault
  settings: Pick<Settings, 'get'>
  mailer: Pick<Mailer, 'send'>
  clock: Clock
  log: Logger
  userAgent: string
  isAllowed: AddressRule
  /** The settings of an account, with the webhook secret decrypted. */
  settingOf: (user: Pick<UserRow, 'id' | 'setting'>) => UserSetting
  isClockDoubted: () => Promise<boolean>
  auditLog: AuditLog
  /** Max notices of one type, and the minutes they are counted over; 0 uses the default of the type. */
  config: Readonly<{ NOTIFY_LIMIT_COUNT: number; NOTIFICATION_LIMIT_DURATION_MINUTE: number }>
}>

/** Default limits per type and account. */
const reminders = { max: 1, minutes: 120 }
const otherNotices = { max: 2, minutes: 10 }
/** Limits over all types, per account, and per address across all accounts. */
const combinedLimits = { max: 20, seconds: 3600 }

/** Older notices are dropped on start, unless the clock is doubted. */
const MAX_AGE_SECONDS = 86_400
const MAX_TRIES = RETRY_AFTER_MS.length + 1

const HOUR_MS = 3_600_000
const MAX_REMEMBERED = 10_000

export function createNotices(deps: NoticesDeps): Notices {
  const { db, clock, log, config } = deps
  const webhooks = createWebhooks(deps)
  const storedLetters = createStoredLetters(deps)
  const onLost = createLostNotes(deps)
  const outbox = createOutbox({
    clock,
    log,
    deliver: ({ way, letter }, signal) =>
      way.kind === 'webhook' ? webhooks.post(way.webhook, letter.json, signal) : sendMail(deps, way.to, letter.mail),
    onLost,
    storedLetters,
  })
  let pendingAdds = 0
  const send = async (letter: Omit<Addressed, 'id'>) => {
    if (!outbox.hasCapacity(pendingAdds)) {
      log.warn('a notice was dropped: too many wait, or the gateway stops', logFields(letter))
      return
    }
    pendingAdds += 1
    const addressed = await storedLetters.keep(letter)
    pendingAdds -= 1
    outbox.add(addressed)
  }
  return {
    async notify(user, notice) {
      try {
        const channel = channelTo(deps, user)
        if (!channel) return undefined
        const now = unixSeconds(clock)
        const own = notice.type === QUOTA_EXCEED ? reminders : otherNotices
        const window = {
          userId: user.id,
          type: notice.type,
          max: config.NOTIFY_LIMIT_COUNT || own.max,
          seconds: (config.NOTIFICATION_LIMIT_DURATION_MINUTE || own.minutes) * 60,
        }
        const windows = [window, ...combinedWindows(user.id, channel)]
        const { isGranted, isFull, until } = await takeAll(db, windows, now)
        if (isGranted) {
          await noticeStore(db).removeEnded(now)
          await send({ userId: user.id, username: user.username, way: channel, letter: written(notice, now) })
        }
        return isFull ? until : 0
      } catch (error) {
        log.error('a notice could not be made', { userId: user.id, type: notice.type, error })
        return undefined
      }
    },
    async takeUp() {
      const oldest = (await deps.isClockDoubted()) ? 0 : unixSeconds(clock) - MAX_AGE_SECONDS
      for (const { addressed, tries, dueMs, createdAt } of await storedLetters.takeUp()) {
        if (createdAt >= oldest && tries <= MAX_TRIES + 1 && outbox.hasCapacity()) {
          outbox.add(addressed, { tries, dueMs })
          continue
        }
        onLost(addressed, failedWith('notice.reason_stopped'))
        await storedLetters.forget(addressed.id)
      }
    },
    async stop() {
      await outbox.stop()
      await webhooks.close()
    },
  }
}

const combinedWindows = (userId: number, channel: NoticeChannel): NoticeWindow[] => [
  { userId, type: 'all', ...combinedLimits },
  {
    userId: NO_USER,
    type: sha256(channel.kind === 'mail' ? channel.to.toLowerCase() : channel.webhook.url),
    ...combinedLimits,
  },
]
/** An id that no account has. */
const NO_USER = 0

/** Counts a notice in each window in turn, stopping before the first that is full. */
async function takeAll(db: Db, windows: readonly NoticeWindow[], nowSeconds: number): Promise<NoticeTarget> {
  let fullest: NoticeTarget = { isGranted: true, isFull: false, until: nowSeconds }
  for (const window of windows) {
    const slot = await noticeStore(db).take(window, nowSeconds)
    if (!slot.isGranted) return slot
    if (slot.isFull && (!fullest.isFull || slot.until > fullest.until)) fullest = slot
  }
  return fullest
}

/** How to reach an account; undefined if it has no address, is inactive, or no mail server is configured. */
function channelTo({ settings, settingOf }: NoticesDeps, user: NoticeReceiver): NoticeChannel | undefined {
  if (user.status !== userStatus.active) return undefined
  const { notify_type, notification_email, webhook_url, webhook_secret = '' } = settingOf(user)
  if (notify_type === 'webhook')
    return webhook_url ? { kind: 'webhook', webhook: { url: webhook_url, secret: webhook_secret } } : undefined
  const to = notification_email || user.email
  const isReachable = settings.get('SMTPServer') !== '' && z.email().safeParse(to).success
  return isReachable ? { kind: 'mail', to } : undefined
}

async function sendMail(
  { mailer }: NoticesDeps,
  to: string,
  mail: Addressed['letter']['mail'],
): Promise<Failure | null> {
  try {
    await mailer.send({ to, ...mail })
    return null
  } catch (error) {
    // The server's message is logged for the operator only: it may name accounts and hosts.
    const isFinal = error instanceof GatewayError && error.kind === 'invalid'
    return { ...failedWith('notice.reason_mail'), isFinal, error }
  }
}

/** Log fields that identify a letter, without the secret parts of its address. */
const logFields = ({ userId, way, letter }: Omit<Addressed, 'id'>) => ({
  userId,
  type: letter.type,
  way: way.kind,
  place: hostOf(way),
})

const hostOf = (channel: NoticeChannel): string =>
  channel.kind === 'mail' ? channel.to : (URL.parse(channel.webhook.url)?.host ?? '')

/** Logs every letter that is given up, and notifies its receiver at most once an hour. */
function createLostNotes({ clock, log, auditLog }: NoticesDeps) {
  const recentlyNotified = new LRUCache<number, true>({
    ...upTo(MAX_REMEMBERED),
    ...lruLife(HOUR_MS, () => clock.monotonic()),
  })
  return (addressed: Addressed, { key, params, error }: Failure): void => {
    const { userId, username, way, letter } = addressed
    log.warn('a notice could not be delivered', {
      ...logFields(addressed),
      reason: formatMessage('en', key, params),
      ...(error === undefined ? {} : { error }),
    })
    if (recentlyNotified.get(userId)) return
    recentlyNotified.set(userId, true)
    auditLog.record({
      user_id: userId,
      username,
      created_at: unixSeconds(clock),
      type: logType.system,
      ...logMessage([
        {
          key: way.kind === 'mail' ? 'notice.lost_mail' : 'notice.lost_webhook',
          params: { ...params, type: letter.type, place: hostOf(way), reason: nested(key) },
        },
      ]),
    })
  }
}
