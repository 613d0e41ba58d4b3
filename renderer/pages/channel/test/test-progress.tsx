import { Classes, ProgressBar } from '@blueprintjs/core'
import { useTranslation } from '../../../translation.ts'
import { type Grade, tally } from './outcome.ts'
import type { ModelTests } from './use-model-tests.ts'

/** How far a series of tests is, and how those that are through ended; nothing before the first series. */
export function TestProgress({ tests: { series, outcomes, isRunning } }: { tests: ModelTests }) {
  const { t } = useTranslation()
  const counts = tally(series, outcomes)
  const done = grades.reduce((sum, grade) => sum + counts[grade], 0)
  const parts = grades
    .filter((grade) => counts[grade] > 0)
    .map((grade) => t(`test.grade.${grade}`, { n: counts[grade] }))
  const isSeries = series.length > 1
  return (
    <div className="test-dialog-progress">
      {isSeries && isRunning && (
        <ProgressBar
          aria-label={t('label.progress')}
          value={done / series.length}
          intent="primary"
          animate={false}
          stripes={false}
        />
      )}
      <span className={`tabular ${Classes.TEXT_MUTED}`} role="status">
        {isSeries && [t('test.progress', { n: done, total: series.length }), ...parts].join(' · ')}
      </span>
    </div>
  )
}

const grades = ['works', 'limited', 'fails', 'untestable'] as const satisfies readonly Grade[]
