import './chart.css'
import { Button } from '@blueprintjs/core'
import { useTranslation } from '../../translation.ts'
import { fillOf, type Series } from './series.ts'

type LegendProps = Readonly<{
  label: string
  series: readonly Series[]
  chosen: string | undefined
  onChoose: (name: string | undefined) => void
}>

/** The chart's legend. Choosing a name shows only that series; choosing it again shows all. */
export function Legend({ label, series, chosen, onChoose }: LegendProps) {
  const { t } = useTranslation()
  return (
    <ul className="chart-legend" aria-label={label}>
      {series.map(({ name, colour }) => (
        <li key={name}>
          <Button
            size="small"
            variant="minimal"
            ellipsizeText
            aria-pressed={chosen === undefined ? undefined : chosen === name}
            icon={<span className="chart-swatch" style={{ background: fillOf(colour) }} />}
            text={name}
            title={t('dash.only', { name })}
            onClick={() => onChoose(chosen === name ? undefined : name)}
          />
        </li>
      ))}
    </ul>
  )
}
