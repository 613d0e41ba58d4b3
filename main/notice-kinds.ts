import type { MenuItemConstructorOptions } from 'electron'
import type { Translate } from './language.ts'

/** What notices in a corner of the screen are about; each can be switched off. */
export const noticeKinds = ['channels', 'money', 'updates'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Which of them are shown, and the choice. */
export type NoticeChoice = Readonly<{
  shown: () => readonly NoticeKind[]
  set: (kind: NoticeKind, isOn: boolean) => void
}>

/** The entry with a tick for each kind; it stands in the menu as well, since some systems have no tray. */
export const noticesItem = (
  translate: Translate,
  shown: readonly NoticeKind[],
  set: NoticeChoice['set'],
): MenuItemConstructorOptions => ({
  label: translate('tray.notices'),
  submenu: noticeKinds.map((kind) => {
    const checked = shown.includes(kind)
    return { label: translate(`tray.notices.${kind}`), type: 'checkbox', checked, click: () => set(kind, !checked) }
  }),
})
