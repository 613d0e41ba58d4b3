import { Card } from '@blueprintjs/core'
import { Fragment } from 'react'
import { useTranslation } from '../../translation.ts'
import { fillOf, partsAt, type Series, totalAt } from './series.ts'

type ChartTipProps = Readonly<{
  title: string
  series: readonly Series[]
  activeIndex: number
  format: (value: number) => string
  hint: string
  /** The point's position and the chart's width, in pixels. */
  x: number
  width: number
}>

const MAX = 10

/**
 * Shows a point's total, then its largest parts in descending order. Visual only: screen readers use the slider's
 * value.
 */
export function ChartTip({ title, series, activeIndex, format, hint, x, width }: ChartTipProps) {
  const { t } = useTranslation()
  const parts = partsAt(series, activeIndex)
  const side = x > width / 2 ? { right: width - x + GAP } : { left: x + GAP }
  return (
    <Card className="chart-tip" elevation={3} aria-hidden style={side}>
      <strong className="tabular">{title}</strong>
      <span className="chart-tip-total">{t('label.total')}</span>
      <strong className="tabular">{format(totalAt(series, activeIndex))}</strong>
      {parts.slice(0, MAX).map(({ name, colour, value }) => (
        <Fragment key={name}>
          <span className="chart-swatch" style={{ background: fillOf(colour) }} />
          <span className="chart-tip-name">{name}</span>
          <span className="tabular">{format(value)}</span>
        </Fragment>
      ))}
      {parts.length > MAX && <span className="chart-tip-total">{t('dash.more', { n: parts.length - MAX })}</span>}
      <span className="chart-tip-total">{hint}</span>
    </Card>
  )
}

const GAP = 12
