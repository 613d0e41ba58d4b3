import { changeChoices, readChoices } from './desktop-file.ts'
import { type NoticeChoice, type NoticeKind, noticeKinds } from './notice-kinds.ts'

/** Enabled kinds of notifications; all by default. */
export const shownNotices = (folder: string): NoticeKind[] =>
  noticeKinds.filter((kind) => !readChoices(folder).silenced?.includes(kind))

/**
 * The choice, stored in the program's folder; `attempt` runs steps that may fail to write, and `onChange` redraws the
 * menus.
 */
export const createNoticeChoice = (
  folder: string,
  attempt: (step: () => void) => void,
  onChange: () => void,
): NoticeChoice => ({
  shown: () => shownNotices(folder),
  set(kind, isOn) {
    const shown = shownNotices(folder)
    const silenced = noticeKinds.filter((one) => (one === kind ? !isOn : !shown.includes(one)))
    attempt(() => changeChoices(folder, { silenced }))
    onChange()
  },
})
