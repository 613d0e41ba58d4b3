import './chart.css'
import type { ReactNode } from 'react'

export type RankedItem = Readonly<{ id: string; name: ReactNode; value: number; text: string; title?: string }>

/** A ranking of items in descending order; screen readers ignore the bars. */
export function Rank({ label, items }: { label: string; items: readonly RankedItem[] }) {
  const max = Math.max(...items.map(({ value }) => value), 1)
  return (
    <ol className="chart-rank" aria-label={label}>
      {items.map(({ id, name, value, text, title }) => (
        <li key={id}>
          <div className="chart-rank-line">
            <span className="chart-rank-name">{name}</span>
            <span className="tabular" title={title}>
              {text}
            </span>
          </div>
          <div className="chart-rank-bar" style={{ width: `${(value / max) * 100}%` }} aria-hidden />
        </li>
      ))}
    </ol>
  )
}
