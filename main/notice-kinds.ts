/** What notices in a corner of the screen are about; each can be switched off in the tray. */
export const noticeKinds = ['channels', 'money', 'updates'] as const
export type NoticeKind = (typeof noticeKinds)[number]
