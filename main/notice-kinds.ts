import type { MenuItemConstructorOptions } from 'electron'
import type { Translate } from './language.ts'

/** Kinds of desktop notifications; each can be disabled. */
export const noticeKinds = ['channels', 'money', 'updates'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export type NoticeChoice = Readonly<{
  shown: () => readonly NoticeKind[]
  set: (kind: NoticeKind, isOn: boolean) => void
}>

/** A menu item with a check box per kind; also in the main menu, since some systems have no tray. */
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
