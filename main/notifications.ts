import { Notification } from 'electron'
import type { OnNotice } from '../gateway/composition/host-api.ts'
import { BUDGET_REACHED, QUOTA_EXCEED } from '../gateway/notify/notice.ts'
import { role } from '../shared/enums.ts'
import { formatMessage, type Locale } from '../shared/messages/format.ts'
import type { NoticeKind } from './notice-kinds.ts'

/** What is shown in a corner of the screen. */
export type Told = Readonly<{ title: string; body: string }>

/** So many in a minute; a computer that tells everything is not listened to. */
const MAX_PER_MINUTE = 4
const MINUTE_MS = 60_000
/** So many of the last are held; the lists of systems keep about as many of one program. */
const MAX_HELD = 20

export type NoticesDeps = Readonly<{
  locale: () => Locale
  monotonic: () => number
  isShown: (kind: NoticeKind) => boolean
  /** `page` is what a click on it opens. */
  show: (told: Told, page: string | undefined) => void
}>

/**
 * Shows the notices to root, to whom this computer belongs, on its screen as well: a channel that went off, a balance that
 * runs low, a budget that is used up. One that was just shown is not shown again.
 */
export function createDesktopNotices({ locale, monotonic, isShown, show }: NoticesDeps): OnNotice {
  let recent: { text: string; atMs: number }[] = []
  return (user, { type, subject, body, params }) => {
    const { kind, page } = aboutOf(type)
    if (user.role !== role.root || (kind && !isShown(kind))) return
    const translate = (key: typeof subject) => formatMessage(locale(), key, params)
    const told = { title: translate(subject), body: body.map(translate).join('\n') }
    const text = `${told.title}\n${told.body}`
    recent = recent.filter(({ atMs }) => monotonic() - atMs < MINUTE_MS)
    if (recent.length >= MAX_PER_MINUTE || recent.some((one) => one.text === text)) return
    recent.push({ text, atMs: monotonic() })
    show(told, page)
  }
}

/** What a type of notice is about, and the page of the console where something can be done about it. */
function aboutOf(type: string): Readonly<{ kind?: NoticeKind; page?: string }> {
  if (type.startsWith('channel_')) return { kind: 'channels', page: '/channel' }
  if (type === QUOTA_EXCEED) return { kind: 'money', page: '/topup' }
  return type.startsWith(BUDGET_REACHED) ? { kind: 'money', page: '/token' } : {}
}

/** Shows it, and returns whether the system can; a click on it does `onClick`. */
type ShowNotification = (told: Told, onClick: () => void) => boolean

/**
 * Shows notifications and holds the last of them until they are clicked: one that nobody holds is collected, and its click does
 * nothing then. `close` lets go of none, since Windows tells of it as it puts one into its list, where it can still be clicked.
 */
export function createNotifications(): ShowNotification {
  const held = new Set<Notification>()
  return (told, onClick) => {
    if (!Notification.isSupported()) return false
    const notification = new Notification(told)
    const letGo = () => held.delete(notification)
    held.add(notification)
    const [oldest] = held
    if (oldest && held.size > MAX_HELD) held.delete(oldest)
    notification.once('click', letGo).once('click', onClick).once('failed', letGo)
    notification.show()
    return true
  }
}
