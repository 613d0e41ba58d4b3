import { Callout } from '@blueprintjs/core'
import type { TextKey } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import type { FileProblem } from './read-files.ts'

/** Files that were not taken, each with the reason. */
export function FileProblems({ problems }: { problems: readonly FileProblem[] }) {
  const { t } = useTranslation()
  if (problems.length === 0) return null
  return (
    <Callout compact intent="warning" role="alert">
      {problems.map(({ name, reason }) => (
        <div key={`${reason} ${name}`}>{t(reasons[reason], { name })}</div>
      ))}
    </Callout>
  )
}

const reasons: Readonly<Record<FileProblem['reason'], TextKey>> = {
  tooLarge: 'play.file.tooLarge',
  tooMuch: 'play.file.tooMuch',
  unsupported: 'play.file.unsupported',
  unreadable: 'play.file.unreadable',
}
