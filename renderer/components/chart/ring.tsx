import './chart.css'
import { arc, type PieArcDatum, pie } from 'd3-shape'
import type { ColourIndex } from './model-colours.ts'
import { fillOf } from './series.ts'

type Share = Readonly<{ name: string; colour: ColourIndex; value: number }>

type RingProps = Readonly<{
  label: string
  shares: readonly Share[]
  format: (value: number) => string
  unit: string
}>

const SIZE = 240
const parts = pie<Share>()
  .value(({ value }) => value)
  .sort(null)
const shape = arc<PieArcDatum<Share>>()
  .innerRadius(SIZE * 0.31)
  .outerRadius(SIZE / 2)

/** Shares as a ring next to a list of names and numbers; screen readers get only the list. */
export function Ring({ label, shares, format, unit }: RingProps) {
  const total = shares.reduce((sum, { value }) => sum + value, 0)
  return (
    <div className="chart chart-ring">
      <svg width={SIZE} height={SIZE} viewBox={`${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`} aria-hidden>
        {total === 0 && <circle r={SIZE * 0.4} fill="none" stroke="var(--chart-line)" strokeWidth={SIZE * 0.19} />}
        {parts([...shares]).map((part) => (
          <path
            key={part.data.name}
            className="chart-part"
            fill={fillOf(part.data.colour)}
            d={shape(part) ?? undefined}
          />
        ))}
        <text className="chart-ring-total" textAnchor="middle" dy="0">
          {format(total)}
        </text>
        <text textAnchor="middle" dy="20">
          {unit}
        </text>
      </svg>
      <ul className="chart-ring-list" aria-label={label}>
        {shares.map(({ name, colour, value }) => (
          <li key={name}>
            <span className="chart-swatch" style={{ background: fillOf(colour) }} />
            <span className="chart-rank-name" title={name}>
              {name}
            </span>
            <span className="tabular">{format(value)}</span>
            <span className="tabular">{total === 0 ? '' : `${((value / total) * 100).toFixed(1)}%`}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
