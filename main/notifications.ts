import { Notification } from 'electron'
import type { OnNotice } from '../gateway/shell.ts'
import { role } from '../shared/enums.ts'
import { formatMessage, type Locale } from '../shared/messages/format.ts'

/** What is shown in a corner of the screen. */
export type Told = Readonly<{ title: string; body: string }>

/** So many in a minute; a computer that tells everything is not listened to. */
const MOST_A_MINUTE = 4
const MINUTE_MS = 60_000

export type NoticesDeps = Readonly<{
  locale: () => Locale
  monotonic: () => number
  show: (told: Told) => void
}>

/**
 * Shows the notices to root, to whom this computer belongs, on its screen as well: a channel that went off, a balance that
 * runs low. One that was just shown is not shown again.
 */
export function createDesktopNotices({ locale, monotonic, show }: NoticesDeps): OnNotice {
  let recent: { text: string; atMs: number }[] = []
  return (user, { subject, body, params }) => {
    if (user.role !== role.root) return
    const say = (key: typeof subject) => formatMessage(locale(), key, params)
    const told = { title: say(subject), body: body.map(say).join('\n') }
    const text = `${told.title}\n${told.body}`
    recent = recent.filter(({ atMs }) => monotonic() - atMs < MINUTE_MS)
    if (recent.length >= MOST_A_MINUTE || recent.some((one) => one.text === text)) return
    recent.push({ text, atMs: monotonic() })
    show(told)
  }
}

/** Shows it where the system can; a click on it does `onClick`. */
export function showNotification(told: Told, onClick: () => void): void {
  if (!Notification.isSupported()) return
  const notification = new Notification(told)
  notification.on('click', onClick)
  notification.show()
}
