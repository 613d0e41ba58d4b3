import { Callout } from '@blueprintjs/core'
import type { WhatIfReport } from '../../../../shared/api/what-if.ts'
import { formatShortTime, unbroken } from '../../../components/moment.ts'
import { useTranslation } from '../../../translation.ts'
import { countText } from './figures.ts'
import { gapText, UNLIKE, widestGap } from './share-gap.ts'

/** Requests more or less that are worth a word. */
const NOTICEABLE = 0.5

/** What came out, in a sentence, and what one must know of it. */
export function Findings({ report }: { report: WhatIfReport }) {
  const { t } = useTranslation()
  const { was, unchanged, would, channels, lost_models: lost } = report
  const isWorse = would.failed + would.no_channel > unchanged.failed + unchanged.no_channel + NOTICEABLE
  const heavy = channels.filter(({ load }) => load === 'several')
  const fresh = channels.filter(({ load }) => load === 'new')
  const unknown = channels.filter(({ evidence, would: { attempts } }) => evidence === 'none' && attempts > 0)
  const names = (list: typeof channels) =>
    list.map(({ name, channel_id: id }) => t('explain.named', { name: name || `#${id}` })).join(t('whatIf.and'))
  const widest = widestGap(channels)
  const isShown = (text: string | false | undefined): text is string => typeof text === 'string'
  const losses = [isWorse && t('whatIf.worse'), lost > 0 && t('whatIf.lostNote', { n: lost })].filter(isShown)
  const cautions = [
    heavy.length > 0 && t('whatIf.heavy', { names: names(heavy) }),
    fresh.length > 0 && t('whatIf.fresh', { names: names(fresh) }),
    unknown.length > 0 && t('whatIf.unknownNote', { names: names(unknown) }),
    report.unsure >= 1 && t('whatIf.unsure', { n: countText(report.unsure), all: countText(would.attempts) }),
    widest && widest.gap >= UNLIKE && t('whatIf.unlike', gapText(widest, t)),
    report.is_cut && t('whatIf.cut', { n: countText(report.rows), from: unbroken(formatShortTime(report.from)) }),
  ].filter(isShown)
  return (
    <>
      <p className="explain-summary" role="status">
        {t('whatIf.summary', {
          calls: countText(report.calls),
          answered: countText(would.answered),
          wasAnswered: countText(was.answered),
          failed: countText(would.failed),
          wasFailed: countText(was.failed),
          none: countText(would.no_channel),
          wasNone: countText(was.no_channel),
        })}
      </p>
      <Notes intent="danger" texts={losses} />
      <Notes intent="warning" texts={cautions} />
    </>
  )
}

function Notes({ intent, texts }: Readonly<{ intent: 'danger' | 'warning'; texts: readonly string[] }>) {
  if (texts.length === 0) return null
  return (
    <Callout intent={intent}>
      <ul className="what-if-notes">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Callout>
  )
}
