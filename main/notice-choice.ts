import { changeChoices, readChoices } from './desktop-file.ts'
import { type NoticeChoice, type NoticeKind, noticeKinds } from './notice-kinds.ts'

/** What is shown in a corner of the screen: everything until somebody has switched it off. */
export const shownNotices = (folder: string): NoticeKind[] =>
  noticeKinds.filter((kind) => !readChoices(folder).silenced?.includes(kind))

/** The choice as the program's folder keeps it; `keep` does what the disk may refuse, and `onChange` draws what shows it. */
export const createNoticeChoice = (
  folder: string,
  keep: (step: () => void) => void,
  onChange: () => void,
): NoticeChoice => ({
  shown: () => shownNotices(folder),
  set(kind, isOn) {
    const shown = shownNotices(folder)
    const silenced = noticeKinds.filter((one) => (one === kind ? !isOn : !shown.includes(one)))
    keep(() => changeChoices(folder, { silenced }))
    onChange()
  },
})
