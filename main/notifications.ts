import { Notification } from 'electron'
import type { OnNotice } from '../gateway/composition/host-api.ts'
import { BUDGET_REACHED, LEDGER_DIFFERENCES, QUOTA_EXCEED } from '../gateway/notify/notice.ts'
import { role } from '../shared/enums.ts'
import { formatMessage, type Locale } from '../shared/messages/format.ts'
import type { NoticeKind } from './notice-kinds.ts'

export type NoticeText = Readonly<{ title: string; body: string }>

/** Maximum notifications in a minute; more would make them useless. */
const MAX_PER_MINUTE = 4
const MINUTE_MS = 60_000
/** Maximum number of notifications to hold a reference to; about as many as systems list per program. */
const MAX_ACTIVE = 20

type NoticesDeps = Readonly<{
  locale: () => Locale
  monotonic: () => number
  isShown: (kind: NoticeKind) => boolean
  /** `page` is opened on click. */
  show: (notice: NoticeText, page: string | undefined) => void
}>

/**
 * Shows the root user's notices as desktop notifications: a channel that the system disabled or enabled, the end of a
 * channel test, a low balance, a used-up budget, balances that differ from the ledger. Notices of the last minute are
 * not repeated, and at most `MAX_PER_MINUTE` are shown in a minute.
 */
export function createDesktopNotices({ locale, monotonic, isShown, show }: NoticesDeps): OnNotice {
  let recent: { text: string; atMs: number }[] = []
  return (user, { type, subject, body, params }) => {
    const { kind, page } = aboutOf(type)
    if (user.role !== role.root || (kind && !isShown(kind))) return
    const translate = (key: typeof subject) => formatMessage(locale(), key, params)
    const notice = { title: translate(subject), body: body.map(translate).join('\n') }
    const text = `${notice.title}\n${notice.body}`
    recent = recent.filter(({ atMs }) => monotonic() - atMs < MINUTE_MS)
    if (recent.length >= MAX_PER_MINUTE || recent.some((one) => one.text === text)) return
    recent.push({ text, atMs: monotonic() })
    show(notice, page)
  }
}

/** The kind of a notice, and the console page to act on it; neither for other types. */
function aboutOf(type: string): Readonly<{ kind?: NoticeKind; page?: string }> {
  if (type.startsWith('channel_')) return { kind: 'channels', page: '/channel' }
  if (type === QUOTA_EXCEED) return { kind: 'money', page: '/topup' }
  if (type === LEDGER_DIFFERENCES) return { kind: 'money', page: '/ledger' }
  return type.startsWith(BUDGET_REACHED) ? { kind: 'money', page: '/token' } : {}
}

/** Returns whether the system can show notifications; `onClick` runs on a click. */
type ShowNotification = (notice: NoticeText, onClick: () => void) => boolean

/**
 * Shows notifications and holds references to the last ones until they are clicked: unreferenced ones are
 * garbage-collected, and a click on them does nothing. `close` does not release the reference, because Windows emits it
 * when a notification moves to its list, where it can still be clicked.
 */
export function createNotifications(): ShowNotification {
  const active = new Set<Notification>()
  return (notice, onClick) => {
    if (!Notification.isSupported()) return false
    const notification = new Notification(notice)
    const letGo = () => active.delete(notification)
    active.add(notification)
    const [oldest] = active
    if (oldest && active.size > MAX_ACTIVE) active.delete(oldest)
    notification.once('click', letGo).once('click', onClick).once('failed', letGo)
    notification.show()
    return true
  }
}
