import './sparkline.css'

type SparklineProps = Readonly<{
  /** Oldest first, none below zero. */
  values: readonly number[]
  /** What is counted and over which time, such as `Requests of the last 24 hours`. */
  label: string
  /** Writes one value for who hears the line instead of seeing it. */
  format?: (value: number) => string
}>

/** A small line of values in a row: the shape for the eye, the numbers for screen readers. */
export function Sparkline({ values, label, format = String }: SparklineProps) {
  const spoken = `${label}: ${values.map(format).join(', ')}`
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={spoken}>
      <title>{spoken}</title>
      <polyline points={pointsOf(values)} />
    </svg>
  )
}

const width = 96
const height = 24
/** Room for half the line's thickness at top and bottom. */
const margin = 2

/** The line from the left edge to the right; nothing but zeros lies flat at the foot, and one value is a flat line as well. */
function pointsOf(given: readonly number[]): string {
  const values = given.length === 1 ? [...given, ...given] : given
  const max = Math.max(...values, 1)
  const step = width / Math.max(values.length - 1, 1)
  const tall = height - margin * 2
  return values.map((value, place) => `${place * step},${height - margin - (value / max) * tall}`).join(' ')
}
