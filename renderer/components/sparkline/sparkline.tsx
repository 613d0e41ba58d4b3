import './sparkline.css'

type SparklineProps = Readonly<{
  /** Oldest first, not negative. */
  values: readonly number[]
  /** Names the values and their time span, such as `Requests of the last 24 hours`. */
  label: string
  /** Formats a value for screen readers. */
  format?: (value: number) => string
}>

/** A small line chart; screen readers get the numbers. */
export function Sparkline({ values, label, format = String }: SparklineProps) {
  const accessibleText = `${label}: ${values.map(format).join(', ')}`
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={accessibleText}>
      <title>{accessibleText}</title>
      <polyline points={pointsOf(values)} />
    </svg>
  )
}

const width = 96
const height = 24
/** Free space at the top and bottom, in units of the view box, so that the line is not cut off. */
const margin = 2

/**
 * The line's points from left to right. A single value gives a flat line; if all values are 0, the line is at the
 * bottom.
 */
function pointsOf(given: readonly number[]): string {
  const values = given.length === 1 ? [...given, ...given] : given
  const max = Math.max(...values, 1)
  const step = width / Math.max(values.length - 1, 1)
  const tall = height - margin * 2
  return values.map((value, index) => `${index * step},${height - margin - (value / max) * tall}`).join(' ')
}
