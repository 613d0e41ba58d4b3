import { Classes } from '@blueprintjs/core'
import type { WhatIfReport } from '../../../../shared/api/what-if.ts'
import { formatShortTime, unbroken } from '../../../components/moment.ts'
import { useTranslation } from '../../../translation.ts'
import { countText } from './figures.ts'
import { gapText, widestGap } from './share-gap.ts'

/** What all of it rests on, and how near the rules come to what happened where nothing is changed. */
export function Assumptions({ report }: { report: WhatIfReport }) {
  const { t } = useTranslation()
  const { was, unchanged } = report
  const widest = widestGap(report.channels)
  return (
    <section aria-label={t('whatIf.assumptions')}>
      <h2 className={`explain-heading ${Classes.HEADING}`}>{t('whatIf.assumptions')}</h2>
      <ul className={`what-if-assumptions ${Classes.TEXT_MUTED}`}>
        <li>
          {t('whatIf.check', {
            failed: countText(unchanged.failed + unchanged.no_channel),
            was: countText(was.failed + was.no_channel),
          })}
        </li>
        {widest && <li>{t('whatIf.checkShare', gapText(widest, t))}</li>}
        <li>{t('whatIf.assume.odds')}</li>
        <li>{t('whatIf.assume.callers')}</li>
        <li>{t('whatIf.assume.cooldowns')}</li>
        <li>{t('whatIf.assume.affinity')}</li>
        <li>{t('whatIf.assume.load', { from: unbroken(formatShortTime(report.peak_since)) })}</li>
        <li>{t('whatIf.assume.cost')}</li>
        <li>{t('whatIf.assume.left', { refused: countText(report.refused), cached: countText(report.cached) })}</li>
      </ul>
    </section>
  )
}
